package stock

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/count"
)

func (s *countScreen) comparison() comparison {
	supervisor := s.IsSupervisor()

	return comparison{
		secondCounts:  s.secondCounts,
		lines:         s.panel.Lines,
		rows:          s.rows,
		current:       s.current,
		rejected:      s.rejected,
		large:         s.site.LargeDifference(),
		hidesExpected: s.isSecret(supervisor) || s.Blind && !s.Review,
		supervisor:    supervisor,
		operator:      s.site.Operator(),
	}
}

// review compares the count with recorded stock. Rows that were rejected are posted again.
func (s *countScreen) review() tea.Cmd {
	s.rejected = nil
	return s.load(true)
}

// compare compares the count with current stock.
func (s *countScreen) compare(fresh rowsByKey) {
	s.Review, s.current = true, fresh
	if s.rejected == nil {
		s.rejected = map[string]string{}
	}

	for key, now := range fresh {
		then := s.rows[key]
		switch {
		case then == nil && now.isEmpty(): // its lots are counted
		case then == nil: // stocked during the count
			r := *now
			r.Expected, r.Serials = 0, nil
			s.addRow(&r)
		case now.equals(then): // changed, but not on hand
			then.Version, then.Changed = now.Version, now.Changed
		}
	}

	c := s.comparison()
	here := s.panel.Line()
	order := []verdict{refused, moved, unconfirmed, differing, hidden, uncounted, agrees}
	slices.SortStableFunc(s.panel.Lines, func(a, b *count.Line) int {
		return slices.Index(order, c.shownVerdict(a)) - slices.Index(order, c.shownVerdict(b))
	})
	s.panel.Choose(max(0, slices.Index(s.panel.Lines, here)))
	s.list.SetRows(s.panel.Lines)
	s.list.MoveTo(0)
}

// acceptMoved uses current stock as the base of a line that changed.
func (s *countScreen) acceptMoved(l *count.Line) {
	then := s.rows.forLine(l)
	if now := s.current[l.Key]; now != nil {
		then.Expected, then.Serials, then.Version, then.Changed = now.Expected, now.Serials, now.Version, now.Changed
	} else {
		then.Expected, then.Serials, then.Version = 0, nil, s.current.version(then.Product)
	}

	delete(s.rejected, l.Key)
}

// recount clears a line and goes back to counting it. Nothing shows the first count, so that
// the second does not follow it.
func (s *countScreen) recount(l *count.Line) tea.Cmd {
	c := s.comparison()
	if c.stockMoved(l) || s.rejected[l.Key] != "" {
		s.acceptMoved(l)
	}
	if c.isLarge(l) {
		s.keep(l)
	} else {
		delete(s.First, l.Key)
	}

	l.Count = count.Count{}

	s.panel.Select(l.Item.ID)
	s.panel.ClearFeed()
	s.Review = false
	s.panel.Choose(max(0, slices.Index(s.panel.Lines, l)))
	s.list.MoveTo(s.panel.Current)

	return tui.Toast(s.T.Get("Recount %s", s.rows.name(l)))
}

// selected returns the line under the cursor.
func (s *countScreen) selected() *count.Line {
	if l, ok := s.list.Selected(); ok && s.Review {
		return l
	}
	return s.panel.Line()
}

func (s *countScreen) clearReview() {
	s.panel.Clear()
	s.panel.Lines, s.rows, s.current, s.rejected, s.stock = nil, nil, nil, nil, nil
	s.countDraft = countDraft{visibility: visibility{Blind: s.Blind && s.IsSupervisor()}}
}
