package apitest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var pagingTests = []test{
	{"pages neither repeat nor skip items", pagesComplete},
	{"invalid cursor is rejected", pagesCursor},
}

// A pager reads one page of a list. It returns the ids on the page and the next cursor.
type pager struct {
	name string
	page func(k *fixture, limit *int64, cursor string) ([]api.ID, *string)
	add  func(k *fixture, i int)
}

func page[I, T any](op api.Operation[I, api.List[T]], in func(*int64, string) I, id func(*T) api.ID) func(*fixture, *int64, string) ([]api.ID, *string) {
	return func(k *fixture, limit *int64, cursor string) (ids []api.ID, next *string) {
		k.Helper()
		list := do(k, op, in(limit, cursor))
		for i := range list.Items {
			ids = append(ids, id(&list.Items[i]))
		}
		return ids, list.NextCursor
	}
}

func pagers(k *fixture) []pager {
	place := func(p *api.Place) api.ID { return p.ID }
	places := func(l *int64, c string) api.ListPlacesInput {
		return api.ListPlacesInput{Page: api.Page{Limit: l, Cursor: c}}
	}
	inbound := func(k *fixture, _ int) { k.inbound(k.oats, 1) }
	stock := func(k *fixture, i int) { k.stock(k.product(fmt.Sprintf("P-%d", i)), k.wh, 1) }
	drill := k.tracked("DRILL", api.TrackSerial)
	serial := func(k *fixture, i int) { k.receiveLot(drill, 1, fmt.Sprintf("L-%d", i), nil, fmt.Sprintf("S-%d", i)) }

	return []pager{
		{"products", page(api.ListProducts, func(l *int64, c string) api.ListProductsInput {
			return api.ListProductsInput{Page: api.Page{Limit: l, Cursor: c}}
		},
			func(p *api.Product) api.ID { return p.ID }), func(k *fixture, i int) { k.product(fmt.Sprintf("Q-%d", i)) }},
		{"products by words", page(api.ListProducts, func(l *int64, c string) api.ListProductsInput {
			return api.ListProductsInput{Page: api.Page{Limit: l, Cursor: c}, TextFilter: api.TextFilter{Query: "r-1"}}
		}, func(p *api.Product) api.ID { return p.ID }), func(k *fixture, i int) { k.product(fmt.Sprintf("R-%d", i)) }},
		{"locations", page(api.ListLocations, places, place), func(k *fixture, i int) { k.location(fmt.Sprintf("L-%d", i)) }},
		{"owners", page(api.ListOwners, places, place), func(k *fixture, i int) {
			do(k, api.CreateOwner, api.CreatePlaceInput{Code: fmt.Sprint(i), Name: "O", Type: "x"})
		}},
		{"channels", page(api.ListChannels, places, place), func(k *fixture, i int) {
			do(k, api.CreateChannel, api.CreatePlaceInput{Code: fmt.Sprint(i), Name: "C", Type: "x"})
		}},
		{"inbounds", page(api.ListInbounds, func(l *int64, c string) api.ListInboundsInput {
			return api.ListInboundsInput{Page: api.Page{Limit: l, Cursor: c}}
		}, inboundID), inbound},
		{"inbounds by status", page(api.ListInbounds, func(l *int64, c string) api.ListInboundsInput {
			return api.ListInboundsInput{Page: api.Page{Limit: l, Cursor: c}, Status: api.InboundExpected}
		}, inboundID), inbound},
		{"inbounds by location", page(api.ListInbounds, func(l *int64, c string) api.ListInboundsInput {
			return api.ListInboundsInput{Page: api.Page{Limit: l, Cursor: c}, StockFilter: api.StockFilter{LocationID: k.wh}}
		}, inboundID), inbound},
		{"transfers", page(api.ListTransfers, func(l *int64, c string) api.ListTransfersInput {
			return api.ListTransfersInput{Page: api.Page{Limit: l, Cursor: c}}
		},
			func(t *api.Transfer) api.ID { return t.ID }), func(k *fixture, _ int) { k.transfer(1) }},
		{"outbounds", page(api.ListOutbounds, func(l *int64, c string) api.ListOutboundsInput {
			return api.ListOutboundsInput{Page: api.Page{Limit: l, Cursor: c}, StockFilter: api.StockFilter{ProductID: k.oats}}
		}, func(o *api.Outbound) api.ID { return o.ID }), func(k *fixture, _ int) { k.outbound(1) }},
		{"lots", page(api.ListLots, func(l *int64, c string) api.ListLotsInput {
			return api.ListLotsInput{Page: api.Page{Limit: l, Cursor: c}}
		},
			func(x *api.Lot) api.ID { return x.ID }), serial},
		{"serials", page(api.ListSerials, func(l *int64, c string) api.ListSerialsInput {
			return api.ListSerialsInput{Page: api.Page{Limit: l, Cursor: c}, ProductID: drill}
		}, func(s *api.Serial) api.ID { return s.ID }), func(k *fixture, i int) { serial(k, i+100) }},
		{"balances", page(api.ListBalances, func(l *int64, c string) api.ListBalancesInput {
			return api.ListBalancesInput{Page: api.Page{Limit: l, Cursor: c}, StockFilter: api.StockFilter{LocationID: k.wh}}
		}, func(b *api.Balance) api.ID { return b.ID }), stock},
		{"snapshot", page(api.ReportSnapshot, func(l *int64, c string) api.ReportSnapshotInput { return api.ReportSnapshotInput{Limit: l, Cursor: c} },
			func(r *api.SnapshotRow) api.ID { return r.ID }), func(k *fixture, i int) { stock(k, i+100) }},
		{"movements", page(api.ReportMovements, func(l *int64, c string) api.ReportMovementsInput {
			return api.ReportMovementsInput{Limit: l, Cursor: c}
		}, movementID), func(k *fixture, _ int) { k.stock(k.oats, k.wh, 1) }},
		{"movements of a product", page(api.ReportMovements, func(l *int64, c string) api.ReportMovementsInput {
			return api.ReportMovementsInput{Limit: l, Cursor: c, StockFilter: api.StockFilter{ProductID: k.oats}, InventoryState: api.Available}
		}, movementID), func(k *fixture, _ int) { k.stock(k.oats, k.wh, 1) }},
	}
}

func inboundID(in *api.Inbound) api.ID     { return in.ID }
func movementID(r *api.MovementRow) api.ID { return r.ID }

func pagesComplete(k *fixture) {
	for _, x := range pagers(k) {
		n := 0
		for ; n < 8; n++ {
			x.add(k, n)
		}

		var want, got []api.ID
		for cursor := ptr(""); cursor != nil; {
			ids, next := x.page(k, ptr(int64(100)), *cursor)
			want, cursor = append(want, ids...), next
		}

		cursor := ""
		for pages := 0; ; pages++ {
			require.Less(k, pages, 200, "%s: the pages do not end", x.name)
			ids, next := x.page(k, ptr(int64(3)), cursor)
			require.LessOrEqual(k, len(ids), 3, x.name)
			got = append(got, ids...)
			if next == nil {
				break
			}
			if len(ids) == 3 {
				require.Equal(k, ids[2].String(), *next, "%s: the cursor is the last item's id", x.name)
			}

			cursor = *next
			x.add(k, n)
			n++
		}

		require.Equal(k, want, got, x.name)
	}
}

func pagesCursor(k *fixture) {
	for _, cursor := range []string{"there", newID().String()} {
		for _, e := range []*api.Error{
			mustFail(k, api.InvalidCursor, api.ListProducts, api.ListProductsInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListLocations, api.ListPlacesInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListTransfers, api.ListTransfersInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListBalances, api.ListBalancesInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListLots, api.ListLotsInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ListSerials, api.ListSerialsInput{Page: api.Page{Cursor: cursor}}),
			mustFail(k, api.InvalidCursor, api.ReportMovements, api.ReportMovementsInput{Cursor: cursor}),
			mustFail(k, api.InvalidCursor, api.ReportSnapshot, api.ReportSnapshotInput{Cursor: cursor}),
		} {
			require.Contains(k, e.Message, cursor)
		}
	}
}
