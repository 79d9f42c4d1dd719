package dock

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bincard/server/api"
)

// searchLists searches for codes in the lists that every service has. It replaces
// Lookup if the service has none.
func (s *Site) searchLists(ctx context.Context, codes []string) (found []api.Match, err error) {
	inbounds, _, err := s.Inbounds(ctx, Location{})
	if err != nil {
		return nil, err
	}
	transfers, _, err := s.transfers(ctx, api.ListTransfersInput{})
	if err != nil {
		return nil, err
	}
	for _, code := range codes {
		for _, in := range inbounds {
			if matchesRef(code, in.ID, InboundName(&in), &in) {
				found = append(found, api.Match{Kind: api.KindInbound, ID: in.ID, Inbound: &in})
			}
		}
		for _, t := range transfers {
			if matchesRef(code, t.ID, TransferName(&t), &t) {
				found = append(found, api.Match{Kind: api.KindTransfer, ID: t.ID, Transfer: &t})
			}
		}
		if id, ok := parseID(code); ok && len(found) == 0 {
			if o, err := Call(ctx, s, api.GetOutbound, api.OutboundInput{OutboundID: id}); err == nil {
				found = append(found, api.Match{Kind: api.KindOutbound, ID: id, Outbound: &o})
			}
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	items, err := s.StockedItems(ctx)
	if err != nil {
		return nil, err
	}
	locations, err := s.Locations(ctx)
	for _, code := range codes {
		for _, g := range items {
			if _, _, ok := g.MatchCode(s.T(), code); ok {
				found = append(found, api.Match{Kind: api.KindProduct, ID: g.ID, Product: &api.Product{ID: g.ID, SKU: g.SKU, Name: g.Name}})
			}
		}
		for _, p := range locations {
			if sameCode(p.Code, code) {
				found = append(found, api.Match{Kind: api.KindLocation, ID: p.ID, Location: &api.Place{ID: p.ID, Code: p.Code, Name: p.Name}})
			}
		}
	}
	return found, err
}

// StockedItems returns the items in the snapshot report, which are all the products
// that are known without a catalog.
func (s *Site) StockedItems(ctx context.Context) ([]Item, error) {
	rows, _, err := s.snapshot(ctx)
	var out []Item
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(g Item) bool { return g.ID == r.ProductID }) {
			out = append(out, Item{ID: r.ProductID, SKU: r.ProductSKU, Name: r.ProductName})
		}
	}
	return out, err
}

func (s *Site) snapshot(ctx context.Context) ([]api.SnapshotRow, bool, error) {
	return fetchPages(func(limit *int64, cursor string) (api.List[api.SnapshotRow], error) {
		return Call(ctx, s, api.ReportSnapshot, api.ReportSnapshotInput{Limit: limit, Cursor: cursor})
	})
}

// Locations returns the locations, sorted by code. If the service cannot list them, it
// returns those that stock and documents name.
func (s *Site) Locations(ctx context.Context) ([]Location, error) {
	rows, _, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Place], error) {
		return Call(ctx, s, api.ListLocations, api.ListPlacesInput{Page: api.Page{Limit: limit, Cursor: cursor}})
	})
	var out []Location
	add := func(p Location) {
		if p.IsSet() && !slices.ContainsFunc(out, func(x Location) bool { return x.ID == p.ID }) {
			out = append(out, p)
		}
	}
	if err == nil {
		for _, r := range rows {
			add(Location{ID: r.ID, Code: r.Code, Name: r.Name})
		}
	}
	if IsUnsupported(err) {
		var snap []api.SnapshotRow
		snap, _, err = s.snapshot(ctx)
		for _, r := range snap {
			add(Location{ID: r.LocationID, Code: r.LocationCode, Name: r.LocationName})
		}
		inbounds, _, inboundErr := s.Inbounds(ctx, Location{})
		for _, in := range inbounds {
			add(LocationOf(in.Location))
		}
		transfers, _, transferErr := s.transfers(ctx, api.ListTransfersInput{})
		for _, t := range transfers {
			add(LocationOf(t.SourceLocation))
			add(LocationOf(t.DestinationLocation))
		}
		if len(out) > 0 {
			err = nil
		} else if err == nil {
			err = errors.Join(inboundErr, transferErr)
		}
	}
	slices.SortFunc(out, func(a, b Location) int { return cmp.Compare(a.Code, b.Code) })
	return out, err
}
