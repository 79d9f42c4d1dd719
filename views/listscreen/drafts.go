package listscreen

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/panel"
)

// maxMark is the maximum width of a mark.
const maxMark = 18

// marks say whose work on the documents of a list is unsent, and who has it open elsewhere.
type marks struct {
	routes func(row any) []string
	texts  map[string]string // by route
}

// load reads which documents have a draft.
func (m *marks) load(env tui.Env) {
	m.texts = map[string]string{}
	if m.routes == nil {
		return
	}

	list, err := panel.UnsentDrafts(env.Drafts, env.Operator)
	if err != nil {
		env.Log.Error("cannot list drafts", "error", err)
	}
	for _, d := range list { // the operator's own is the first
		m.add(d.Route, d.Mark(env.T, env.Operator))
	}
	for _, w := range env.Presence.Others() {
		m.add(w.Route, panel.OpenMark(env.T, w))
	}
}

// add adds the mark of a route, unless it has one. Work on several documents is on each of them.
func (m *marks) add(route, text string) {
	m.texts[route] = cmp.Or(m.texts[route], text)
	job, documents, _ := strings.Cut(route, "/")
	for document := range strings.SplitSeq(documents, url.PathEscape(",")) {
		one := job + "/" + document
		m.texts[one] = cmp.Or(m.texts[one], text)
	}
}

// of says whose work on a row is unsent: "12 counted", "Ada: 12 counted", or "".
func (m *marks) of(row any) string {
	if len(m.texts) == 0 {
		return ""
	}
	for _, route := range m.routes(row) {
		if text := m.texts[route]; text != "" {
			return text
		}
	}

	return ""
}

// columns returns the columns for a size, with one for the marks after the first if there
// are any. A narrow screen has no room for it: it shows the mark as detail.
func (s *Screen) columns(size tui.Size) []widget.Column[any] {
	columns, width := s.kind.Columns(size), widestCell(s.rows, s.marks.of)
	if width == 0 {
		return columns
	}

	if size.Class == tui.Narrow {
		cell := columns[0].Cell
		columns[0].Cell = func(row any) string {
			if s.marks.of(row) == "" {
				return cell(row)
			}
			return "*" + cell(row)
		}

		if last := &columns[len(columns)-1]; last.Right && len(columns) > 1 { // leave room for the stars
			last.Width = min(last.Width, max(1, widestCell(s.rows, last.Cell)))
		}

		return columns
	}

	mark := widget.Column[any]{Title: s.T.Get("draft"), Width: min(maxMark, width), Rank: 2, Cell: s.marks.of,
		Warn: func(any) bool { return true }}

	return append(columns[:1:1], append([]widget.Column[any]{mark}, columns[1:]...)...)
}

// widestCell returns the width of the widest cell of a column.
func widestCell(rows []any, cell func(row any) string) (width int) {
	for _, row := range rows {
		width = max(width, ansi.StringWidth(cell(row)))
	}
	return width
}
