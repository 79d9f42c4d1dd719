package reports

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

func (s *screen[T]) View(size tui.Size) string {
	t, width := s.env.Theme, size.Width
	if s.form != nil {
		text := s.form.View(t, width)
		if !size.Small() {
			text = " " + t.Muted.Render("What to show. A product or a place may be scanned") + "\n\n" + text
		}
		return within(text, size.Height)
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
	s.pages.List.Bare = size.Small()
	s.pages.List.Empty = s.empty()
	s.top = len(lines)
	rest := size.Height - len(lines)
	row, chosen := s.pages.List.Selected()
	if chosen && size.Class == tui.Desk {
		rest--
	}
	lines = append(lines, s.pages.List.View(t, width, rest))
	if chosen && size.Class == tui.Desk {
		lines = append(lines, " "+t.Muted.Render(widget.Clip(widget.Clean(s.detail(row)), width-2)))
	}
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

// within keeps the line of the question in view where there are more lines than room.
func within(text string, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= height || height <= 0 {
		return text
	}
	at := 0
	for i, line := range lines {
		if strings.Contains(line, widget.Mark) {
			at = i
		}
	}
	top := max(0, min(at-height/2, len(lines)-height))
	return strings.Join(lines[top:top+height], "\n")
}
