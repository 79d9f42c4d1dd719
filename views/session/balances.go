package session

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/views/count"
)

// maxBalances limits how many balances one call of Balances loads.
const maxBalances = 1000

// Balances returns the balances at a location, of one product unless product is zero.
// It fails if there are more than maxBalances.
func (s *Site) Balances(ctx context.Context, product, location api.ID) ([]api.Balance, error) {
	filter := api.StockFilter{ProductID: product, LocationID: location}
	rows, more, err := fetchRows(100, maxBalances, func(page api.Page) (api.List[api.Balance], error) {
		return Call(ctx, s, api.ListBalances, api.ListBalancesInput{StockFilter: filter, Page: page})
	})
	if IsUnsupported(err) {
		rows, more, err = reportedBalances(ctx, s, filter)
	}

	switch {
	case err != nil:
		return nil, err
	case more:
		return nil, s.T().NewError(
			"There are too many balances to load at once. Count single products: scan one on the first screen.")
	}

	return rows, nil
}

// reportedBalances returns the balances in the snapshot report, which have no
// versions. It replaces Balances if the service cannot list them.
func reportedBalances(ctx context.Context, s *Site, filter api.StockFilter) (out []api.Balance, more bool, err error) {
	rows, more, err := fetchRows(500, maxBalances, func(page api.Page) (api.List[api.SnapshotRow], error) {
		return Call(ctx, s, api.ReportSnapshot, api.ReportSnapshotInput{
			StockFilter: filter,
			Limit:       page.Limit,
			Cursor:      page.Cursor,
		})
	})

	for _, r := range rows {
		out = append(out, api.Balance{ID: r.ID, ProductID: r.ProductID, LocationID: r.LocationID, OwnerID: r.OwnerID,
			ChannelID: r.ChannelID, Quantities: r.Quantities, UpdatedAt: r.UpdatedAt,
			Product:  &api.ProductRef{ID: r.ProductID, SKU: r.ProductSKU, Name: r.ProductName},
			Location: &api.PlaceRef{ID: r.LocationID, Code: r.LocationCode, Name: r.LocationName}})
	}

	return out, more, err
}

// StockedItems returns the items in the snapshot report, which are all the products
// that are known without a catalog.
func (s *Site) StockedItems(ctx context.Context) ([]count.Item, error) {
	rows, _, err := snapshot(ctx, s)
	var out []count.Item
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(g count.Item) bool { return g.ID == r.ProductID }) {
			out = append(out, count.Item{ID: r.ProductID, SKU: r.ProductSKU, Name: r.ProductName})
		}
	}

	return out, err
}

func snapshot(ctx context.Context, s *Site) ([]api.SnapshotRow, bool, error) {
	return fetchPages(func(page api.Page) (api.List[api.SnapshotRow], error) {
		return Call(ctx, s, api.ReportSnapshot, api.ReportSnapshotInput{Limit: page.Limit, Cursor: page.Cursor})
	})
}
