package outbounds

import (
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/names"
)

// columns returns the columns of the list for a size. mark returns what precedes the name of an
// order.
func columns(env tui.Env, size tui.Size, mark func(id api.ID) string) []widget.Column[*api.Outbound] {
	if size.Small() {
		return smallColumns(env, size, mark)
	}

	t, now := env.T, env.Now

	return []widget.Column[*api.Outbound]{
		{
			Title: t.Get("order"),
			Width: 14,
			Sort:  "document",
			Cell:  func(o *api.Outbound) string { return mark(o.ID) + names.Outbound(o) },
			By:    names.Outbound,
		},
		{
			Title: t.Get("ships"),
			Width: 18,
			Rank:  3,
			Sort:  "due",
			Time:  func(o *api.Outbound) *time.Time { return o.Due(time.UTC) },
			Cell: func(o *api.Outbound) string {
				switch due := o.Due(now().Location()); {
				case due == nil:
					return ""
				case alerts.IsOutboundLate(o, now()):
					return widget.GlyphRefused + " " + t.When(*o.Due(now().Location()), now())
				}

				return "  " + t.When(*o.Due(now().Location()), now())
			},
			Warn: func(o *api.Outbound) bool { return alerts.IsOutboundLate(o, now()) },
		},
		{
			Title: t.Get("customer"),
			Rank:  4,
			Sort:  "customer",
			Cell:  func(o *api.Outbound) string { return o.CustomerName },
		},
		{
			Title: t.Get("items"),
			Width: 10,
			Rank:  6,
			Sort:  "items",
			Cell:  func(o *api.Outbound) string { return productText(t, o) },
		},
		{Title: t.Get("to go"), Width: 7, Rank: 1, Sort: "pending", Number: func(o *api.Outbound) int64 {
			return o.RequestedQuantity - o.FulfilledQuantity
		}},
		{Title: t.Get("ready"), Width: 7, Rank: 5, Sort: "ready", Number: func(o *api.Outbound) int64 {
			return o.PendingFulfillmentQuantity
		}, Warn: func(o *api.Outbound) bool {
			return o.PendingFulfillmentQuantity < o.RequestedQuantity-o.FulfilledQuantity
		}},
		{
			Title: t.Get("status"),
			Width: 16,
			Rank:  7,
			Sort:  "status",
			Cell:  func(o *api.Outbound) string { return names.Status(t, o.Status) },
		},
	}
}

// smallColumns returns the columns for small screens: the order, the customer, and
// the remaining quantity.
func smallColumns(env tui.Env, size tui.Size, mark func(id api.ID) string) []widget.Column[*api.Outbound] {
	t := env.T

	order := widget.Column[*api.Outbound]{
		Title: t.Get("order"),
		Sort:  "document",
		Cell:  func(o *api.Outbound) string { return mark(o.ID) + names.Outbound(o) },
	}
	customer := widget.Column[*api.Outbound]{
		Title: t.Get("customer"),
		Rank:  1,
		Sort:  "customer",
		Cell:  func(o *api.Outbound) string { return o.CustomerName },
	}

	if size.Class == tui.Narrow {
		customer.Width = 12 // no room
	} else {
		order.Width = 14
	}

	return []widget.Column[*api.Outbound]{
		order, customer,
		{Title: t.Get("to go"), Width: 5, Right: true, Sort: "pending", Cell: func(o *api.Outbound) string {
			left := t.Count(o.RequestedQuantity - o.FulfilledQuantity)
			if alerts.IsOutboundLate(o, env.Now()) { // no room for the date
				return left + widget.GlyphRefused
			}
			return left
		}},
	}
}
