package confirm

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
)

// A document is what a row shows of its document. A document that the service does not name
// has only a reference.
type document struct {
	id                            api.ID
	created                       time.Time
	reference, order              string
	supplier, supplierReference   string
	customer, source, destination string
	sscc                          string
	details                       api.InboundDetails
	products                      []api.ID
	lines                         map[api.ID]string // the sender's number of the only line of each product
}

// documentOf returns the document of a movement. kind is "" for a movement without one, and
// id is zero if the service does not name it.
func documentOf(m *api.MovementRow) (kind api.DocumentKind, id api.ID) {
	if m.Operation != api.OpReceive {
		return m.Operation.Document(), m.DocumentID
	}
	if id, err := uuid.Parse(m.ReferenceID); err == nil &&
		m.ReferenceType == string(api.DocInbound) { // an over-receipt
		return api.DocInbound, id
	}
	return "", api.NoID
}

// documents reads documents and keeps those that it read last.
type documents struct {
	svc    api.Service
	known  map[api.ID]*document
	looked map[string]bool
}

// maxKnown is how many documents are kept.
const maxKnown = 20_000

// read returns a document.
func (c *documents) read(ctx context.Context, kind api.DocumentKind, id api.ID, reference string) (*document, error) {
	if id == api.NoID {
		return &document{reference: reference}, nil
	}
	if d := c.known[id]; d != nil {
		return d, nil
	}

	if key := string(kind) + " " + reference; !c.looked[key] &&
		reference != id.String() { // the other lines are needed soon
		c.look(key)
		found, err := api.LookUp.Call(ctx, c.svc, api.LookupInput{Code: reference, Kind: api.Kind(kind)})
		if err != nil && !api.HasCode(err, api.NotFound) && !api.HasCode(err, api.NotImplemented) {
			return nil, err
		}
		for i := range found.Matches {
			c.keep(matchDocument(&found.Matches[i]))
		}
		if d := c.known[id]; d != nil {
			return d, nil
		}
	}

	doc, err := api.ReadDocument(ctx, c.svc, kind, id)
	if api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) {
		return c.keep(&document{id: id, reference: reference}), nil
	}
	if err != nil {
		return nil, err
	}

	return c.keep(newDocument(doc)), nil
}

func (c *documents) look(key string) {
	if c.looked == nil || len(c.looked) >= maxKnown {
		c.looked = map[string]bool{}
	}
	c.looked[key] = true
}

func (c *documents) keep(d *document) *document {
	if d == nil {
		return nil
	}
	if c.known == nil || len(c.known) >= maxKnown {
		c.known = map[api.ID]*document{}
	}
	c.known[d.id] = d
	return d
}

// find returns the documents that a query names.
func (c *documents) find(ctx context.Context, q Query) (list []*document, err error) {
	kinds := []api.DocumentKind{api.DocInbound, api.DocTransfer}
	if q.Report == Shipments {
		kinds = []api.DocumentKind{api.DocOutbound, api.DocTransfer}
	}

	text := q.Reference
	if text == "" {
		text = q.Order
	}

	for _, kind := range kinds {
		all, err := c.search(ctx, kind, text)
		if err != nil {
			return nil, err
		}

		for _, d := range all {
			if (q.Reference == "" || sameText(d.reference, q.Reference)) &&
				(q.Order == "" || sameText(d.order, q.Order)) {
				list = append(list, c.keep(d))
			}
		}
	}

	if len(list) == 0 {
		what := "the reference " + q.Reference
		if q.Reference == "" {
			what = "the order " + q.Order
		}
		err = fmt.Errorf("there is no document with %s for %s", what, q.Report)
	}

	return list, err
}

func sameText(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// manyMatches is how many documents a lookup of one kind returns at most.
const manyMatches = 100

// search returns the documents of a kind that a text may mean: those that the service looks
// up, or those whose texts contain it if these are not all.
func (c *documents) search(ctx context.Context, kind api.DocumentKind, text string) (all []*document, err error) {
	found, err := api.LookUp.Call(ctx, c.svc, api.LookupInput{Code: text, Kind: api.Kind(kind)})
	if err == nil && len(found.Matches) < manyMatches {
		for i := range found.Matches {
			if d := matchDocument(&found.Matches[i]); d != nil {
				all = append(all, d)
			}
		}

		return all, nil
	}

	if err != nil && !api.HasCode(err, api.NotFound) && !api.HasCode(err, api.NotImplemented) {
		return nil, err
	}

	many := int64(manyMatches)
	page := api.Page{Limit: &many}
	filter := api.TextFilter{Query: text}
	for {
		var next *string
		switch kind {
		case api.DocInbound:
			next, err = addPage(ctx, c.svc, api.ListInbounds, api.ListInboundsInput{TextFilter: filter, Page: page},
				func(d *api.Inbound) { all = append(all, newDocument(d)) })
		case api.DocOutbound:
			next, err = addPage(ctx, c.svc, api.ListOutbounds, api.ListOutboundsInput{TextFilter: filter, Page: page},
				func(d *api.Outbound) { all = append(all, newDocument(d)) })
		default:
			next, err = addPage(ctx, c.svc, api.ListTransfers, api.ListTransfersInput{TextFilter: filter, Page: page},
				func(d *api.Transfer) { all = append(all, newDocument(d)) })
		}

		if err != nil || next == nil {
			return all, err
		}

		page.Cursor = *next
	}
}

func addPage[I, T any](
	ctx context.Context,
	svc api.Service,
	op api.Operation[I, api.List[T]],
	in I,
	add func(*T),
) (next *string, err error) {
	list, err := op.Call(ctx, svc, in)
	for i := range list.Items {
		add(&list.Items[i])
	}
	return list.NextCursor, err
}

func matchDocument(m *api.Match) *document {
	switch {
	case m.Inbound != nil:
		return newDocument(m.Inbound)
	case m.Outbound != nil:
		return newDocument(m.Outbound)
	case m.Transfer != nil:
		return newDocument(m.Transfer)
	}

	return nil
}

func newDocument(doc api.StockDocument) *document {
	d := &document{lines: map[api.ID]string{}}
	for _, reference := range doc.References() {
		if d.reference = strings.TrimSpace(reference); d.reference != "" {
			break
		}
	}

	switch x := doc.(type) {
	case *api.Inbound:
		a := api.AnnouncedIn(x.Metadata)
		d.id, d.created, d.order, d.supplier, d.supplierReference = x.ID, x.CreatedAt, x.ExternalOrderID, x.SupplierName, x.SupplierReference
		d.details, d.sscc, d.products, d.lines[x.ProductID] = x.InboundDetails, a.SSCC, []api.ID{x.ProductID}, a.Line
	case *api.Outbound:
		d.id, d.created, d.order, d.customer = x.ID, x.CreatedAt, x.ExternalOrderID, x.CustomerName
		d.addLines(x, api.AnnouncedIn(x.Metadata).Lines)
	case *api.Transfer:
		_, d.source = x.SourceLocation.NameAndCode()
		_, d.destination = x.DestinationLocation.NameAndCode()
		d.id = x.ID
		d.created = x.CreatedAt
		d.products = []api.ID{
			x.ProductID,
		}
		d.lines[x.ProductID] = api.AnnouncedIn(x.Metadata).Line
	}

	return d
}

// addLines adds the products of an outbound, and the number of the line of each product that
// has only one.
func (d *document) addLines(o *api.Outbound, numbers []string) {
	count := map[api.ID]int{}
	for i := range o.Lines {
		id := o.Lines[i].ProductID
		if count[id]++; count[id] == 1 {
			d.products = append(d.products, id)
			if i < len(numbers) {
				d.lines[id] = numbers[i]
			}
		} else {
			delete(d.lines, id)
		}
	}
}
