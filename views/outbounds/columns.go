package outbounds

import (
	"bincard/server/api"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (s *orders) columns() []widget.Column[api.Outbound] {
	now := s.env.Now
	return []widget.Column[api.Outbound]{
		{Title: columnOrder, Width: 14, Cell: func(o api.Outbound) string { return s.site.SyncBadge(o.ID) + dock.OutboundName(&o) }},
		{Title: columnLeaves, Width: 18, Rank: 3,
			Cell: func(o api.Outbound) string {
				switch {
				case o.ExpectedShipAt == nil:
					return ""
				case IsLate(&o, now()):
					return theme.GlyphRefused + " " + widget.When(*o.ExpectedShipAt, now())
				}
				return "  " + widget.When(*o.ExpectedShipAt, now())
			},
			Style: func(o api.Outbound, t theme.Theme, text string) string {
				if IsLate(&o, now()) {
					return t.Warning.Render(text)
				}
				return text
			}},
		{Title: columnCustomer, Rank: 4, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: columnGoods, Width: 10, Rank: 6, Cell: func(o api.Outbound) string { return productText(&o) }},
		{Title: columnToSend, Width: 7, Right: true, Rank: 1, Cell: func(o api.Outbound) string {
			return widget.Count(o.RequestedQuantity - o.FulfilledQuantity)
		}},
		{Title: columnReady, Width: 7, Right: true, Rank: 5, Cell: func(o api.Outbound) string {
			return widget.Count(o.PendingFulfillmentQuantity)
		}, Style: func(o api.Outbound, t theme.Theme, text string) string {
			if o.PendingFulfillmentQuantity < o.RequestedQuantity-o.FulfilledQuantity {
				return t.Warning.Render(text)
			}
			return text
		}},
		{Title: columnStatus, Width: 16, Rank: 7, Cell: func(o api.Outbound) string { return statusText(o.Status) }},
	}
}

// smallColumns are what a small screen has room for: the order, whether it is
// late, and how much of it is to leave.
func (s *orders) smallColumns() []widget.Column[api.Outbound] {
	return []widget.Column[api.Outbound]{
		{Title: columnOrder, Cell: func(o api.Outbound) string { return s.site.SyncBadge(o.ID) + dock.OutboundName(&o) }},
		{Title: columnCustomer, Width: 12, Rank: 1, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: columnToSend, Width: 5, Right: true, Cell: func(o api.Outbound) string {
			left := widget.Count(o.RequestedQuantity - o.FulfilledQuantity)
			if IsLate(&o, s.env.Now()) { // there is no room to say since when
				return left + theme.GlyphRefused
			}
			return left
		}},
	}
}
