package outbounds

import (
	"slices"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
)

// lineColumns returns the columns of the lines: what to take, from which lot, how much,
// and how much is counted. Wide screens also show the stages.
func (s *screen) lineColumns(size tui.Size) []widget.Column[api.OutboundLine] {
	type col = widget.Column[api.OutboundLine]
	t := s.T
	digits := max(7, widget.Width(t.Count(s.Doc.RequestedQuantity)))
	number := func(title string, of func(api.OutboundLine) int64) col {
		return col{Title: title, Width: max(digits, widget.Width(title)), Right: true,
			Cell:  func(l api.OutboundLine) string { return t.Count(of(l)) },
			Muted: func(l api.OutboundLine) bool { return of(l) == 0 }}
	}
	var cols []col
	if count.HasShelves(s.Panel.Lines) {
		cols = append(cols, col{Title: t.Get("shelf"), Width: 8,
			Cell: func(l api.OutboundLine) string { return s.panelLine(l).MainShelf() }})
	}

	cols = append(cols, []col{
		{Title: t.Get("product"), Width: 10, Cell: func(l api.OutboundLine) string { return s.Items[l.ProductID].SKU }},
		{Title: t.Get("name"), Rank: 2, Cell: func(l api.OutboundLine) string { return s.Items[l.ProductID].Name }},
	}...)
	if title := s.lotTitle(); title != "" {
		cols = append(cols, col{Title: title, Width: max(14, widget.Width(title)), Rank: 1,
			Cell: func(l api.OutboundLine) string { return takeText(s.panelLine(l)) }})
	}

	picked := number(t.GetC("picked", "status"), func(l api.OutboundLine) int64 { return l.PickedQuantity })
	if size.Class <= tui.Standard && slices.ContainsFunc(lines(s.Doc),
		func(l api.OutboundLine) bool { return l.PickedQuantity > l.FulfilledQuantity }) {
		cols = append(cols, picked)
	}

	if size.Class > tui.Standard {
		cols = append(cols, number(t.Get("allocated"), func(l api.OutboundLine) int64 { return l.AllocatedQuantity }))
		if s.site.Supports(api.PickOutbound.Spec) {
			cols = append(cols, picked,
				number(t.GetC("packed", "status"), func(l api.OutboundLine) int64 { return l.PackedQuantity }))
		}
	}

	if slices.ContainsFunc(lines(s.Doc),
		func(l api.OutboundLine) bool { return l.PendingFulfillmentQuantity < toGo(l) }) {
		ready := number(t.Get("ready"), func(l api.OutboundLine) int64 { return l.PendingFulfillmentQuantity })
		ready.Muted, ready.Warn = nil, func(l api.OutboundLine) bool { return l.PendingFulfillmentQuantity < toGo(l) }
		cols = append(cols, ready)
	}

	return append(cols, number(t.Get("to go"), toGo),
		col{Title: t.Get("now"), Width: digits, Right: true, Cell: s.countedText,
			Style: func(l api.OutboundLine, th widget.Theme, text string) string { return th.Strong.Render(text) }},
		col{Width: 1, Cell: func(l api.OutboundLine) string {
			if line := s.panelLine(l); toGo(l) == 0 || line.Count.Quantity > 0 && line.Remaining() == 0 {
				return widget.GlyphOK
			}
			return ""
		}})
}

// toGo returns the quantity of a line that is not fulfilled.
func toGo(l api.OutboundLine) int64 { return l.RequestedQuantity - l.FulfilledQuantity }

// panelLine returns the count of a line, or an empty one.
func (s *screen) panelLine(l api.OutboundLine) *count.Line {
	for _, x := range s.Panel.Lines {
		if x.Key == l.ID.String() {
			return x
		}
	}

	return &count.Line{}
}

// lotTitle is the title of the column for what to take; "" if no line has lots or serials.
func (s *screen) lotTitle() string {
	lot, serial := false, false
	for _, l := range s.Panel.Lines {
		lot, serial = lot || l.ByLot() || takeText(l) != "" && !l.BySerial(), serial || l.BySerial()
	}

	switch t := s.T; {
	case lot && serial:
		return t.Get("lot or serial")
	case serial:
		return t.Get("serial")
	case lot:
		return t.Get("lot")
	}

	return ""
}

// takeText returns the scanned lot of a line, or else what to take: the first lot or serial
// and the number of others, like "L42-A +1".
func takeText(l *count.Line) string {
	codes := l.TakeFrom()
	switch {
	case l.BySerial():
		codes = l.SuggestedSerials()
	case l.Count.Lot != "":
		codes = make([]string, 1+len(l.Count.Lots))
		codes[0] = l.Count.Lot
	}

	if len(codes) == 0 {
		return ""
	}

	text := widget.Clean(codes[0])
	if n := len(codes) - 1; n > 0 {
		text += " +" + strconv.Itoa(n)
	}

	return text
}

// countedText returns the unbooked count of a line, or "".
func (s *screen) countedText(l api.OutboundLine) string {
	if n := s.panelLine(l).Count.Quantity; n > 0 {
		return s.T.Count(n)
	}
	return ""
}
