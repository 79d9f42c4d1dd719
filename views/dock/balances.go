package dock

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
)

// FindLocation finds a place by its code.
func (s *Site) FindLocation(ctx context.Context, code string) (Location, error) {
	places, err := s.Locations(ctx)
	if err != nil {
		return Location{}, err
	}
	for _, p := range places {
		if strings.EqualFold(p.Code, code) {
			return p, nil
		}
	}
	return Location{}, errors.New(s.T().Get("There is no location %s. Check the code, or choose a location with F6.", code))
}

// maxBalances is how many balances of a place are read at once.
const maxBalances = 1000

// Balances are those of a place, of one product where it is not zero.
func (s *Site) Balances(ctx context.Context, product, place api.ID) (out []api.Balance, err error) {
	limit := int64(100)
	in := api.ListBalancesInput{ProductID: product, LocationID: place, Limit: &limit}
	for {
		page, err := Call(ctx, s, api.ListBalances, in)
		if IsUnsupported(err) {
			return s.reportedBalances(ctx, product, place)
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

// reportedBalances are the balances as the snapshot report has them, without versions.
func (s *Site) reportedBalances(ctx context.Context, product, place api.ID) (out []api.Balance, err error) {
	limit := int64(500)
	in := api.ReportSnapshotInput{ProductID: product, LocationID: place, Limit: &limit}
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
