package session

import (
	"context"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/names"
)

// searchLists searches for codes in the lists that every service has. It replaces
// Lookup if the service has none.
func (s *Site) searchLists(ctx context.Context, codes []string) (found []api.Match, err error) {
	if found, err = s.SearchDocuments(ctx, codes...); err != nil || len(found) > 0 {
		return found, err
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
			if count.SameCode(p.Code, code) {
				found = append(found, api.Match{Kind: api.KindLocation, ID: p.ID, Location: &api.Place{ID: p.ID, Code: p.Code, Name: p.Name}})
			}
		}
	}
	return found, err
}

// SearchDocuments searches for codes in the lists of documents. It finds orders only by
// ID.
func (s *Site) SearchDocuments(ctx context.Context, codes ...string) (found []api.Match, err error) {
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
			if names.MatchesRef(code, in.ID, names.Inbound(&in), &in) {
				found = append(found, api.Match{Kind: api.KindInbound, ID: in.ID, Inbound: &in})
			}
		}
		for _, t := range transfers {
			if names.MatchesRef(code, t.ID, names.Transfer(&t), &t) {
				found = append(found, api.Match{Kind: api.KindTransfer, ID: t.ID, Transfer: &t})
			}
		}
		if id, ok := parseID(code); ok && len(found) == 0 {
			if o, err := Call(ctx, s, api.GetOutbound, api.OutboundInput{OutboundID: id}); err == nil {
				found = append(found, api.Match{Kind: api.KindOutbound, ID: id, Outbound: &o})
			}
		}
	}
	return found, nil
}
