package session

import (
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/views/count"
)

// maxBalances limits how many balances one call of Balances loads.
const maxBalances = 1000

// Balances returns the balances at a location, of one product unless product is zero.
// It fails if there are more than maxBalances.
func (s *Site) Balances(ctx context.Context, product, location api.ID) (out []api.Balance, err error) {
	limit := int64(100)
	in := api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}, Page: api.Page{Limit: &limit}}
	for {
		page, err := Call(ctx, s, api.ListBalances, in)
		if IsUnsupported(err) {
			return s.reportedBalances(ctx, product, location)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, page.Items...)
		if page.NextCursor == nil {
			return out, nil
		}
		if len(out) >= maxBalances {
			return nil, errors.New(s.T().Get("There are too many balances to load at once. Count single products: scan one on the first screen."))
		}
		in.Cursor = *page.NextCursor
	}
}

// reportedBalances returns the balances in the snapshot report, which have no
// versions. It replaces Balances if the service cannot list them.
func (s *Site) reportedBalances(ctx context.Context, product, location api.ID) (out []api.Balance, err error) {
	limit := int64(500)
	in := api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}, Limit: &limit}
	for {
		page, err := Call(ctx, s, api.ReportSnapshot, in)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Items {
			out = append(out, api.Balance{ID: r.ID, ProductID: r.ProductID, LocationID: r.LocationID, OwnerID: r.OwnerID,
				ChannelID: r.ChannelID, Quantities: r.Quantities, UpdatedAt: r.UpdatedAt,
				Product:  &api.ProductRef{ID: r.ProductID, SKU: r.ProductSKU, Name: r.ProductName},
				Location: &api.PlaceRef{ID: r.LocationID, Code: r.LocationCode, Name: r.LocationName}})
		}
		if page.NextCursor == nil {
			return out, nil
		}
		if len(out) >= maxBalances {
			return nil, errors.New(s.T().Get("There are too many balances to load at once. Count single products: scan one on the first screen."))
		}
		in.Cursor = *page.NextCursor
	}
}

// StockedItems returns the items in the snapshot report, which are all the products
// that are known without a catalog.
func (s *Site) StockedItems(ctx context.Context) ([]count.Item, error) {
	rows, _, err := s.snapshot(ctx)
	var out []count.Item
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(g count.Item) bool { return g.ID == r.ProductID }) {
			out = append(out, count.Item{ID: r.ProductID, SKU: r.ProductSKU, Name: r.ProductName})
		}
	}
	return out, err
}

func (s *Site) snapshot(ctx context.Context) ([]api.SnapshotRow, bool, error) {
	return fetchPages(func(page api.Page) (api.List[api.SnapshotRow], error) {
		return Call(ctx, s, api.ReportSnapshot, api.ReportSnapshotInput{Limit: page.Limit, Cursor: page.Cursor})
	})
}
