package session

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/names"
)

// Lookup returns the matches of the first code that has any. It is not an error if
// there are none.
func (s *Site) Lookup(ctx context.Context, codes ...string) ([]api.Match, error) {
	for _, code := range codes {
		out, err := Call(ctx, s, api.LookUp, api.LookupInput{Code: code})
		if err != nil {
			return nil, err
		}
		if len(out.Matches) > 0 {
			return out.Matches, nil
		}
		if found, err := lookUpDisplayName(ctx, s, code); err != nil || len(found) > 0 {
			return found, err
		}
	}

	return nil, nil
}

// displayName matches the display names of documents without a reference: "TR-6467BAC2".
var displayName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(IN|TR|OUT)-[0-9A-F]{8}$`)
})

// lookUpDisplayName returns the documents without a reference that have a display name,
// which the service does not know.
func lookUpDisplayName(ctx context.Context, s *Site, code string) (found []api.Match, err error) {
	kind := displayName().FindStringSubmatch(strings.TrimSpace(code))
	if kind == nil {
		return nil, nil
	}

	switch strings.ToUpper(kind[1]) {
	case "IN":
		return matchesInLists(inboundFinder(ctx, s, code), func(in *api.Inbound) api.Match {
			return api.Match{Kind: api.KindInbound, ID: in.ID, Inbound: in}
		})
	case "TR":
		return matchesInLists(transferFinder(ctx, s, code), func(t *api.Transfer) api.Match {
			return api.Match{Kind: api.KindTransfer, ID: t.ID, Transfer: t}
		})
	}

	return matchesInLists(outboundFinder(ctx, s, code), func(o *api.Outbound) api.Match {
		return api.Match{Kind: api.KindOutbound, ID: o.ID, Outbound: o}
	})
}

func matchesInLists[T any](f docFinder[T], match func(doc *T) api.Match) (found []api.Match, err error) {
	docs, err := findInLists(f)
	for i := range docs {
		found = append(found, match(&docs[i]))
	}
	return found, err
}

// searchLists searches for codes in the lists that every service has. It replaces
// Lookup if the service has none.
func searchLists(ctx context.Context, s *Site, codes []string) (found []api.Match, err error) {
	found, err = s.SearchDocuments(ctx, codes...)
	if err != nil || len(found) > 0 {
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
				found = append(found, api.Match{
					Kind:    api.KindProduct,
					ID:      g.ID,
					Product: &api.Product{ID: g.ID, SKU: g.SKU, Name: g.Name},
				})
			}
		}

		for _, p := range locations {
			if count.SameCode(p.Code, code) {
				found = append(found, api.Match{
					Kind:     api.KindLocation,
					ID:       p.ID,
					Location: &api.Place{ID: p.ID, Code: p.Code, Name: p.Name},
				})
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

	transfers, _, err := transfers(ctx, s, api.ListTransfersInput{})
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
