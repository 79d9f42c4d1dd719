package reports

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/panel"
)

func (s *screen) View(size tui.Size) string {
	t, width := s.Theme, size.Width
	switch {
	case s.form != nil:
		text := s.form.View(t, width)
		if !size.Small() {
			text = " " + t.Muted.Render(
				s.T.Get("What to show. You can scan a product or a location.")) + "\n\n" + text
		}
		return panel.FitHeight(text, size.Height)

	case s.totals.open:
		return s.totals.view(t, size)
	}

	var lines []string
	file := s.exporter.Status(t, width-2)
	switch {
	case !size.Small():
		if days, complete := s.allDayCounts(); len(days) > 0 {
			lines = append(lines, " "+widget.Clip(chartLine(s.T, t, days, complete, width-2), width-2))
		}
		status := file
		if file == "" {
			status = s.pages.Status(t, width-2)
		}
		lines = append(lines, " "+widget.Between(s.titleLine(t, width/3), status, width-2))

	case file != "":
		lines = append(lines, file)
	case s.pages.Err() != nil || s.pages.Loading():
		lines = append(lines, s.pages.Status(t, width))
	default:
		summary := ""
		if row := s.pages.List.Selected(); row != nil && s.summary != nil {
			summary = s.summary(s.Env, row, size)
		}
		if summary == "" && size.Class == tui.Narrow {
			summary = s.filter.text(s.T, s.balances)
		}
		if summary != "" {
			lines = append(lines, t.Muted.Render(strings.Join(widget.FitParts(summary, width, 1), "")))
		}
	}

	s.pages.List.Columns = s.sizedColumns(size)
	if s.pages.Complete() {
		s.sorter.Mark(s.pages.List.Columns)
	}

	s.pages.List.EmptyText = s.emptyText()
	s.top = len(lines)
	detail := func(row any) string { return s.detail(s.Env, row, size) }
	lines = append(lines, s.pages.Rows(t, size, size.Height-len(lines), detail)...)

	return strings.Join(lines, "\n")
}

// allDayCounts returns the day counts of the whole filter if the totals are
// complete, otherwise those of the loaded rows.
func (s *screen) allDayCounts() (days []dayCount, complete bool) {
	switch {
	case s.chart == nil:
		return nil, false
	case s.totals.done && !s.pages.Complete():
		return s.totals.days, true
	}

	return s.dayCounts, s.pages.Complete()
}

// titleLine shows the name of the saved filter.
func (s *screen) titleLine(t widget.Theme, width int) string {
	if name := s.savedName(); name != "" {
		return t.Muted.Render(widget.Clip(s.T.Get("saved: %s", widget.Clean(name)), width))
	}
	return ""
}

// emptyText explains an empty report.
func (s *screen) emptyText() string {
	t := s.T

	switch {
	case s.pages.Loading():
		return ""
	case s.pages.Err() != nil:
		return t.Get("Nothing could be loaded. F3 changes the filter.")
	case s.filter == filter{Days: s.days}:
		return t.Get("No %s, %s. F3 changes the period.", s.noun, s.filter.text(t, s.balances))
	}

	return t.Get("No matching %s: %s. F3 changes the filter, F4 clears it.", s.noun, s.filter.text(t, s.balances))
}

// Speech describes the report or the filter form.
func (s *screen) Speech() tui.Speech {
	if s.form != nil {
		return tui.Speech{Facts: []string{s.T.Get(`Set the filter, then type "show"`)}, Form: s.form}
	}

	facts := []string{s.pages.Text()}
	if s.pages.Loaded() && s.pages.List.Len() == 0 {
		facts = append(facts, s.emptyText())
	}

	s.pages.List.Columns = s.sizedColumns(tui.Size{Class: tui.Standard, Width: 80})

	return tui.Speech{Facts: facts, Question: s.T.GetC("scan or number", "reports"),
		List: listscreen.ListSpeech(&s.pages.List, s.noun, !s.pages.Complete())}
}
