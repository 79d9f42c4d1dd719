package report_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// worldWithLongHistory returns a world with a balance that has 2,400 movements, a lot with
// as many, and metadata of a size for each movement.
func worldWithLongHistory(t *testing.T, metadata int) (*ledgertest.World, *api.Balance, api.ID) {
	t.Helper()
	w := ledgertest.Open(t)
	milk, at := w.Product("MILK", api.TrackLot), w.Location("WH-1")
	var b api.Balance
	var lot api.ID
	for range 1200 {
		in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk.ID, LocationID: at.ID}, Quantity: new(int64(1)), NewLot: api.NewLot{LotCode: "L1"}}
		if metadata > 0 {
			in.Metadata = api.Metadata(`{"note":"` + strings.Repeat("x", metadata) + `"}`)
		}
		out := ledgertest.Do(w, api.ReceiveStock, in)
		b, lot = out.Balance, out.Movements[0].LotID
	}
	return w, &b, lot
}

// A history is returned in pages of at most 1,000 movements, though no limit is given; the
// totals are of all.
func TestHistory_PagesByDefault(t *testing.T) {
	t.Parallel()
	w, b, lot := worldWithLongHistory(t, 0)
	for name, read := range map[string]func(cursor string) (int, *string){
		"explain": func(cursor string) (int, *string) {
			out := ledgertest.Do(w, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Cursor: cursor}})
			require.Equal(t, b.Quantities, out.Totals)
			return len(out.Movements), out.NextCursor
		},
		"trace": func(cursor string) (int, *string) {
			out := ledgertest.Do(w, api.TraceLot, api.TraceLotInput{LotID: lot, HistoryPage: api.HistoryPage{Cursor: cursor}})
			return len(out.Movements), out.NextCursor
		},
	} {
		n, next := read("")
		require.Equal(t, 1000, n, name)
		n, next = read(*next)
		require.Equal(t, 1000, n, name)
		n, next = read(*next)
		require.Equal(t, 400, n, name)
		require.Nil(t, next, name)
	}
}

// A page of large movements ends before it grows too large.
func TestHistory_BoundsBytes(t *testing.T) {
	t.Parallel()
	w, b, _ := worldWithLongHistory(t, 15<<10)
	total := 0
	for cursor, more := "", true; more; {
		out := ledgertest.Do(w, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Cursor: cursor}})
		data, err := json.Marshal(out)
		require.NoError(t, err)
		require.Less(t, len(data), 6<<20)
		total += len(out.Movements)
		if more = out.NextCursor != nil; more {
			cursor = *out.NextCursor
		}
	}
	require.Equal(t, 2400, total, "nothing is lost")
}

// An endingContext ends after so many looks.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A long read stops when its request ends.
func TestHistory_StopsWithContext(t *testing.T) {
	t.Parallel()
	w, b, lot := worldWithLongHistory(t, 0)
	ctx := &endingContext{Context: t.Context(), looks: 8}
	_, err := api.ExplainBalance.Call(ctx, w.Service, api.ExplainBalanceInput{BalanceID: b.ID})
	require.ErrorIs(t, err, context.Canceled)
	ctx = &endingContext{Context: t.Context(), looks: 8}
	_, err = api.TraceLot.Call(ctx, w.Service, api.TraceLotInput{LotID: lot})
	require.ErrorIs(t, err, context.Canceled)
}

// The holdings of a lot are returned in pages of at most 1,000 as well, with totals of all.
func TestTraceLot_PagesHoldingsByDefault(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	milk := w.Product("MILK", api.TrackLot)
	var lot api.ID
	for i := range 1003 {
		at := w.Location("L-" + strconv.Itoa(i))
		out := ledgertest.Do(w, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk.ID, LocationID: at.ID},
			Quantity: new(int64(2)), NewLot: api.NewLot{LotCode: "L1"}})
		lot = out.Movements[0].LotID
	}
	one := api.HistoryPage{Limit: new(int64(1))}
	first := ledgertest.Do(w, api.TraceLot, api.TraceLotInput{LotID: lot, HistoryPage: one})
	require.Len(t, first.Holdings, 1000)
	require.Equal(t, api.Quantities{OnHand: 2006, Available: 2006}, first.Totals)
	rest := ledgertest.Do(w, api.TraceLot, api.TraceLotInput{LotID: lot, HistoryPage: one, HoldingsCursor: *first.NextHoldingsCursor})
	require.Len(t, rest.Holdings, 3)
	require.Equal(t, first.Totals, rest.Totals)
	require.Nil(t, rest.NextHoldingsCursor)
	refused := ledgertest.Refused(w, api.LotNotEmpty, api.ArchiveLot, api.LotInput{LotID: lot})
	require.EqualValues(t, 2006, refused.Details["onHand"])
}
