package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store/pgstore"
)

// A read of rows that are cached asks the database only what has changed: for the key, for the
// plan, and for the snapshot, which then ends.
func TestSiblings_RoundTripsOfARead(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	secret, _ := a.Key()
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	a.Stock(product, at, 5)
	balance := ledgertest.Do(b, api.ListBalances, api.ListBalancesInput{}).Items[0]
	stats := b.Store.(*pgstore.Store).Stats
	read := func() uint64 {
		before := stats().RoundTrips
		caller, err := b.Ledger.Authenticate(t.Context(), secret)
		require.NoError(t, err)
		got := ledgertest.Call(t, api.As(b.Ledger, *caller, ""), api.GetBalance, api.GetBalanceInput{BalanceID: balance.ID})
		require.EqualValues(t, 5, got.OnHand)
		return stats().RoundTrips - before
	}
	read()
	require.Eventually(t, func() bool { return read() == 4 }, time.Minute, time.Millisecond, "once the last use of the key is saved")
}
