package inbounds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
)

// openDeliveries returns the open deliveries at a location, the first due first; more
// reports whether there are others.
func openDeliveries(
	ctx context.Context,
	site *session.Site,
	at session.Location,
) (rows []delivery, more bool, err error) {
	open, more, err := site.Inbounds(ctx, at)
	return deliveriesByDue(open), more, err
}

// deliveriesByDue groups inbounds into deliveries, sorted by due date.
func deliveriesByDue(rows []api.Inbound) []delivery {
	out := session.Deliveries(rows)
	slices.SortFunc(out, func(a, b delivery) int { return due(a).Compare(due(b)) })
	return out
}

func due(d delivery) session.Due {
	in := alerts.FirstDue(d)
	return session.Due{At: in.Due(time.UTC), Created: in.CreatedAt, Reference: names.Inbound(in), ID: in.ID}
}

func isLate(d *delivery, now time.Time) bool { return alerts.IsInboundLate(alerts.FirstDue(*d), now) }

func sku(in *api.Inbound) string { return names.ProductSKU(in.Product, in.ProductID) }

func name(in *api.Inbound) string { return names.ProductName(in.Product) }

// columns returns the columns of the list for a size.
func columns(site *session.Site, env tui.Env, size tui.Size) []widget.Column[*delivery] {
	t := env.T

	columns := []widget.Column[*delivery]{
		{
			Title: t.Get("delivery"),
			Width: 14,
			Sort:  "document",
			Cell:  func(d *delivery) string { return d.SyncBadge(site) + deliveryName(d) },
			By:    deliveryName,
		},
		{
			Title: t.Get("due"),
			Width: 18,
			Rank:  3,
			Sort:  "due",
			Time:  func(d *delivery) *time.Time { return alerts.FirstDue(*d).Due(time.UTC) },
			Cell: func(d *delivery) string {
				at := alerts.FirstDue(*d).Due(env.Now().Location())
				if at == nil {
					return ""
				}

				due := t.When(*at, env.Now())
				if isLate(d, env.Now()) {
					return widget.GlyphRefused + " " + due
				}

				return "  " + due
			},
			Warn: func(d *delivery) bool { return isLate(d, env.Now()) },
		},
		{
			Title: t.Get("product"),
			Rank:  4,
			Sort:  "product",
			Cell:  func(d *delivery) string { return productText(t, d, title) },
		},
		{Title: t.Get("sku"), Width: 10, Rank: 7, Sort: "sku", Cell: func(d *delivery) string { return d.SKUs(t) }},
		{
			Title:  t.Get("to go"),
			Width:  7,
			Right:  true,
			Rank:   1,
			Sort:   "pending",
			Number: pending,
			Cell: func(d *delivery) string {
				if size.Small() && isLate(d, env.Now()) { // no room for the date
					return fmt.Sprintf("%d%s", pending(d), widget.GlyphRefused)
				}
				return t.Count(pending(d))
			},
		},
		{Title: t.Get("expected"), Width: 8, Rank: 8, Sort: "expected", Number: expected},
		{
			Title: t.Get("from"),
			Width: 13,
			Rank:  6,
			Sort:  "supplier",
			Cell:  func(d *delivery) string { return d.Lines[0].SupplierName },
		},
		{
			Title: t.Get("at"),
			Width: 6,
			Rank:  9,
			Cell:  func(d *delivery) string { return session.LocationOf(d.Lines[0].Location).Code },
		},
	}

	if size.Class == tui.Narrow { // the whole name, and the quantity
		return listscreen.NarrowColumns(columns, t.Get("delivery"), t.Get("to go"))
	}

	return columns
}

// title returns the name of the product of an inbound, or else its SKU.
func title(in *api.Inbound) string { return cmp.Or(name(in), sku(in)) }
