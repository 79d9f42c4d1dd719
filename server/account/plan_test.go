package account_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

func limitOf(n int64) *int64 { return &n }

func usage(w *ledgertest.World) api.Usage {
	return ledgertest.Do(w, api.GetAccess, api.GetAccessInput{}).Usage
}

func TestPlanAndUsage_AreStored(t *testing.T) {
	t.Parallel()
	w := ledgertest.OpenDir(t, t.TempDir())
	w.Limit(api.Limits{APIRequests: limitOf(6)})
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(p.ID, at.ID, 5)
	require.Equal(t, api.Usage{Month: "2026-03", APIRequests: 4, BillableOperations: 1, ActiveProducts: 1}, usage(w))
	w = w.Reopen()
	require.Equal(t, api.Usage{Month: "2026-03", APIRequests: 5, BillableOperations: 1, ActiveProducts: 1}, usage(w))
	usage(w)
	ledgertest.Refused(w, api.PlanLimitExceeded, api.GetAccess, api.GetAccessInput{})
	w.Limit(api.Limits{APIRequests: limitOf(7)})
	usage(w)
	ledgertest.Refused(w, api.PlanLimitExceeded, api.GetAccess, api.GetAccessInput{})
}

// Request counts are saved without closing the ledger: another ledger on the same
// store reads them.
func TestUsage_SavesRequestCount(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	usage(w)
	usage(w)
	require.Eventually(t, func() bool {
		again := ledger.New(w.Store, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
		person := api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}
		got, err := api.GetAccess.Call(t.Context(), api.As(again, person, ""), api.GetAccessInput{})
		return err == nil && got.Usage.APIRequests == 2
	}, time.Minute, 10*time.Millisecond, "requests of a person at a terminal do not count")
}

func TestPlan_ClockGoesBackToLastMonth(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Limit(api.Limits{BillableOperations: limitOf(1)})
	adjust := api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "x"}
	w.Clock.Set(time.Date(2026, 3, 31, 23, 59, 59, 999_000_000, time.UTC))
	ledgertest.Do(w, api.AdjustStock, adjust)
	ledgertest.Refused(w, api.PlanLimitExceeded, api.AdjustStock, adjust)
	w.Clock.Advance(time.Millisecond)
	require.Equal(t, api.Usage{Month: "2026-04", APIRequests: 1, ActiveProducts: 1}, usage(w))
	ledgertest.Do(w, api.AdjustStock, adjust)
	w.Clock.Advance(-time.Hour)
	ledgertest.Refused(w, api.PlanLimitExceeded, api.AdjustStock, adjust)
	require.EqualValues(t, 1, usage(w).BillableOperations)
}

func TestSetPlan_Validation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	_, err := w.Ledger.SetPlan(t.Context(), uuid.New(), api.Live, api.Limits{})
	require.True(t, api.HasCode(err, api.NotFound), "got %v", err)
	_, err = w.Ledger.SetPlan(t.Context(), w.Org.ID, "prod", api.Limits{APIRequests: limitOf(-1)})
	require.True(t, api.HasCode(err, api.ValidationError), "got %v", err)
	plan, err := w.Ledger.SetPlan(t.Context(), w.Org.ID, api.Live, api.Limits{Reports: true})
	require.NoError(t, err)
	require.Equal(t, api.Plan{Code: "unlimited", Version: 2}, plan)
}

func TestVerify_FindsWrongUsage(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Product("OAT-1L", api.TrackNone)
	w.Damaged = true
	part := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}
	require.NoError(t, w.Store.Update(t.Context(), part, func(tx store.Tx) error {
		row, err := tx.Get("meta", []byte("counter"))
		require.NoError(t, err)
		row = append([]byte(nil), row...)
		row[27], row[35] = 9, 9
		return tx.Put("meta", []byte("counter"), row)
	}))
	result, err := w.Ledger.Verify(t.Context())
	require.NoError(t, err)
	require.Len(t, result.Faults, 2)
	require.Contains(t, result.Faults[0].Message, "counter has 9 billable operations in 2026-03; the journal has 0")
	require.Contains(t, result.Faults[1].Message, "counter has 9 active products; there are 1")
}
