package session

import (
	"context"
	"regexp"
	"strings"

	"bincard/server/api"
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
		if found, err := s.lookUpDisplayName(ctx, code); err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// displayName matches the display names of documents without a reference: "TR-6467BAC2".
var displayName = regexp.MustCompile(`(?i)^(IN|TR|OUT)-[0-9A-F]{8}$`)

// lookUpDisplayName returns the documents without a reference that have a display name,
// which the service does not know.
func (s *Site) lookUpDisplayName(ctx context.Context, code string) (found []api.Match, err error) {
	kind := displayName.FindStringSubmatch(strings.TrimSpace(code))
	if kind == nil {
		return nil, nil
	}
	switch strings.ToUpper(kind[1]) {
	case "IN":
		return matchesInLists(s.inboundFinder(ctx, code), func(in *api.Inbound) api.Match {
			return api.Match{Kind: api.KindInbound, ID: in.ID, Inbound: in}
		})
	case "TR":
		return matchesInLists(s.transferFinder(ctx, code), func(t *api.Transfer) api.Match {
			return api.Match{Kind: api.KindTransfer, ID: t.ID, Transfer: t}
		})
	}
	return matchesInLists(s.outboundFinder(ctx, code), func(o *api.Outbound) api.Match {
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
