package outbounds

import (
	"cmp"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"
)

// showDoc returns the lines of the orders by shelf. What is counted of lines that are gone must
// be put back.
func (s *mergedScreen) showDoc() (panel.CountDocument, []*count.Line) {
	counted := panel.Counts(s.Panel)
	var all []*count.Line
	for i := range s.Doc.docs {
		o := &s.Doc.docs[i]
		var back []string
		for _, l := range lines(o) {
			held := s.linesOf(o, l)
			all = append(all, held...)
			for key, c := range counted {
				gone := !slices.ContainsFunc(held, func(x *count.Line) bool { return x.Key == key })
				if gone && c.Quantity > 0 && strings.HasPrefix(key, l.ID.String()) {
					back = append(back, s.T.Count(c.Quantity)+" × "+s.Items[l.ProductID].SKU)
				}
			}
		}

		if len(back) > 0 {
			slices.Sort(back)
			s.gone = append(s.gone, s.T.Get("%s was changed (%s). Put back %s.", names.Outbound(o),
				names.Status(s.T, o.Status), strings.Join(back, ", ")))
		}
	}

	first := &s.Doc.docs[0]
	if len(all) == 0 {
		all = []*count.Line{{Item: s.Items[first.ProductID]}}
	}

	slices.SortStableFunc(all, func(a, b *count.Line) int {
		return cmp.Or(count.CompareShelves(a.Item.ShelvesAt(first.LocationID), b.Item.ShelvesAt(first.LocationID)),
			strings.Compare(a.Item.SKU, b.Item.SKU), strings.Compare(a.Group(), b.Group()))
	})

	return panel.CountDocument{PickFrom: &panel.PickLocation{
		Owner: first.OwnerID, Channel: first.ChannelID, Document: names.Outbound(first)}}, all
}

// linesOf returns the lines to count for a line of an order: one for each lot that it holds.
func (s *mergedScreen) linesOf(o *api.Outbound, l api.OutboundLine) (held []*count.Line) {
	if !o.Status.Open() || l.AllocatedQuantity == l.FulfilledQuantity {
		return nil
	}

	line := count.Line{
		Key:     l.ID.String(),
		Item:    s.Items[l.ProductID],
		For:     names.Outbound(o),
		Pending: l.PendingPickQuantity,
	}
	for _, x := range s.Doc.lots[o.ID] {
		if x.LineID != l.ID || x.LotCode == "" || line.BySerial() || x.AllocatedQuantity == x.FulfilledQuantity {
			continue
		}

		ofLot := line
		ofLot.Key += " " + x.LotID.String()
		ofLot.Pending = x.AllocatedQuantity - max(x.PickedQuantity, x.FulfilledQuantity)
		lot := count.PickLot{Code: x.LotCode, Quantity: ofLot.Pending}
		if x.ExpiresAt != nil {
			lot.ExpiresAt = *x.ExpiresAt
		}
		ofLot.Stock.Held = []count.PickLot{lot}
		held = append(held, &ofLot)
	}

	if len(held) == 0 {
		held = append(held, &line)
	}

	return held
}

// orders says how much of the item of a line is for each order, or what is left of it: "2 to
// SO-7002, 4 to SO-7005".
func (s *mergedScreen) orders(line *count.Line, left bool) string {
	var parts []string
	for _, l := range s.Panel.Lines {
		n := l.Pending
		if left {
			n = l.Remaining()
		}
		if n > 0 && l.Group() == line.Group() {
			parts = append(parts, s.T.GetC("%s to %s", "allocated", s.T.Count(n), widget.Clean(l.For)))
		}
	}

	return strings.Join(parts, ", ")
}

// question names the orders that the next pieces are for.
func (s *mergedScreen) question(small bool) string {
	l := s.Panel.Line()
	orders := s.orders(l, true)
	switch {
	case orders == "" || submit.CheckLot(s.site, l) != nil:
		return ""
	case small:
		first, _, _ := strings.Cut(orders, ", ")
		return first
	}

	return s.T.Get("Scan %s: %s", strings.TrimSpace(l.Item.SKU+" "+widget.Clean(l.NextLot())), orders)
}
