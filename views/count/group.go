package count

import (
	"cmp"
	"strings"
)

// Group identifies the lines that are counted together: those of one item and lot, each for
// another order. A line that is for no order is alone.
func (l *Line) Group() string {
	if l.For == "" {
		return l.Key
	}
	lot := ""
	if len(l.Stock.Held) > 0 {
		lot = l.Stock.Held[0].Code
	}
	return l.Item.ID.String() + " " + lot
}

// Name names the line by its item, and by its order if there are several.
func (l *Line) Name() string {
	if l.For == "" {
		return l.Item.SKU
	}
	return l.Item.SKU + " → " + l.For
}

// Joined returns the line on which quantities for one of lines are counted: the line itself, or
// the sum of its group. Each serial is for one order.
func Joined(lines []*Line, line *Line) *Line {
	if line.For == "" || line.BySerial() {
		return line
	}

	sum := *line
	for _, l := range lines {
		if l == line || l.Group() != line.Group() {
			continue
		}

		sum.Pending += l.Pending
		sum.Count.Quantity += l.Count.Quantity
		sum.Count.Shelf = cmp.Or(sum.Count.Shelf, l.Count.Shelf)
		if sum.Count.Lot == "" {
			sum.Count.Lot, sum.Count.LotID, sum.Count.ExpiresAt = l.Count.Lot, l.Count.LotID, l.Count.ExpiresAt
		}
	}

	return &sum
}

// spread counts what was counted on a joined line: what is pending of each line of the group,
// in order. The entry then names the orders.
func (m *ScanMatcher) spread(sum *Line, entry *FeedEntry) {
	switch {
	case sum.For == "":
		return
	case sum.BySerial():
		entry.Source = "→ " + sum.For
		return
	}

	var orders []string
	last, left := sum, sum.Count.Quantity
	for _, l := range m.Lines {
		if l.Group() != sum.Group() {
			continue
		}

		c := sum.Count
		c.Quantity = min(left, l.Pending)
		left -= c.Quantity
		if c.Quantity == 0 && (sum.Count.Quantity > 0 || l.Key != sum.Key) {
			c = Count{Shelf: c.Shelf}
		}
		if c.Quantity != l.Count.Quantity {
			orders = append(orders, l.For)
		}
		l.Count, last = c, l
	}

	last.Count.Quantity += left // more than is pending by now: it cannot be recorded
	if len(orders) > 0 {
		entry.Source = "→ " + strings.Join(orders, ", ")
	}
}
