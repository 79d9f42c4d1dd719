package home

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/views/dock"
)

// stock counts the balances here, those with nothing available, and the
// products of which less is available here than their reorder point says.
func stock(ctx context.Context, site *dock.Site, _ time.Time) (tally, error) {
	limit := int64(500)
	list, err := dock.Ask(ctx, site, api.ReportSnapshot, api.ReportSnapshotInput{LocationID: site.Place().ID, Limit: &limit})
	if err != nil {
		return tally{}, err
	}
	var out int64
	available := map[api.ID]int64{}
	for _, r := range list.Items {
		available[r.ProductID] += r.Available
		if r.Available == 0 {
			out++
		}
	}
	t := tally{number: number(len(list.Items), list.NextCursor != nil), noun: "low"}
	t.cells[0] = t.number + " balances"
	t.cells[1] = say(out, "out of stock")
	if list.NextCursor == nil { // a part of the balances would make what is whole look low
		t.late, err = low(ctx, site, available)
	}
	return t, err
}

// low counts the products that are kept here and of which less is available
// than their reorder point; none where the catalogue cannot be read.
func low(ctx context.Context, site *dock.Site, available map[api.ID]int64) (n int64, err error) {
	if len(available) == 0 {
		return 0, nil
	}
	products, _, err := site.Products(ctx)
	if dock.Missing(err) || api.HasCode(err, api.InsufficientScope) {
		return 0, nil
	}
	for _, p := range products {
		if have, kept := available[p.ID]; kept && p.Status != api.Archived && p.ReorderPoint != nil && have < *p.ReorderPoint {
			n++
		}
	}
	return n, err
}
