package reports

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (s *screen[T]) View(size tui.Size) string {
	t, width := s.env.Theme, size.Width
	if s.form != nil {
		text := s.form.View(t, width)
		if !size.Small() {
			text = " " + t.Muted.Render("What to show. A product or a place may be scanned") + "\n\n" + text
		}
		return dock.Within(text, size.Height)
	}
	var lines []string
	if !size.Small() {
		if s.chart != nil {
			lines = append(lines, " "+widget.Clip(bars(t, s.tallies, s.pages.Complete(), width-2), width-2))
		}
		lines = append(lines, " "+widget.Between("", s.pages.Status(t, width-2), width-2))
	} else if s.pages.Err() != nil || s.pages.Loading() {
		lines = append(lines, s.pages.Status(t, width))
	} else if size.Class == tui.Wrist {
		lines = append(lines, t.Muted.Render(widget.Clip(s.filter.words(), width)))
	}
	s.pages.List.Columns = s.columns(s.env, size, s.pages.List.Rows())
	s.pages.List.Empty = s.empty()
	s.top = len(lines)
	lines = append(lines, s.pages.Rows(t, size, size.Height-len(lines), s.detail)...)
	return strings.Join(lines, "\n")
}

// empty says what to do when nothing is shown.
func (s *screen[T]) empty() string {
	switch {
	case s.pages.Loading():
		return ""
	case s.pages.Err() != nil:
		return "Nothing could be read. F3 changes the filter."
	case s.filter == filter{Days: s.days}:
		return "No " + s.noun + ", " + s.filter.span() + ". F3 shows another time."
	}
	return "No " + s.noun + " fit: " + s.filter.words() + ". F3 changes the filter, F4 clears it."
}
