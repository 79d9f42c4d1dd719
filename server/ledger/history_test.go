package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// TestHistoryOfBefore takes a ledger in which all of the history stands in its
// table, goes on with it, and reads it from both ends and in the past.
func TestHistoryOfBefore(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	var at api.Balance
	count := func(times int) {
		for range times {
			at = ledgertest.Do(w, api.AdjustStock, api.AdjustStockInput{ProductID: oat.ID, LocationID: wh.ID,
				InventoryState: api.Available, QuantityDelta: 1, Reason: "count"}).Balance
		}
	}
	count(23)
	p, moved := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}, 0
	list := rows(t, w, "quantities")
	require.NoError(t, w.Store.Update(context.Background(), p, func(tx store.Tx) error {
		for _, x := range list {
			old, keys, err := ledger.WithoutLately(x.value)
			require.NoError(t, err)
			moved += len(keys)
			for _, key := range keys {
				require.NoError(t, tx.Put("history", key, []byte{0}))
			}
			require.NoError(t, tx.Put("quantities", x.key, old))
		}
		return nil
	}))
	require.Equal(t, 7, moved)
	for _, more := range []int{0, 5, 30} {
		count(more)
		proof, err := w.Ledger.Verify(context.Background())
		require.NoError(t, err)
		require.Empty(t, proof.Faults)
		for _, order := range []api.Order{api.OldestFirst, api.NewestFirst} {
			all := ledgertest.Do(w, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: at.ID, Order: order})
			require.Equal(t, at.Quantities, all.Totals)
			require.Len(t, all.Movements, int(2*at.OnHand))
			for i := 2; i < len(all.Movements); i++ {
				step := all.Movements[i].BalanceAfter - all.Movements[i-2].BalanceAfter
				require.Equal(t, order == api.OldestFirst, step == 1, "movement %d", i)
			}
		}
	}
}
