package stock

import (
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// A verdict is how it stands with a line once the place is counted.
type verdict int

const (
	agrees    verdict = iota
	lacks             // fewer, more or other pieces than the books have
	unsettled         // the books moved while it was counted: it is asked again
	uncounted         // nobody said how many there are
	refused           // the service refused what was booked of it
)

// verdict tells how it stands with a line.
func (s *count) verdict(l *dock.Line) verdict {
	switch {
	case s.failed[l.Key] != "":
		return refused
	case !counts(l):
		return uncounted
	case s.hasMoved(l):
		return unsettled
	case s.differs(l):
		return lacks
	}
	return agrees
}

// hasMoved tells whether what the books have of a line changed since the count
// began.
func (s *count) hasMoved(l *dock.Line) bool {
	now, ok := s.fresh[l.Key], s.fresh != nil
	then := s.rowOf(l)
	switch {
	case !ok:
		return false
	case now == nil:
		return then.Expected != 0
	}
	return now.Expected != then.Expected || !slices.Equal(now.Pieces, then.Pieces)
}

// hold holds the count against the books as they are now.
func (s *count) hold(b *books, fresh map[string]*row) {
	s.kept.Review, s.fresh = true, fresh
	if s.failed == nil {
		s.failed = map[string]string{}
	}
	for key, now := range fresh {
		then := s.rows[key]
		if then == nil { // it came while the place was counted
			r := *now
			r.Expected, r.Pieces = 0, nil
			s.add(&r)
			continue
		}
		if now.Expected == then.Expected && slices.Equal(now.Pieces, then.Pieces) {
			then.Version, then.Changed = now.Version, now.Changed // it moved, but not on hand
		}
	}
	order := []verdict{refused, unsettled, lacks, uncounted, agrees}
	slices.SortStableFunc(s.bench.Lines, func(a, b *dock.Line) int {
		return slices.Index(order, s.verdict(a)) - slices.Index(order, s.verdict(b))
	})
	s.list.SetRows(s.bench.Lines)
	s.list.MoveTo(0)
}

// settle takes the books as they are now for a line that moved.
func (s *count) settle(l *dock.Line) {
	then := s.rowOf(l)
	if now := s.fresh[l.Key]; now != nil {
		then.Expected, then.Pieces, then.Version, then.Changed = now.Expected, now.Pieces, now.Version, now.Changed
	} else {
		then.Expected, then.Pieces, then.Version = 0, nil, s.version(then.Product)
	}
	delete(s.failed, l.Key)
}

// version is that of the balance of a product, as the books have it now.
func (s *count) version(product api.ID) int64 {
	for _, r := range s.fresh {
		if r.Product == product {
			return r.Version
		}
	}
	return 0
}

// chosen is the line that the cursor stands on.
func (s *count) chosen() *dock.Line {
	if s.kept.Review {
		if l, ok := s.list.Selected(); ok {
			return l
		}
	}
	return s.bench.Line()
}

// sums are how many lines there are of each verdict.
func (s *count) sums() (n [5]int) {
	for _, l := range s.bench.Lines {
		n[s.verdict(l)]++
	}
	return n
}

func (s *count) Actions() []tui.Action {
	switch {
	case s.fault != "":
		return []tui.Action{{ID: "count.retry", Keys: []string{"enter"}, Label: labelTryAgain, Run: func() tea.Cmd {
			s.fault = ""
			return s.load(false)
		}}}
	case s.ref() == "":
		return []tui.Action{dock.ChoosePlace(s.site, s.env)}
	case s.read == nil:
		return nil
	case len(s.kept.Queue) > 0:
		return []tui.Action{{ID: "count.again", Keys: []string{"enter"}, Label: labelSendAgain, Short: shortAgain,
			Disabled: func() string {
				if s.post.Busy() {
					return stillSending
				}
				return ""
			}, Run: s.send}}
	case s.kept.Review:
		return s.reviewing()
	case s.bench.Modal():
		return s.bench.Actions()
	}
	return s.counting()
}

// counting are the actions while the place is counted.
func (s *count) counting() []tui.Action {
	done, all := s.progress()
	blind := labelBlind
	if s.kept.Blind {
		blind = labelOpen
	}
	rest := labelEmpty
	if done > 0 {
		rest = labelRest
	}
	return append([]tui.Action{
		{ID: "count.review", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: labelReview, Help: helpReview, Disabled: func() string {
			if done == 0 {
				return countNothing
			}
			return ""
		}, Run: func() tea.Cmd { return s.load(true) }},
		{ID: "count.blind", Keys: []string{"f4"}, Label: blind, Help: helpBlind, Run: func() tea.Cmd {
			s.kept.Blind = !s.kept.Blind
			s.bench.Open = !s.kept.Blind
			return nil
		}},
		{ID: "count.rest", Keys: []string{"f5"}, Label: rest, Short: shortNone, Help: helpRest, Dangerous: true,
			Ask: fmt.Sprintf(askRest, widget.Count(int64(all-done)), s.place.Code),
			Disabled: func() string {
				if done == all {
					return countAll
				}
				return ""
			}, Run: s.none},
		{ID: "count.lot", Keys: []string{"f7"}, Label: shortLot, Help: helpCountLot, Disabled: func() string {
			if !s.bench.Line().ByLot() {
				return noLots
			}
			return ""
		}, Run: func() tea.Cmd { return s.typeLot(s.bench.At, nil) }},
		{ID: "count.begin", Keys: []string{"f9"}, Label: labelBeginAnew, Help: helpBegin, NoFooter: true, Dangerous: true, Ask: askBegin,
			Run: s.begin},
	}, s.bench.Exceptions()...)
}

// none says that there is none of what is not counted.
func (s *count) none() tea.Cmd {
	for i, l := range s.bench.Lines {
		if !counts(l) {
			s.lotted(i)
			l.Count.None = true
		}
	}
	return s.load(true)
}

// begin forgets what was counted and reads the books anew.
func (s *count) begin() tea.Cmd {
	s.forget()
	return s.load(false)
}

func (s *count) forget() {
	for _, l := range s.bench.Lines {
		l.Count = dock.Count{}
	}
	s.bench.Lines, s.rows, s.fresh, s.failed, s.read = nil, nil, nil, nil, nil
	s.kept = tally{Blind: s.kept.Blind}
}

// reviewing are the actions while the differences are looked through.
func (s *count) reviewing() []tui.Action {
	n := s.sums()
	l := s.chosen()
	actions := []tui.Action{{ID: "count.book", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: bookLabel(n), Short: shortBook, Help: helpBook, Dangerous: n[lacks] > 0,
		Ask: s.asking(n), Disabled: func() string {
			if why := s.site.Denied(s.spec()); why != "" {
				return why
			}
			if n[unsettled] > 0 {
				return fmt.Sprintf(firstSettle, widget.Count(int64(n[unsettled])))
			}
			return ""
		}, Run: s.book}}
	if s.verdict(l) == unsettled || s.verdict(l) == refused {
		actions = append(actions, tui.Action{ID: "count.stands", Keys: []string{"f6"}, Label: labelCountStands, Short: shortStands, Help: helpStands,
			Run: func() tea.Cmd { s.settle(l); return nil }})
	}
	return append(actions,
		tui.Action{ID: "count.recount", Keys: []string{"f3"}, Label: labelCountAgain, Short: shortRecount, Help: helpRecount, Run: func() tea.Cmd { return s.recount(l) }},
		tui.Action{ID: "count.back", Keys: []string{"esc", "f2"}, Label: labelGoOnCounting, Short: shortCount, Help: helpGoOn, Run: func() tea.Cmd {
			s.kept.Review = false
			return nil
		}},
		tui.Action{ID: "count.fresh", Keys: []string{"ctrl+r"}, Label: labelReadAnew, NoFooter: true, Run: func() tea.Cmd { return s.load(true) }})
}

func bookLabel(n [5]int) string {
	switch n[lacks] {
	case 0:
		return "finish"
	case 1:
		return saidBookDifference
	}
	return fmt.Sprintf(saidBookDifferences, widget.Count(int64(n[lacks])))
}

// asking is the question before the differences are booked.
func (s *count) asking(n [5]int) string {
	text := fmt.Sprintf(askBook, widget.Count(int64(n[lacks])), s.place.Code)
	if n[uncounted] > 0 {
		text += " " + fmt.Sprintf(askUncounted, widget.Count(int64(n[uncounted])))
	}
	return text
}

// recount goes back to counting with the chosen line empty.
func (s *count) recount(l *dock.Line) tea.Cmd {
	if s.hasMoved(l) || s.failed[l.Key] != "" {
		s.settle(l)
	}
	l.Count = dock.Count{}
	s.kept.Review = false
	s.bench.At = max(0, slices.Index(s.bench.Lines, l))
	s.list.MoveTo(s.bench.At)
	return tui.Toast(fmt.Sprintf(countAgain, l.Goods.SKU))
}

// reference is what the movements of this count are found by.
func (s *count) reference() string {
	return s.place.Code + " " + s.env.Now().Format(time.DateOnly)
}
