package intake

import (
	"context"
	"strings"
	"sync"

	"bincard/server/api"
)

// An existingLine is a line of a document that the service has.
type existingLine struct {
	header
	documentLine
	digest    string // of the import that created it
	status    string
	cancelled bool
	done      int64 // how much was received, fulfilled or shipped
}

// A finder finds the existing documents of one kind by reference. Several goroutines may use
// it.
type finder struct {
	svc  api.Service
	kind Kind
	// all reads the lines of all documents, once, if the service cannot look up a reference.
	all func(ctx context.Context) (map[string][]existingLine, error)
}

func newFinder(svc api.Service, kind Kind) *finder {
	f := &finder{svc: svc, kind: kind}
	var mu sync.Mutex
	var known map[string][]existingLine
	f.all = func(ctx context.Context) (map[string][]existingLine, error) {
		mu.Lock()
		defer mu.Unlock()
		if known != nil {
			return known, nil
		}

		lines, err := f.list(ctx, "")
		if err != nil {
			return nil, err
		}

		known = map[string][]existingLine{}
		for _, l := range lines {
			known[foldName(l.reference)] = append(known[foldName(l.reference)], l)
		}

		return known, nil
	}

	return f
}

// manyMatches is how many documents a lookup of one kind returns at most.
const manyMatches = 100

// find returns the lines of the documents with a reference.
func (f *finder) find(ctx context.Context, reference string) (lines []existingLine, err error) {
	kinds := map[Kind]api.Kind{Inbounds: api.KindInbound, Outbounds: api.KindOutbound, Transfers: api.KindTransfer}
	found, err := api.LookUp.Call(ctx, f.svc, api.LookupInput{Code: reference, Kind: kinds[f.kind]})
	switch {
	case api.HasCode(err, api.NotFound), api.HasCode(err, api.NotImplemented), api.HasCode(err, api.MethodNotAllowed):
		known, err := f.all(ctx)
		return known[foldName(reference)], err
	case err != nil:
		return nil, err
	case len(found.Matches) >= manyMatches:
		lines, err = f.list(ctx, reference)
	default:
		for _, m := range found.Matches {
			switch {
			case m.Inbound != nil:
				lines = append(lines, inboundLine(m.Inbound))
			case m.Outbound != nil:
				lines = append(lines, outboundLines(m.Outbound)...)
			case m.Transfer != nil:
				lines = append(lines, transferLine(m.Transfer))
			}
		}
	}

	var same []existingLine // a lookup also finds orders and suppliers' references
	for _, l := range lines {
		if strings.EqualFold(strings.TrimSpace(l.reference), strings.TrimSpace(reference)) {
			same = append(same, l)
		}
	}

	return same, err
}

// list returns the lines of all documents whose texts contain query.
func (f *finder) list(ctx context.Context, query string) (lines []existingLine, err error) {
	text := api.TextFilter{Query: query}
	page := func(cursor string) api.Page { return api.Page{Limit: pageLimit(), Cursor: cursor} }
	switch f.kind {
	case Inbounds:
		err = readAll(ctx, f.svc, api.ListInbounds, func(cursor string) api.ListInboundsInput {
			return api.ListInboundsInput{TextFilter: text, Page: page(cursor)}
		}, func(in api.Inbound) { lines = append(lines, inboundLine(&in)) })
	case Outbounds:
		err = readAll(ctx, f.svc, api.ListOutbounds, func(cursor string) api.ListOutboundsInput {
			return api.ListOutboundsInput{TextFilter: text, Page: page(cursor)}
		}, func(o api.Outbound) { lines = append(lines, outboundLines(&o)...) })
	case Transfers:
		err = readAll(ctx, f.svc, api.ListTransfers, func(cursor string) api.ListTransfersInput {
			return api.ListTransfersInput{TextFilter: text, Page: page(cursor)}
		}, func(t api.Transfer) { lines = append(lines, transferLine(&t)) })
	}

	return lines, err
}

func newExistingLine(doc api.StockDocument, id api.ID, product *api.ProductRef, a api.Announced) existingLine {
	l := existingLine{digest: a.Digest}
	for _, reference := range doc.References() {
		if l.reference = strings.TrimSpace(reference); l.reference != "" {
			break
		}
	}

	l.product = &api.Product{ID: id}
	if product != nil {
		l.product.SKU = product.SKU
	}

	l.lineKey = lineKey{product: id, line: a.Line, sscc: a.SSCC, lot: a.LotCode}
	l.batch, l.expires, l.serials = a.BatchCode, a.ExpiresAt, a.SerialNumbers

	return l
}

func placeOf(id api.ID, ref *api.PlaceRef) *api.Place {
	p := &api.Place{ID: id}
	if ref != nil {
		p.Code = ref.Code
	}
	return p
}

func inboundLine(in *api.Inbound) existingLine {
	l := newExistingLine(in, in.ProductID, in.Product, api.AnnouncedIn(in.Metadata))
	l.location = placeOf(in.LocationID, in.Location)
	l.owner = placeOf(in.OwnerID, in.Owner)
	l.channel = placeOf(in.ChannelID, in.Channel)
	l.party, l.partyReference, l.order, l.due = in.SupplierName, in.SupplierReference, in.ExternalOrderID, in.ExpectedAt
	l.details = in.InboundDetails
	l.status, l.cancelled = string(in.Status), in.Status == api.InboundCancelled
	l.quantity, l.done = in.ExpectedQuantity, in.ReceivedQuantity

	return l
}

func transferLine(t *api.Transfer) existingLine {
	l := newExistingLine(t, t.ProductID, t.Product, api.AnnouncedIn(t.Metadata))
	l.location = placeOf(t.SourceLocationID, t.SourceLocation)
	l.destination = placeOf(t.DestinationLocationID, t.DestinationLocation)
	l.owner, l.channel = placeOf(t.OwnerID, t.Owner), placeOf(t.ChannelID, t.Channel)
	l.status, l.cancelled = string(t.Status), t.Status == api.TransferCancelled
	l.quantity, l.done = t.Quantity, t.ShippedQuantity
	return l
}

// outboundLines returns the lines of an outbound, with the numbers that were imported with
// them.
func outboundLines(o *api.Outbound) (lines []existingLine) {
	a := api.AnnouncedIn(o.Metadata)
	for i := range o.Lines {
		x := &o.Lines[i]
		l := newExistingLine(o, x.ProductID, x.Product, a)
		if i < len(a.Lines) {
			l.line = a.Lines[i]
		}

		l.location = placeOf(o.LocationID, o.Location)
		l.owner = placeOf(o.OwnerID, o.Owner)
		l.channel = placeOf(o.ChannelID, o.Channel)
		l.party, l.order, l.due = o.CustomerName, o.ExternalOrderID, o.ExpectedShipAt
		l.status, l.cancelled = string(o.Status), o.Status == api.OutboundCancelled
		l.quantity, l.done = x.RequestedQuantity, x.FulfilledQuantity
		lines = append(lines, l)
	}

	return lines
}
