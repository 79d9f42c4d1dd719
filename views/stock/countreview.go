package stock

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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

// verdict compares a line with recorded stock.
func (s *countScreen) verdict(l *count.Line) verdict {
	switch {
	case s.rowErrors[l.Key] != "":
		return refused
	case !hasCount(l):
		return uncounted
	case s.stockMoved(l):
		return moved
	case s.isLarge(l) && !s.isConfirmed(l):
		return unconfirmed
	case s.differs(l):
		return differing
	}
	return agrees
}

// shownVerdict is verdict, without the result while the expected quantities are hidden.
func (s *countScreen) shownVerdict(l *count.Line) verdict {
	v := s.verdict(l)
	if s.hidesExpected() && (v == agrees || v == differing) {
		return hidden
	}
	return v
}

// stockMoved reports whether the recorded stock of a line has changed since the count
// began.
func (s *countScreen) stockMoved(l *count.Line) bool {
	now, ok := s.current[l.Key], s.current != nil
	then := s.rowOf(l)
	switch {
	case !ok:
		return false
	case now == nil:
		return then.Expected != 0
	}
	return now.Expected != then.Expected || !slices.Equal(now.Serials, then.Serials)
}

// compare compares the count with current stock.
func (s *countScreen) compare(b *stockRows, fresh map[string]*stockRow) {
	s.draft.Review, s.current = true, fresh
	if s.rowErrors == nil {
		s.rowErrors = map[string]string{}
	}
	for key, now := range fresh {
		then := s.rows[key]
		if then == nil && now.isEmpty() { // its lots are counted
			continue
		}
		if then == nil { // stocked during the count
			r := *now
			r.Expected, r.Serials = 0, nil
			s.addRow(&r)
			continue
		}
		if now.Expected == then.Expected && slices.Equal(now.Serials, then.Serials) {
			then.Version, then.Changed = now.Version, now.Changed // changed, but not on hand
		}
	}
	order := []verdict{refused, moved, unconfirmed, differing, hidden, uncounted, agrees}
	slices.SortStableFunc(s.panel.Lines, func(a, b *count.Line) int {
		return slices.Index(order, s.shownVerdict(a)) - slices.Index(order, s.shownVerdict(b))
	})
	s.list.SetRows(s.panel.Lines)
	s.list.MoveTo(0)
}

// acceptMoved uses current stock as the base of a line that changed.
func (s *countScreen) acceptMoved(l *count.Line) {
	then := s.rowOf(l)
	if now := s.current[l.Key]; now != nil {
		then.Expected, then.Serials, then.Version, then.Changed = now.Expected, now.Serials, now.Version, now.Changed
	} else {
		then.Expected, then.Serials, then.Version = 0, nil, s.version(then.Product)
	}
	delete(s.rowErrors, l.Key)
}

// version returns the current version of a product's balance.
func (s *countScreen) version(product api.ID) int64 {
	for _, r := range s.current {
		if r.Product == product {
			return r.Version
		}
	}
	return 0
}

// selected returns the line under the cursor.
func (s *countScreen) selected() *count.Line {
	if s.draft.Review {
		if l, ok := s.list.Selected(); ok {
			return l
		}
	}
	return s.panel.Line()
}

// verdictCounts returns how many lines have each verdict.
func (s *countScreen) verdictCounts() (n [verdicts]int) {
	for _, l := range s.panel.Lines {
		n[s.verdict(l)]++
	}
	return n
}

// shownCounts returns how many lines have each verdict that is shown.
func (s *countScreen) shownCounts() (n [verdicts]int) {
	for _, l := range s.panel.Lines {
		n[s.shownVerdict(l)]++
	}
	return n
}

// review compares the count with recorded stock. Rows that were rejected are posted again.
func (s *countScreen) review() tea.Cmd {
	s.rowErrors, s.draft.CountedBy = nil, s.site.Operator()
	return s.load(true)
}

func (s *countScreen) clearReview() {
	s.panel.Clear()
	s.panel.Lines, s.rows, s.current, s.rowErrors, s.stock = nil, nil, nil, nil, nil
	s.draft = countDraft{Blind: s.draft.Blind && s.env.IsSupervisor()}
}

// zeroText returns the question before all that is not counted is set to zero.
func (s *countScreen) zeroText(n int) string {
	t := s.site.T()
	rows := t.Count(int64(n))
	switch {
	case s.sku() == "":
		return t.Get("Set %s uncounted at %s to zero?", rows, s.location.Code)
	case s.panel.Line().ByLot() && n == 1:
		return t.Get("Set the uncounted lot of %s at %s to zero?", s.sku(), s.location.Code)
	case s.panel.Line().ByLot():
		return t.Get("Set %s uncounted lots of %s at %s to zero?", rows, s.sku(), s.location.Code)
	}
	return t.Get("Set %s at %s to zero?", s.sku(), s.location.Code)
}

// countReference returns the reference of the movements of this count.
func (s *countScreen) countReference() api.Reference {
	return api.Reference{ReferenceType: session.CountReference, ReferenceID: s.location.Code + " " + s.env.Now().Format(time.DateOnly)}
}
