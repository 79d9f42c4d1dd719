package reports

import (
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// countDays updates the chart to the loaded rows.
func (s *screen) countDays() {
	rows := s.pages.List.Rows()
	switch {
	case s.chart == nil:
	case s.pages.Appended() && s.dayCountRows < len(rows):
		s.dayCounts = prependDays(s.chart.dayCounts(s.Env, rows[s.dayCountRows:]), s.dayCounts)
	default:
		s.dayCounts = s.chart.dayCounts(s.Env, rows)
	}

	s.dayCountRows = len(rows)
}

// loadNear continues the search for a day, and requests the next page near the end.
func (s *screen) loadNear() tea.Cmd {
	if s.seekDirection != 0 {
		s.moveDay(s.seekDirection)
	}
	return s.pages.LoadNear()
}

// moveDay selects the previous day (1) or the next one (-1). If the previous day is
// not loaded yet, the search continues as pages arrive.
func (s *screen) moveDay(direction int) {
	at, found := s.chart.day(s.Env, s.pages.List.Rows(), s.pages.List.Cursor(), direction)
	s.seekDirection = 0
	s.pages.List.MoveTo(at)
	if !found && direction > 0 && !s.pages.Complete() {
		s.seekDirection = direction
	}
}

// day moves a day back (1) or forward (-1): the time of a snapshot, the period of a
// filter for one day, or else the selected row.
func (s *screen) day(back int) tea.Cmd {
	now := s.Now()
	if s.balances {
		return s.moveAsOf(back)
	}

	day, ok := s.filter.singleDay(now)
	if !ok && s.sorter.Active() {
		return tui.Warn(s.T.Get("Switch to the default sort (F9) to move by day."))
	}
	if !ok {
		s.moveDay(back)
		return s.loadNear()
	}

	day = day.AddDate(0, 0, -back)
	if day.After(startOfDay(now)) {
		return tui.Warn(s.T.Get("Already showing today"))
	}

	return s.reopen(s.filter.forDay(day))
}

// moveAsOf shows the balances a day earlier (1) or later (-1).
func (s *screen) moveAsOf(back int) tea.Cmd {
	now, f := s.Now(), s.filter
	at, err := f.asOf(s.T, now)
	if err != nil {
		return tui.Fail(err)
	}

	switch {
	case at == nil && back < 0:
		return tui.Warn(s.T.Get("Already showing today"))
	case at == nil:
		f.AsOf = startOfDay(now).AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		layout := time.DateOnly
		if len(f.AsOf) > len(layout) {
			layout = minute
		}

		moved := at.In(now.Location()).AddDate(0, 0, -back)
		if f.AsOf = moved.Format(layout); !moved.Before(now) ||
			layout == time.DateOnly && !moved.Before(startOfDay(now)) {
			f.AsOf = ""
		}
	}

	return s.reopen(f)
}
