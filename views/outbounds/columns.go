package outbounds

import (
	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/names"
)

func (s *orders) columns() []widget.Column[api.Outbound] {
	now := s.env.Now
	return []widget.Column[api.Outbound]{
		{Title: s.site.T().Get("order"), Width: 14, Cell: func(o api.Outbound) string { return s.site.SyncBadge(o.ID) + names.Outbound(&o) }},
		{Title: s.site.T().Get("ships"), Width: 18, Rank: 3,
			Cell: func(o api.Outbound) string {
				switch {
				case o.ExpectedShipAt == nil:
					return ""
				case IsLate(&o, now()):
					return theme.GlyphRefused + " " + s.site.T().When(*o.ExpectedShipAt, now())
				}
				return "  " + s.site.T().When(*o.ExpectedShipAt, now())
			},
			Style: func(o api.Outbound, t theme.Theme, text string) string {
				if IsLate(&o, now()) {
					return t.Warning.Render(text)
				}
				return text
			}},
		{Title: s.site.T().Get("customer"), Rank: 4, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: s.site.T().Get("items"), Width: 10, Rank: 6, Cell: func(o api.Outbound) string { return productText(s.site.T(), &o) }},
		{Title: s.site.T().Get("to go"), Width: 7, Right: true, Rank: 1, Cell: func(o api.Outbound) string {
			return s.site.T().Count(o.RequestedQuantity - o.FulfilledQuantity)
		}},
		{Title: s.site.T().Get("ready"), Width: 7, Right: true, Rank: 5, Cell: func(o api.Outbound) string {
			return s.site.T().Count(o.PendingFulfillmentQuantity)
		}, Style: func(o api.Outbound, t theme.Theme, text string) string {
			if o.PendingFulfillmentQuantity < o.RequestedQuantity-o.FulfilledQuantity {
				return t.Warning.Render(text)
			}
			return text
		}},
		{Title: s.site.T().Get("status"), Width: 16, Rank: 7, Cell: func(o api.Outbound) string { return names.Status(s.site.T(), o.Status) }},
	}
}

// smallColumns returns the columns for small screens: the order, the customer, and
// the remaining quantity.
func (s *orders) smallColumns() []widget.Column[api.Outbound] {
	t := s.site.T()

	return []widget.Column[api.Outbound]{
		{Title: t.Get("order"), Cell: func(o api.Outbound) string { return s.site.SyncBadge(o.ID) + names.Outbound(&o) }},
		{Title: t.Get("customer"), Width: 12, Rank: 1, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: t.Get("to go"), Width: 5, Right: true, Cell: func(o api.Outbound) string {
			left := t.Count(o.RequestedQuantity - o.FulfilledQuantity)
			if IsLate(&o, s.env.Now()) { // no room for the date
				return left + theme.GlyphRefused
			}
			return left
		}},
	}
}
