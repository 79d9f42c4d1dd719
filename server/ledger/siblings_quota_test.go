package ledger_test

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
)

// use makes n requests at each ledger at once, every third a read, every third a write, and
// every third a write that fails. It returns how many the plan permitted.
func use(t *testing.T, n int, worlds ...*ledgertest.World) int64 {
	t.Helper()
	var permitted atomic.Int64
	together(n*len(worlds), func(i int) {
		svc := worlds[i%len(worlds)].Service
		var err error
		switch i % 3 {
		case 0:
			_, err = api.ListLocations.Call(t.Context(), svc, api.ListPlacesInput{})
		case 1:
			_, err = api.CreateOwner.Call(t.Context(), svc, api.CreatePlaceInput{Code: api.NewKey(), Name: "O", Type: "company"})
		case 2:
			_, err = api.ArchiveProduct.Call(t.Context(), svc, api.ProductInput{ProductID: api.ID{1}})
			if api.HasCode(err, api.NotFound) {
				err = nil
			}
		}
		switch {
		case err == nil:
			permitted.Add(1)
		case !api.HasCode(err, api.PlanLimitExceeded):
			t.Error(err)
		}
	})
	return permitted.Load()
}

// usageOf returns the usage as a person at a terminal reads it, which does not count.
func usageOf(t *testing.T, l *ledger.Ledger, org api.ID) api.Usage {
	t.Helper()
	person := api.Caller{Organization: org, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}
	got := ledgertest.Call(t, api.As(l, person, ""), api.GetAccess, api.GetAccessInput{})
	return got.Usage
}

// The last requests of a plan go to one process each, also when one of them is killed.
func TestSiblings_LastRequestsOfAPlan(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	a.Limit(api.Limits{APIRequests: new(int64(30))})
	require.EqualValues(t, 30, use(t, 24, a, b))
	for _, w := range []*ledgertest.World{a, b} {
		require.EqualValues(t, 30, usageOf(t, w.Ledger, w.Org.ID).APIRequests)
		require.Zero(t, use(t, 3, w))
	}
	b.Limit(api.Limits{APIRequests: new(int64(35))})
	killed := ledger.New(a.Store, ledger.Options{Now: a.Clock.Now, Log: slog.New(slog.DiscardHandler)}) // it is never closed
	w := *a
	w.Ledger = killed
	w.Service = w.As(api.Live)
	require.EqualValues(t, 3, use(t, 3, &w))
	require.EqualValues(t, 2, use(t, 3, b))
	require.EqualValues(t, 35, usageOf(t, b.Ledger, b.Org.ID).APIRequests)
	a.Limit(api.Limits{APIRequests: nil})
	require.EqualValues(t, 3, use(t, 3, b), "the new plan is effective at once")
}

// The requests of all processes add up within a second if the plan has no limit.
func TestSiblings_RequestsAddUp(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	require.EqualValues(t, 30, use(t, 15, a, b))
	require.Eventually(t, func() bool {
		return usageOf(t, a.Ledger, a.Org.ID).APIRequests == 30 && usageOf(t, b.Ledger, b.Org.ID).APIRequests == 30
	}, time.Minute, 10*time.Millisecond)
	require.EqualValues(t, 6, use(t, 3, a, b))
	a.Ledger.Close()
	b.Ledger.Close()
	require.EqualValues(t, 36, usageOf(t, ledger.New(b.Store, ledger.Options{Now: b.Clock.Now, Log: slog.New(slog.DiscardHandler)}), b.Org.ID).APIRequests)
}

// So do the last billable operations and products.
func TestSiblings_LastOperationsOfAPlan(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	p, at := a.Product("OAT-1L", api.TrackNone), a.Location("WH-1")
	a.Limit(api.Limits{BillableOperations: new(int64(7)), ActiveProducts: new(int64(5))})
	var operations, products atomic.Int64
	together(20, func(i int) {
		svc := []*ledgertest.World{a, b}[i%2].Service
		adjust := api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "x"}
		if _, err := api.AdjustStock.Call(t.Context(), svc, adjust); err == nil {
			operations.Add(1)
		}
		create := api.CreateProductInput{SKU: api.NewKey(), Name: "P", Tracking: api.TrackNone}
		if _, err := api.CreateProduct.Call(t.Context(), svc, create); err == nil {
			products.Add(1)
		}
	})
	require.EqualValues(t, 7, operations.Load())
	require.EqualValues(t, 4, products.Load())
}

// Requests that were counted in memory before the plan had a limit count for the limit.
func TestSiblings_LimitAfterRequests(t *testing.T) {
	t.Parallel()
	a, _ := siblings(t)
	require.EqualValues(t, 6, use(t, 6, a))
	a.Limit(api.Limits{APIRequests: new(int64(10))})
	require.EqualValues(t, 4, use(t, 9, a))
	require.EqualValues(t, 10, usageOf(t, a.Ledger, a.Org.ID).APIRequests)
}
