package dock

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
)

// FindLocation returns the location with a code, ignoring case.
func (s *Site) FindLocation(ctx context.Context, code string) (Location, error) {
	locations, err := s.Locations(ctx)
	if err != nil {
		return Location{}, err
	}
	for _, l := range locations {
		if strings.EqualFold(l.Code, code) {
			return l, nil
		}
	}
	return Location{}, errors.New(s.T().Get("There is no location %s. Check the code, or choose a location with F6.", code))
}

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
