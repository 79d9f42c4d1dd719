package session

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"

	"github.com/google/uuid"
)

// FindInbounds returns the inbounds with an ID, reference or external order, open ones
// first. It fails if there are none.
func (s *Site) FindInbounds(ctx context.Context, ref string) ([]api.Inbound, error) {
	return findDocuments(ctx, s, ref, inboundFinder(ctx, s, ref))
}

func inboundFinder(ctx context.Context, s *Site, ref string) docFinder[api.Inbound] {
	return docFinder[api.Inbound]{kind: api.KindInbound,
		get: func(id api.ID) (api.Inbound, error) {
			return Call(ctx, s, api.GetInbound, api.InboundInput{InboundID: id})
		},
		fromMatch: func(m api.Match) *api.Inbound { return m.Inbound },
		all: func() ([]api.Inbound, bool, error) {
			return fetchPages(func(page api.Page) (api.List[api.Inbound], error) {
				return Call(ctx, s, api.ListInbounds, api.ListInboundsInput{Page: page})
			})
		},
		open:    func() ([]api.Inbound, bool, error) { return s.Inbounds(ctx, Location{}) },
		matches: func(in *api.Inbound) bool { return names.MatchesRef(ref, in.ID, names.Inbound(in), in) },
		isOpen:  func(in *api.Inbound) bool { return in.Status.Open() }}
}

func transferFinder(ctx context.Context, s *Site, ref string) docFinder[api.Transfer] {
	return docFinder[api.Transfer]{kind: api.KindTransfer,
		get: func(id api.ID) (api.Transfer, error) {
			return Call(ctx, s, api.GetTransfer, api.TransferInput{TransferID: id})
		},
		fromMatch: func(m api.Match) *api.Transfer { return m.Transfer },
		all: func() ([]api.Transfer, bool, error) {
			return fetchPages(func(page api.Page) (api.List[api.Transfer], error) {
				return Call(ctx, s, api.ListTransfers, api.ListTransfersInput{Page: page})
			})
		},
		open:    func() ([]api.Transfer, bool, error) { return transfers(ctx, s, api.ListTransfersInput{}) },
		matches: func(t *api.Transfer) bool { return names.MatchesRef(ref, t.ID, names.Transfer(t), t) },
		isOpen:  func(t *api.Transfer) bool { return t.Status == api.TransferInTransit }}
}

// FindOutbounds returns the orders with an ID, reference or external order, open ones
// first. It fails if there are none. If the service has no lookup or list, it finds
// orders only by ID.
func (s *Site) FindOutbounds(ctx context.Context, ref string) ([]api.Outbound, error) {
	return findDocuments(ctx, s, ref, outboundFinder(ctx, s, ref))
}

func outboundFinder(ctx context.Context, s *Site, ref string) docFinder[api.Outbound] {
	return docFinder[api.Outbound]{kind: api.KindOutbound,
		get: func(id api.ID) (api.Outbound, error) {
			return Call(ctx, s, api.GetOutbound, api.OutboundInput{OutboundID: id})
		},
		fromMatch: func(m api.Match) *api.Outbound { return m.Outbound },
		all: func() ([]api.Outbound, bool, error) {
			return fetchPages(func(page api.Page) (api.List[api.Outbound], error) {
				return Call(ctx, s, api.ListOutbounds, api.ListOutboundsInput{Page: page})
			})
		},
		open:    func() ([]api.Outbound, bool, error) { return s.Outbounds(ctx, Location{}) },
		matches: func(o *api.Outbound) bool { return names.MatchesRef(ref, o.ID, names.Outbound(o), o) },
		isOpen:  func(o *api.Outbound) bool { return o.Status.Open() }}
}

// docFinder holds the ways to find documents of one kind. It has no methods, which would be
// compiled again in each package that mentions Site.
type docFinder[T any] struct {
	kind            api.Kind
	get             func(id api.ID) (T, error)
	fromMatch       func(m api.Match) *T
	open, all       func() (rows []T, more bool, err error)
	matches, isOpen func(doc *T) bool
}

// findDocuments returns the documents that ref means, open ones first.
func findDocuments[T any](ctx context.Context, s *Site, ref string, f docFinder[T]) ([]T, error) {
	docs, err := findAny(ctx, s, ref, f)
	slices.SortStableFunc(docs, func(a, b T) int {
		switch openA, openB := f.isOpen(&a), f.isOpen(&b); {
		case openA == openB:
			return 0
		case openA:
			return -1
		}

		return 1
	})

	return docs, err
}

// findAny reads the document by ID, else looks it up, else searches the lists.
func findAny[T any](ctx context.Context, s *Site, ref string, f docFinder[T]) ([]T, error) {
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

	docs, err := findInLists(f)
	if err == nil && len(docs) == 0 {
		err = notFoundError(s.T(), f.kind, ref)
	}

	return docs, err
}

// findInLists searches the lists, the open documents first.
func findInLists[T any](f docFinder[T]) (docs []T, err error) {
	for _, list := range []func() ([]T, bool, error){f.open, f.all} {
		rows, _, err := list()
		if IsUnsupported(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range rows {
			if f.matches(&rows[i]) {
				docs = append(docs, rows[i])
			}
		}

		if len(docs) > 0 {
			break
		}
	}

	return docs, nil
}

func parseID(ref string) (api.ID, bool) {
	id, err := uuid.Parse(ref)
	return id, err == nil && len(ref) == 36
}

// notFoundError is the error of a document that nobody knows.
func notFoundError(t *i18n.Translator, kind api.Kind, ref string) error {
	switch kind {
	case api.KindTransfer:
		return &NotFoundError{t.Get("There is no transfer %s here. Scan it again, or choose it from the list (esc).",
			ref)}
	case api.KindOutbound:
		return &NotFoundError{t.Get("There is no order %s here. Scan it again, or choose it from the list (esc).",
			ref)}
	}

	return &NotFoundError{t.Get("There is no delivery %s here. Scan it again, or choose it from the list (esc).", ref)}
}

// A NotFoundError reports a document that does not exist here.
type NotFoundError struct{ text string }

func (e *NotFoundError) Error() string { return e.text }
