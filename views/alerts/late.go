package alerts

import (
	"cmp"
	"context"
	"slices"
	"strings"
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

	// Inbound and Outbound are the document; one of them is nil.
	Inbound  *api.Inbound  `json:"-"`
	Outbound *api.Outbound `json:"-"`
}

// LateDocuments returns the late inbounds and orders at a location (anywhere for the
// zero location), the most overdue first. more reports whether some documents were not
// checked. If the service does not list orders, it returns only inbounds.
func LateDocuments(ctx context.Context, site *session.Site, at session.Location, now time.Time) (rows []LateDocument, more bool, err error) {
	in, more, err := site.Inbounds(ctx, at)
	if err != nil {
		return nil, false, err
	}
	for i := range in {
		if d := &in[i]; IsInboundLate(d, now) {
			rows = append(rows, LateDocument{Job: "receive", Name: names.Inbound(d), Item: names.ProductName(d.Product), Party: d.SupplierName,
				Location: names.LocationCode(d.Location), Since: *d.ExpectedAt, Pending: d.Pending(), Route: tui.Path("receive", d.ID.String()), Inbound: d})
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
				Route: tui.Path("fulfill", d.ID.String()), Outbound: d})
		}
	}
	slices.SortStableFunc(rows, func(a, b LateDocument) int { return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.Name, b.Name)) })
	return rows, more || cut, nil
}
