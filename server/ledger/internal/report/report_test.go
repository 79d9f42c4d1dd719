package report_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// worldWithHistory returns a world with a long mixed history in which some terms are
// rare, and requests about it.
func worldWithHistory(t *testing.T, writes int) (*ledgertest.World, []api.ReportMovementsInput) {
	t.Helper()
	w := ledgertest.Open(t)
	products := []api.ID{w.Product("OAT-1L", api.TrackNone).ID, w.Product("RYE", api.TrackNone).ID, w.Product("NUT", api.TrackNone).ID}
	places := []api.ID{w.Location("WH-1").ID, w.Location("WH-2").ID, w.Location("ATTIC").ID}
	owners := []api.ID{{}, w.Owner("GUEST").ID}
	web := w.Channel("WEB").ID
	rnd := rand.New(rand.NewPCG(7, 7))
	for i := range writes {
		w.Clock.Advance(time.Second)
		product, at, owner, channel := products[rnd.IntN(2)], places[rnd.IntN(2)], owners[0], api.ID{}
		if rnd.IntN(90) == 0 {
			product = products[2]
		}
		if rnd.IntN(60) == 0 {
			at = places[2]
		}
		if rnd.IntN(120) == 0 {
			owner, channel = owners[1], web
		}
		adjust := func(state api.State, q int64) {
			ledgertest.Do(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at, OwnerID: owner, ChannelID: channel},
				InventoryState: state, QuantityDelta: q, Reason: "count"})
		}
		adjust(api.Available, 5)
		switch {
		case i%97 == 0:
			ledgertest.Do(w, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at, OwnerID: owner, ChannelID: channel}, Quantity: new(int64(2)), Reason: "broken"})
		case i%41 == 0:
			adjust(api.Damaged, 1)
		}
	}
	from, to := w.Clock.Now().Add(-time.Duration(writes/2)*time.Second), w.Clock.Now().Add(-time.Duration(writes/10)*time.Second)
	var requests []api.ReportMovementsInput
	for _, product := range []api.ID{{}, products[0], products[2]} {
		for _, at := range []api.ID{{}, places[0], places[2]} {
			for _, owner := range owners {
				for _, op := range []api.MovementOperation{"", api.OpAdjust, api.OpWriteOff, api.OpMoveState} {
					for _, state := range []api.State{"", api.Damaged, api.Available} {
						requests = append(requests, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: product, LocationID: at, OwnerID: owner}, Operation: op, InventoryState: state})
					}
				}
			}
		}
	}
	requests = append(requests, api.ReportMovementsInput{StockFilter: api.StockFilter{ChannelID: web}}, api.ReportMovementsInput{CreatedFrom: &from, CreatedTo: &to, Operation: api.OpWriteOff},
		api.ReportMovementsInput{CreatedFrom: &from, CreatedTo: &to, StockFilter: api.StockFilter{LocationID: places[2], OwnerID: owners[1]}}, api.ReportMovementsInput{CreatedTo: &from, InventoryState: api.Damaged})
	return w, requests
}

// pagesOf reads all pages of a report.
func pagesOf(w *ledgertest.World, in api.ReportMovementsInput, limit int64) (all []api.MovementRow, pages int) {
	for in.Limit = &limit; ; pages++ {
		page := ledgertest.Do(w, api.ReportMovements, in)
		all = append(all, page.Items...)
		if page.NextCursor == nil {
			return all, pages + 1
		}
		in.Cursor = *page.NextCursor
	}
}

// A filtered report equals the unfiltered report with the filter applied.
func TestReportMovements_MatchesFilteredList(t *testing.T) {
	t.Parallel()
	for _, writes := range []int{30, 255, 800} {
		w, requests := worldWithHistory(t, writes)
		whole, _ := pagesOf(w, api.ReportMovementsInput{}, 500)
		for i, in := range requests {
			is := func(want, is api.ID) bool { return want == api.ID{} || want == is }
			want := slices.DeleteFunc(slices.Clone(whole), func(m api.MovementRow) bool {
				return !is(in.ProductID, m.ProductID) || !is(in.LocationID, m.LocationID) || !is(in.OwnerID, m.OwnerID) || !is(in.ChannelID, m.ChannelID) ||
					in.Operation != "" && in.Operation != m.Operation || in.InventoryState != "" && in.InventoryState != m.InventoryState ||
					in.CreatedFrom != nil && m.CreatedAt.Before(*in.CreatedFrom) || in.CreatedTo != nil && !m.CreatedAt.Before(*in.CreatedTo)
			})
			got, pages := pagesOf(w, in, []int64{7, 50, 500}[i%3])
			require.Equal(t, len(want), len(got), "%d writes, %+v", writes, in)
			require.Equal(t, want, append([]api.MovementRow{}, got...), "%d writes, %+v", writes, in)
			require.LessOrEqual(t, pages, len(want)/int([]int64{7, 50, 500}[i%3])+2, "no page is cut short")
		}
	}
}

// A filtered snapshot equals the unfiltered one with the filter applied.
func TestReportSnapshot_MatchesFilteredList(t *testing.T) {
	t.Parallel()
	for _, writes := range []int{30, 800} {
		w, requests := worldWithHistory(t, writes)
		pages := func(in api.ReportSnapshotInput, limit int64) (all []api.SnapshotRow) {
			for in.Limit = &limit; ; {
				page := ledgertest.Do(w, api.ReportSnapshot, in)
				all = append(all, page.Items...)
				if page.NextCursor == nil {
					return all
				}
				in.Cursor = *page.NextCursor
			}
		}
		whole := pages(api.ReportSnapshotInput{}, 500)
		for _, request := range requests {
			in := api.ReportSnapshotInput{StockFilter: request.StockFilter,
				Operation: request.Operation, InventoryState: request.InventoryState}
			had := map[api.ID]bool{}
			if in.Operation != "" {
				moved, _ := pagesOf(w, api.ReportMovementsInput{Operation: in.Operation}, 500)
				for _, row := range whole {
					had[row.ID] = slices.ContainsFunc(moved, func(m api.MovementRow) bool {
						return m.ProductID == row.ProductID && m.LocationID == row.LocationID && m.OwnerID == row.OwnerID && m.ChannelID == row.ChannelID
					})
				}
			}
			is := func(want, is api.ID) bool { return want == api.ID{} || want == is }
			want := slices.DeleteFunc(slices.Clone(whole), func(x api.SnapshotRow) bool {
				return !is(in.ProductID, x.ProductID) || !is(in.LocationID, x.LocationID) || !is(in.OwnerID, x.OwnerID) || !is(in.ChannelID, x.ChannelID) ||
					in.Operation != "" && !had[x.ID] || in.InventoryState != "" && x.Quantities.Of(in.InventoryState) == 0
			})
			require.Equal(t, want, append([]api.SnapshotRow{}, pages(in, 3)...), "%d writes, %+v", writes, in)
		}
	}
}
