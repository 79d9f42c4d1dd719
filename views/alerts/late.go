package alerts

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/session"
)

// IsInboundLate reports whether an open inbound is past its due date.
func IsInboundLate(in *api.Inbound, now time.Time) bool {
	due := in.Due(now.Location())
	return in.Status.Open() && due != nil && due.Before(now)
}

// FirstDue returns the open inbound of a delivery that is due first, or else the first one.
func FirstDue(d session.Delivery[api.Inbound]) *api.Inbound {
	var first *api.Inbound
	for i := range d.Lines {
		in := &d.Lines[i]
		if in.Status.Open() &&
			(first == nil || in.ExpectedAt != nil && (first.ExpectedAt == nil || in.Due(time.UTC).Before(*first.Due(time.UTC)))) {
			first = in
		}
	}

	return cmp.Or(first, &d.Lines[0])
}

// IsOutboundLate reports whether an open order is past its ship date.
func IsOutboundLate(o *api.Outbound, now time.Time) bool {
	due := o.Due(now.Location())
	return o.Status.Open() && due != nil && due.Before(now)
}

// A LateDocument is an open document past its due date.
type LateDocument struct {
	Job      string    `json:"job"` // "receive", "fulfill"
	Name     string    `json:"document"`
	Item     string    `json:"productName"` // the names of all products
	Party    string    `json:"party"`       // supplier or customer
	Location string    `json:"locationCode"`
	Since    time.Time `json:"dueAt"`
	Pending  int64     `json:"pending"`
	Route    string    `json:"-"`

	// Summary is the product, or how many lines are to go.
	Summary string `json:"-"`
	// Delivery and Outbound are the document; one of them is empty.
	Delivery session.Delivery[api.Inbound] `json:"-"`
	Outbound *api.Outbound                 `json:"-"`

	id api.ID
}

// LateDelivery describes a delivery and reports whether it is late.
func LateDelivery(t *i18n.Translator, d session.Delivery[api.Inbound], now time.Time) (doc LateDocument, late bool) {
	first := FirstDue(d)
	if !IsInboundLate(first, now) {
		return doc, false
	}

	doc = LateDocument{
		Job:      "receive",
		Name:     names.Inbound(first),
		Party:    first.SupplierName,
		Location: names.LocationCode(first.Location),
		Since:    *first.Due(now.Location()),
		Route:    tui.Path("receive", first.ID.String()),
		Delivery: d,
		id:       first.ID,
	}

	var items []string
	for i := range d.Lines {
		if in := &d.Lines[i]; in.Status.Open() && in.Pending() > 0 {
			doc.Pending += in.Pending()
			items = append(items, names.ProductName(in.Product))
		}
	}

	doc.setItems(t, items)

	return doc, true
}

// LateOrder describes an order and reports whether it is late.
func LateOrder(t *i18n.Translator, o *api.Outbound, now time.Time) (doc LateDocument, late bool) {
	if !IsOutboundLate(o, now) {
		return doc, false
	}

	doc = LateDocument{
		Job:      "fulfill",
		Name:     names.Outbound(o),
		Party:    o.CustomerName,
		Location: names.LocationCode(o.Location),
		Since:    *o.Due(now.Location()),
		Pending:  o.RequestedQuantity - o.FulfilledQuantity,
		Route:    tui.Path("fulfill", o.ID.String()),
		Outbound: o,
		id:       o.ID,
	}

	var items []string
	for _, l := range o.Lines {
		if l.RequestedQuantity > l.FulfilledQuantity {
			items = append(items, names.ProductName(l.Product))
		}
	}

	if len(o.Lines) == 0 { // an order without lines has a single product
		items = []string{names.ProductName(o.Product)}
	}

	doc.setItems(t, items)

	return doc, true
}

// setItems sets the names of what is to go.
func (d *LateDocument) setItems(t *i18n.Translator, items []string) {
	d.Item = strings.Join(items, ", ")
	if d.Summary = d.Item; len(items) > 1 {
		d.Summary = t.Get("%d lines to go", len(items))
	}
}

// LateDocuments returns the late deliveries and orders at a location (anywhere for the
// zero location), the most overdue first. more reports whether some documents were not
// checked. If the service does not list orders, it returns only deliveries.
func LateDocuments(
	ctx context.Context,
	site *session.Site,
	at session.Location,
	now time.Time,
) (rows []LateDocument, more bool, err error) {
	in, more, err := site.Inbounds(ctx, at)
	if err != nil {
		return nil, false, err
	}
	for _, d := range session.Deliveries(in) {
		if doc, late := LateDelivery(site.T(), d, now); late {
			rows = append(rows, doc)
		}
	}

	out, cut, err := site.Outbounds(ctx, at)
	if err != nil && !session.IsUnsupported(err) {
		return nil, false, err
	}
	for i := range out {
		if doc, late := LateOrder(site.T(), &out[i], now); late {
			rows = append(rows, doc)
		}
	}

	slices.SortStableFunc(rows, CompareLate)

	return rows, more || cut, nil
}

// CompareLate orders late documents, the most overdue first.
func CompareLate(a, b LateDocument) int { return a.due().Compare(b.due()) }

// due returns what the document is ordered by.
func (d *LateDocument) due() session.Due {
	return session.Due{At: &d.Since, Reference: d.Name, ID: d.id}
}
