package listscreen

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/names"
	"bincard/views/session"
)

// PreviewInbounds describes a delivery.
func PreviewInbounds(t *i18n.Translator, d session.Delivery[api.Inbound], now time.Time) Preview {
	first, due := &d.Lines[0], alerts.FirstDue(d)
	out := Preview{Title: names.Inbound(first), Numbers: []string{t.Get("expected"), t.Get("to go")}}
	out.Facts = append(
		out.Facts,
		dueFact(t, t.Get("due"), due.Due(now.Location()), alerts.IsInboundLate(due, now), now),
		PreviewFact{
			Label: t.Get("from"),
			Text:  cmp.Or(first.SupplierName, first.SupplierReference),
		},
		locationFact(t, first.Location),
		PreviewFact{Label: t.Get("status"), Text: names.Status(t, due.Status)},
	)

	for _, detail := range first.Details() {
		out.Facts = append(out.Facts, PreviewFact{Label: names.Detail(t, detail.Name), Text: *detail.Text})
	}

	for i := range d.Lines {
		in := &d.Lines[i]
		pending := int64(0)
		if in.Status.Open() {
			pending = in.Pending()
		}

		out.Lines = append(
			out.Lines,
			PreviewLine{ID: in.ID, SKU: names.ProductSKU(in.Product, in.ProductID), Name: names.ProductName(in.Product),
				Numbers: []int64{in.ExpectedQuantity, pending}},
		)
		for _, note := range PreviewNotes(in.Metadata) {
			if !slices.Contains(out.Facts, note) {
				out.Facts = append(out.Facts, note)
			}
		}
	}

	return out
}

// PreviewOutbound describes an order.
func PreviewOutbound(t *i18n.Translator, o *api.Outbound, now time.Time) Preview {
	out := Preview{Title: names.Outbound(o), Numbers: []string{t.Get("ordered"), t.Get("to go")}}
	out.Facts = append(out.Facts, dueFact(t, t.Get("ships"), o.Due(now.Location()), alerts.IsOutboundLate(o, now), now),
		PreviewFact{Label: t.Get("customer"), Text: o.CustomerName}, locationFact(t, o.Location),
		PreviewFact{Label: t.Get("status"), Text: names.Status(t, o.Status)})
	for _, l := range o.Lines {
		out.Lines = append(
			out.Lines,
			PreviewLine{ID: l.ID, SKU: names.ProductSKU(l.Product, l.ProductID), Name: names.ProductName(l.Product),
				Numbers: []int64{l.RequestedQuantity, l.RequestedQuantity - l.FulfilledQuantity}},
		)
	}

	if len(o.Lines) == 0 { // an order without lines has a single product
		out.Lines = []PreviewLine{
			{ID: o.ID, SKU: names.ProductSKU(o.Product, o.ProductID), Name: names.ProductName(o.Product),
				Numbers: []int64{o.RequestedQuantity, o.RequestedQuantity - o.FulfilledQuantity}},
		}
	}

	out.Facts = append(out.Facts, PreviewNotes(o.Metadata)...)

	return out
}

// PreviewOutboundLots returns the function that reads the lots allocated to the lines of an
// order, or nil if the service does not report them.
func PreviewOutboundLots(site *session.Site, id api.ID) func(ctx context.Context) (PreviewLots, error) {
	if !site.Supports(api.ListOutboundLots.Spec) {
		return nil
	}

	return func(ctx context.Context) (PreviewLots, error) {
		list, err := session.Call(ctx, site, api.ListOutboundLots, api.OutboundInput{OutboundID: id})
		if err != nil {
			return nil, err
		}

		slices.SortStableFunc(list.Items, firstExpiryFirst)
		texts := map[api.ID][]string{}
		for _, l := range list.Items {
			if n := l.AllocatedQuantity - l.FulfilledQuantity; n > 0 {
				texts[l.LineID] = append(texts[l.LineID], widget.Clean(l.LotCode)+" × "+site.T().Count(n))
			}
		}

		lots := PreviewLots{}
		for line, parts := range texts {
			lots[line] = strings.Join(parts, ", ")
		}

		return lots, nil
	}
}

// firstExpiryFirst orders lots by expiration date; those without one come last.
func firstExpiryFirst(a, b api.OutboundLot) int {
	last := time.Unix(1<<40, 0)
	return cmp.Or(a.ExpiresAt, &last).Compare(*cmp.Or(b.ExpiresAt, &last))
}

// dueFact says when a document is due.
func dueFact(t *i18n.Translator, label string, due *time.Time, late bool, now time.Time) PreviewFact {
	switch {
	case due == nil:
		return PreviewFact{}
	case late:
		return PreviewFact{Label: label, Text: widget.GlyphRefused + " " + t.When(*due, now), Warn: true}
	}

	return PreviewFact{Label: label, Text: t.When(*due, now)}
}

// locationFact names the location of a document.
func locationFact(t *i18n.Translator, at *api.PlaceRef) PreviewFact {
	return PreviewFact{Label: t.Get("location"), Text: session.LocationOf(at).String()}
}
