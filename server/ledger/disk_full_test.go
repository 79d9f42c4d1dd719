package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

func TestReplay_DiskFull(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.Available, QuantityDelta: 5, Reason: "count"}
	first := ledgertest.Do(w, api.AdjustStock, in, api.Key("one"))

	full := *w
	full.Ledger = ledger.New(alwaysFails(w.Store, store.ErrFull), ledger.Options{Now: w.Clock.Now})
	full.Service = full.As(api.Live)
	again, err := api.AdjustStock.Do(t.Context(), full.Service, in, api.Key("one"))
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, &first, again.Output)

	other := in
	other.QuantityDelta = 6
	ledgertest.Refused(&full, api.IdempotencyKeyReused, api.AdjustStock, other, api.Key("one"))
	refused := ledgertest.Refused(&full, api.Unavailable, api.AdjustStock, in, api.Key("two"))
	require.Contains(t, refused.Message, "disk is full")

	created, err := api.AdjustStock.Do(t.Context(), w.Service, in, api.Key("two"))
	require.NoError(t, err)
	require.False(t, created.Replayed)
}
