package count

import (
	"cmp"
	"slices"
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

// group returns the lines that are counted together with a line.
func group(lines []*Line, line *Line) (out []*Line) {
	for _, l := range lines {
		if l.Group() == line.Group() {
			out = append(out, l)
		}
	}
	return out
}

// Joined returns the line on which quantities for one of lines are counted: the line itself, or
// the sum of its group.
func Joined(lines []*Line, line *Line) *Line {
	if line.For == "" {
		return line
	}

	sum := *line
	c := &sum.Count
	sum.Pending, c.Quantity, c.Serials = 0, 0, nil
	for _, l := range group(lines, line) {
		sum.Pending += l.Pending
		c.Quantity += l.Count.Quantity
		c.Serials = append(c.Serials, l.Count.Serials...)
		c.Shelf = cmp.Or(c.Shelf, l.Count.Shelf)
		if c.Lot == "" {
			c.Lot, c.LotID, c.ExpiresAt = l.Count.Lot, l.Count.LotID, l.Count.ExpiresAt
		}
	}

	return &sum
}

// spread counts what was counted on a joined line: what is pending of each line of the group,
// in order. The last line gets more if less is pending by now: it cannot be recorded. The entry
// then names the orders.
func (m *ScanMatcher) spread(sum *Line, entry *FeedEntry) {
	if sum.For == "" {
		return
	}

	var orders []string
	left, serials := sum.Count.Quantity, sum.Count.Serials
	lines := group(m.Lines, sum)
	for i, l := range lines {
		c := sum.Count
		if c.Quantity = min(left, l.Pending); i == len(lines)-1 {
			c.Quantity = left
		}
		n := min(int(c.Quantity), len(serials))
		left, c.Serials, serials = left-c.Quantity, slices.Clone(serials[:n]), serials[n:]
		if c.Quantity == 0 && (sum.Count.Quantity > 0 || l.Key != sum.Key) {
			c = Count{Shelf: c.Shelf}
		}
		if c.Quantity != l.Count.Quantity {
			orders = append(orders, l.For)
		}
		l.Count = c
	}

	if len(orders) > 0 {
		entry.Source = "→ " + strings.Join(orders, ", ")
	}
}
