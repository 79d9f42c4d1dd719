package alerts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/names"
	"bincard/views/session"
)

// IsInboundLate reports whether an open inbound is past its due date.
func IsInboundLate(in *api.Inbound, now time.Time) bool {
	return in.Status.Open() && in.ExpectedAt != nil && in.ExpectedAt.Before(now)
}

// FirstDue returns the open inbound of a delivery that is due first, or else the first one.
func FirstDue(d session.Delivery[api.Inbound]) *api.Inbound {
	var first *api.Inbound
	for i := range d.Lines {
		in := &d.Lines[i]
		if in.Status.Open() && (first == nil || in.ExpectedAt != nil && (first.ExpectedAt == nil || in.ExpectedAt.Before(*first.ExpectedAt))) {
			first = in
		}
	}
	return cmp.Or(first, &d.Lines[0])
}

// IsOutboundLate reports whether an open order is past its ship date.
func IsOutboundLate(o *api.Outbound, now time.Time) bool {
	return o.Status.Open() && o.ExpectedShipAt != nil && o.ExpectedShipAt.Before(now)
}

// A LateDocument is an open document past its due date.
type LateDocument struct {
	Job      string    `json:"job"` // "receive", "fulfill"
	Name     string    `json:"document"`
	Item     string    `json:"productName"`
	Party    string    `json:"party"` // supplier or customer
	Location string    `json:"locationCode"`
	Since    time.Time `json:"dueAt"`
	Pending  int64     `json:"pending"`
	Route    string    `json:"-"`

	// Inbounds are those of a delivery, and Outbound is an order; one of them is nil.
	Inbounds []api.Inbound `json:"-"`
	Outbound *api.Outbound `json:"-"`

	id api.ID
}

// due returns what the document is ordered by.
func (d LateDocument) due() session.Due {
	return session.Due{At: &d.Since, Reference: d.Name, ID: d.id}
}

// LateDocuments returns the late deliveries and orders at a location (anywhere for the
// zero location), the most overdue first. more reports whether some documents were not
// checked. If the service does not list orders, it returns only inbounds.
func LateDocuments(ctx context.Context, site *session.Site, at session.Location, now time.Time) (rows []LateDocument, more bool, err error) {
	in, more, err := site.Inbounds(ctx, at)
	if err != nil {
		return nil, false, err
	}
	for _, d := range session.InboundDeliveries(in) {
		if first := FirstDue(d); IsInboundLate(first, now) {
			row := LateDocument{Job: "receive", Name: names.Inbound(first), Item: names.ProductName(first.Product), Party: first.SupplierName,
				Location: names.LocationCode(first.Location), Since: *first.ExpectedAt, Route: tui.Path("receive", first.ID.String()), Inbounds: d.Lines, id: first.ID}
			for i := range d.Lines {
				row.Pending += d.Lines[i].Pending()
			}
			if n := len(d.Lines); n > 1 {
				row.Item = site.T().Get("%d lines to go", n)
			}
			rows = append(rows, row)
		}
	}
	out, cut, err := site.Outbounds(ctx, at)
	if err != nil && !session.IsUnsupported(err) {
		return nil, false, err
	}
	for i := range out {
		if d := &out[i]; IsOutboundLate(d, now) {
			rows = append(rows, LateDocument{Job: "fulfill", Name: names.Outbound(d), Item: names.ProductName(d.Product), Party: d.CustomerName,
				Location: names.LocationCode(d.Location), Since: *d.ExpectedShipAt, Pending: d.RequestedQuantity - d.FulfilledQuantity,
				Route: tui.Path("fulfill", d.ID.String()), Outbound: d, id: d.ID})
		}
	}
	slices.SortFunc(rows, func(a, b LateDocument) int { return a.due().Compare(b.due()) })
	return rows, more || cut, nil
}
