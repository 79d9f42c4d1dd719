package stock

import (
	"slices"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/session"
)

// A verdict is the result of comparing a counted line with recorded stock.
type verdict int

const (
	agrees      verdict = iota
	differing           // the count differs from recorded stock
	moved               // stock changed during the count; a person decides
	uncounted           // no quantity was entered
	refused             // the service rejected the booking
	unconfirmed         // the difference is large and nobody counted it again
	hidden              // counted, where the result is hidden; only shownVerdict returns it

	verdicts = iota
)

// A comparison compares lines with recorded stock, as it is known at one time.
type comparison struct {
	secondCounts
	lines    []*count.Line
	rows     rowsByKey         // from when the count began
	current  rowsByKey         // from when the review began; nil before it
	rejected map[string]string // by key: why the service rejected the count
	large    session.LargeDifference
	// supervisor means that a second count by the operator confirms the operator's first.
	supervisor    bool
	operator      string
	hidesExpected bool
}

// verdict compares a line with recorded stock.
func (c comparison) verdict(l *count.Line) verdict {
	switch {
	case c.rejected[l.Key] != "":
		return refused
	case !hasCount(l):
		return uncounted
	case c.stockMoved(l):
		return moved
	case c.isLarge(l) && !c.isConfirmed(l):
		return unconfirmed
	case c.differs(l):
		return differing
	}

	return agrees
}

// shownVerdict is verdict, without the result while the expected quantities are hidden.
func (c comparison) shownVerdict(l *count.Line) verdict {
	v := c.verdict(l)
	if c.hidesExpected && (v == agrees || v == differing) {
		return hidden
	}
	return v
}

// counts returns how many lines have each verdict.
func (c comparison) counts() (n [verdicts]int) {
	for _, l := range c.lines {
		n[c.verdict(l)]++
	}
	return n
}

// stockMoved reports whether the recorded stock of a line has changed since the count
// began.
func (c comparison) stockMoved(l *count.Line) bool {
	now, then := c.current[l.Key], c.rows.forLine(l)
	switch {
	case c.current == nil:
		return false
	case now == nil:
		return then.Expected != 0
	}

	return !now.equals(then)
}

// difference returns the counted quantity minus the recorded one, or 0 if the line is not
// counted.
func (c comparison) difference(l *count.Line) int64 {
	if !hasCount(l) {
		return 0
	}
	return l.Count.Quantity - c.rows.forLine(l).Expected
}

// serialDifferences returns the recorded serials that were not found, and the found
// serials that are not recorded.
func (c comparison) serialDifferences(l *count.Line) (missing, extra []string) {
	if !l.BySerial() {
		return nil, nil
	}

	recorded := c.rows.forLine(l).Serials
	for _, p := range recorded {
		if !slices.Contains(l.Count.Serials, p) {
			missing = append(missing, p)
		}
	}

	for _, p := range l.Count.Serials {
		if !slices.Contains(recorded, p) {
			extra = append(extra, p)
		}
	}

	return missing, extra
}

// size returns by how many pieces a line differs, in its quantity or its serials.
func (c comparison) size(l *count.Line) int64 {
	if !hasCount(l) {
		return 0
	}
	missing, extra := c.serialDifferences(l)
	n := c.difference(l)
	return max(n, -n, int64(len(missing)+len(extra)))
}

// differs reports whether a line must be corrected.
func (c comparison) differs(l *count.Line) bool { return c.size(l) > 0 }

// isLarge reports whether the count of a line differs so much that it needs a second count
// or a supervisor.
func (c comparison) isLarge(l *count.Line) bool {
	return c.large.Exceeded(c.size(l), c.rows.forLine(l).Expected)
}

// isConfirmed reports whether two counts of a line agree. The second is another person's, or
// a supervisor's own.
func (c comparison) isConfirmed(l *count.Line) bool {
	first, by := c.First[l.Key], c.Counted[l.Key].By
	return first != nil && (first.By != by || c.supervisor && by == c.operator) && first.agrees(l)
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// secondCounts are the counts of lines that are counted again.
type secondCounts struct {
	// First has the first counts of lines with a large difference, by key.
	First map[string]*lineCount `json:"first,omitempty"`
	// Counted has the present counts of lines and who made them, by key.
	Counted map[string]lineCount `json:"counted,omitempty"`
}

// A lineCount is a count of a line.
type lineCount struct {
	Quantity int64    `json:"now"`
	Serials  []string `json:"serials,omitempty"`
	By       string   `json:"by,omitempty"` // the operator
}

// agrees reports whether a line has the same count.
func (c *lineCount) agrees(l *count.Line) bool {
	return c.Quantity == l.Count.Quantity && slices.Equal(sorted(c.Serials), sorted(l.Count.Serials))
}

// attribute records that an operator made the counts that have changed.
func (x *secondCounts) attribute(lines []*count.Line, operator string) {
	counted := map[string]lineCount{}
	for _, l := range lines {
		if !hasCount(l) {
			continue
		}

		c, known := x.Counted[l.Key]
		if !known || !c.agrees(l) {
			c = lineCount{l.Count.Quantity, slices.Clone(l.Count.Serials), operator}
		}
		counted[l.Key] = c
	}
	x.Counted = counted
}

// keep keeps the count of a line, to be compared with the next count.
func (x *secondCounts) keep(l *count.Line) {
	if x.First == nil {
		x.First = map[string]*lineCount{}
	}
	x.First[l.Key] = new(x.Counted[l.Key])
}

// rowsByKey has stock rows by key.
type rowsByKey map[string]*stockRow

// forLine returns the row of a line, or one without stock.
func (x rowsByKey) forLine(l *count.Line) *stockRow {
	if r := x[l.Key]; r != nil {
		return r
	}
	return &stockRow{Product: l.Item.ID, SKU: l.Item.SKU, item: l.Item, Lot: l.Count.Lot}
}

// name names the row of a line: the SKU and the lot.
func (x rowsByKey) name(l *count.Line) string {
	if lot := x.forLine(l).Lot; lot != "" {
		return l.Item.SKU + " " + lot
	}
	return l.Item.SKU
}

// version returns the version of a product's balance, or 0 if the product has no balance.
func (x rowsByKey) version(product api.ID) int64 {
	for _, r := range x {
		if r.Product == product {
			return r.Version
		}
	}

	return 0
}

// hasCount reports whether a quantity was entered for the line.
func hasCount(l *count.Line) bool { return l.Count.Quantity > 0 || l.Count.None }

// progress returns how many lines are counted, of how many.
func progress(lines []*count.Line) (done, all int) {
	for _, l := range lines {
		if hasCount(l) {
			done++
		}
	}

	return done, len(lines)
}
