package dock

import (
	"context"

	"bincard/server/api"
)

// FindInbounds returns the inbounds with an ID, reference or external order, open ones
// first. It fails if there are none.
func (s *Site) FindInbounds(ctx context.Context, ref string) ([]api.Inbound, error) {
	rows, err := findDocuments(ctx, s, ref, docFinder[api.Inbound]{kind: api.KindInbound,
		get: func(id api.ID) (api.Inbound, error) {
			return Call(ctx, s, api.GetInbound, api.InboundInput{InboundID: id})
		},
		fromMatch: func(m api.Match) *api.Inbound { return m.Inbound },
		all: func() ([]api.Inbound, error) {
			rows, _, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Inbound], error) {
				return Call(ctx, s, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: limit, Cursor: cursor}})
			})
			return rows, err
		},
		open: func() ([]api.Inbound, error) { rows, _, err := s.Inbounds(ctx, Location{}); return rows, err },
		matches: func(in *api.Inbound) bool {
			return matchesRef(ref, in.ID, InboundName(in), in)
		}})
	return openFirst(rows, func(in api.Inbound) bool { return in.Status.Open() }), err
}

// FindTransfers returns the transfers with an ID or reference, those in transit first.
// It fails if there are none.
func (s *Site) FindTransfers(ctx context.Context, ref string) ([]api.Transfer, error) {
	rows, err := findDocuments(ctx, s, ref, docFinder[api.Transfer]{kind: api.KindTransfer,
		get: func(id api.ID) (api.Transfer, error) {
			return Call(ctx, s, api.GetTransfer, api.TransferInput{TransferID: id})
		},
		fromMatch: func(m api.Match) *api.Transfer { return m.Transfer },
		all: func() ([]api.Transfer, error) {
			rows, _, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Transfer], error) {
				return Call(ctx, s, api.ListTransfers, api.ListTransfersInput{Page: api.Page{Limit: limit, Cursor: cursor}})
			})
			return rows, err
		},
		open: func() ([]api.Transfer, error) {
			rows, _, err := s.transfers(ctx, api.ListTransfersInput{})
			return rows, err
		},
		matches: func(t *api.Transfer) bool { return matchesRef(ref, t.ID, TransferName(t), t) }})
	return openFirst(rows, func(t api.Transfer) bool { return t.Status == api.TransferInTransit }), err
}

// FindOutbounds returns the orders with an ID, reference or external order, open ones
// first. It fails if there are none. If the service has no lookup or list, it finds
// orders only by ID.
func (s *Site) FindOutbounds(ctx context.Context, ref string) ([]api.Outbound, error) {
	rows, err := findDocuments(ctx, s, ref, docFinder[api.Outbound]{kind: api.KindOutbound,
		get: func(id api.ID) (api.Outbound, error) {
			return Call(ctx, s, api.GetOutbound, api.OutboundInput{OutboundID: id})
		},
		fromMatch: func(m api.Match) *api.Outbound { return m.Outbound },
		all: func() ([]api.Outbound, error) {
			rows, _, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Outbound], error) {
				return Call(ctx, s, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Limit: limit, Cursor: cursor}})
			})
			return rows, err
		},
		open: func() ([]api.Outbound, error) { rows, _, err := s.Outbounds(ctx, Location{}); return rows, err },
		matches: func(o *api.Outbound) bool {
			return matchesRef(ref, o.ID, OutboundName(o), o)
		}})
	return openFirst(rows, func(o api.Outbound) bool { return o.Status.Open() }), err
}

// docFinder holds the ways to find documents of one kind.
type docFinder[T any] struct {
	kind      api.Kind
	get       func(id api.ID) (T, error)
	fromMatch func(m api.Match) *T
	open, all func() ([]T, error)
	matches   func(doc *T) bool
}

// findDocuments reads the document by ID, else looks it up, else searches the lists.
func findDocuments[T any](ctx context.Context, s *Site, ref string, f docFinder[T]) ([]T, error) {
	if id, ok := parseID(ref); ok {
		doc, err := f.get(id)
		switch {
		case err == nil:
			return []T{doc}, nil
		case api.HasCode(err, api.NotFound):
			return nil, notFoundError(s.T(), f.kind, ref)
		case !IsUnsupported(err):
			return nil, err
		}
	} else {
		found, err := Call(ctx, s, api.LookUp, api.LookupInput{Code: ref, Kind: f.kind})
		if err != nil && !IsUnsupported(err) {
			return nil, err
		}
		var docs []T
		for _, m := range found.Matches {
			if doc := f.fromMatch(m); doc != nil {
				docs = append(docs, *doc)
			}
		}
		if len(docs) > 0 {
			return docs, nil
		}
	}
	for _, list := range []func() ([]T, error){f.open, f.all} {
		rows, err := list()
		if IsUnsupported(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var docs []T
		for i := range rows {
			if f.matches(&rows[i]) {
				docs = append(docs, rows[i])
			}
		}
		if len(docs) > 0 {
			return docs, nil
		}
	}
	return nil, notFoundError(s.T(), f.kind, ref)
}

func openFirst[T any](rows []T, open func(T) bool) []T {
	var first, last []T
	for _, r := range rows {
		if open(r) {
			first = append(first, r)
		} else {
			last = append(last, r)
		}
	}
	return append(first, last...)
}
