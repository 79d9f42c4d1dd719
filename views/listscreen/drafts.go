package listscreen

import (
	"github.com/charmbracelet/x/ansi"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/panel"
)

// maxMark is the maximum width of a mark.
const maxMark = 18

// loadMarks reads which documents of the list have a draft.
func (s *Screen[T]) loadMarks() {
	s.marks = nil
	if s.kind.Routes == nil {
		return
	}
	list, err := panel.UnsentDrafts(s.Env.Drafts, s.Env.Operator)
	if err != nil {
		s.Env.Log.Error("cannot list drafts", "error", err)
	}
	s.marks = map[string]string{}
	for _, d := range list {
		if s.marks[d.Route] == "" { // the operator's own is the first
			s.marks[d.Route] = d.Mark(s.T(), s.Env.Operator)
		}
	}
}

// mark says whose work on a row is unsent: "12 counted", "Ada: 12 counted", or "".
func (s *Screen[T]) mark(row T) string {
	if len(s.marks) == 0 {
		return ""
	}
	for _, route := range s.kind.Routes(&row) {
		if text := s.marks[route]; text != "" {
			return text
		}
	}
	return ""
}

// columns returns the columns for a size, with one for the marks after the first if there
// are any. A narrow screen has no room for it: it shows the mark as detail.
func (s *Screen[T]) columns(size tui.Size) []widget.Column[T] {
	columns, width := s.kind.Columns(size), 0
	for _, row := range s.rows {
		width = max(width, min(maxMark, ansi.StringWidth(s.mark(row))))
	}
	if width == 0 {
		return columns
	}
	if size.Class == tui.Narrow {
		columns[0].Cell = starred(columns[0].Cell, s.mark)
		s.shrinkLast(columns)
		return columns
	}
	mark := widget.Column[T]{Title: s.T().Get("draft"), Width: width, Rank: 2, Cell: s.mark,
		Style: func(_ T, t theme.Theme, text string) string { return t.Warning.Render(text) }}
	return append(columns[:1:1], append([]widget.Column[T]{mark}, columns[1:]...)...)
}

// shrinkLast makes the last column as narrow as its numbers, so that there is room for the
// stars.
func (s *Screen[T]) shrinkLast(columns []widget.Column[T]) {
	last := &columns[len(columns)-1]
	if !last.Right || len(columns) == 1 {
		return
	}
	width := 1
	for _, row := range s.rows {
		width = max(width, widget.Width(last.Cell(row)))
	}
	last.Width = min(last.Width, width)
}

// starred puts a star before the cells of rows with a mark.
func starred[T any](cell, mark func(T) string) func(T) string {
	return func(row T) string {
		if mark(row) == "" {
			return cell(row)
		}
		return "*" + cell(row)
	}
}

// detail returns the detail of a row for a narrow screen, after its mark.
func (s *Screen[T]) detail(row T) string {
	return JoinParts(s.mark(row), s.kind.Detail(row))
}
