package listscreen

import (
	"cmp"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/submit"
)

func (s *Screen) View(size tui.Size) string {
	switch {
	case s.kind.View != nil:
		return s.kind.View(size)
	case s.kind.DetailHeight != nil:
		return s.viewWithDetail(size)
	}

	return s.listView(size)
}

// listView paints the question, the rows and the progress of an export.
func (s *Screen) listView(size tui.Size) string {
	if file := s.exporter.Status(s.Theme, size.Width-2); file != "" {
		size.Height--
		return s.rowsView(size) + "\n" + file
	}
	return s.rowsView(size)
}

// leastRows is how many lines viewWithDetail leaves to the list.
const leastRows = 4

// viewWithDetail paints what listView does, and below it the detail of the selected row.
func (s *Screen) viewWithDetail(size tui.Size) string {
	row := s.List.Selected()
	lines := min(s.kind.DetailHeight(size.Class), size.Height-leastRows)
	if row == nil || lines <= 0 {
		return s.listView(size)
	}

	indent := 2
	if size.Small() {
		indent = 0
	}

	list := size
	list.Height -= lines
	out := []string{s.listView(list)}
	for _, line := range widget.FitParts(s.kind.Detail(row), size.Width-2*indent, lines) {
		out = append(out, strings.Repeat(" ", indent)+s.Theme.Muted.Render(line))
	}

	return strings.Join(out, "\n")
}

// Layout sets the columns and the empty text of the list.
func (s *Screen) Layout(size tui.Size) {
	s.List.Columns, s.List.EmptyText = s.columns(size), ""
	if !s.More {
		s.sorter.Mark(s.List.Columns)
	}
	if s.Loaded() {
		s.List.EmptyText = s.kind.Texts().Empty
	}
}

// rowsView paints the question and the rows.
func (s *Screen) rowsView(size tui.Size) string {
	t, texts := s.Theme, s.kind.Texts()
	if s.kind.Preview != nil {
		s.preview.layout(size)
	}

	question, inputWidth := texts.Question, size.Width-30
	if size.Small() {
		question, inputWidth = texts.ShortQuestion, size.Width-3
		if size.Class == tui.Narrow {
			question = cmp.Or(texts.NarrowQuestion, question)
		}
	}

	if in := s.kind.Input; in != nil && in.Value() != "" {
		question = in.View(inputWidth)
	}

	head := t.Ask(widget.Clip(question, size.Width-2-margin(size)))
	if s.filtering {
		head = t.Ask(t.Muted.Render("/") + s.filter.View(max(4, size.Width-4-margin(size))))
	}
	if state := s.statusText(t, texts.Noun); !size.Small() {
		head = widget.Between(" "+head, state, size.Width-1)
	} else if count := s.countText(texts.Noun); s.Loaded() && widget.Width(head)+2+widget.Width(count) <= size.Width {
		head = widget.Between(head, t.Muted.Render(count), size.Width)
	}

	lines := []string{widget.QuestionMarker + head}
	if !size.Small() {
		lines = append(lines, "")
	}
	if s.Err != nil && (size.Small() || !s.Loaded()) && !s.Unsupported {
		for _, line := range widget.Wrap(s.T.Get("Not loaded. %s Press ctrl+r to refresh.", submit.UserMessage(s.T, s.Err)), size.Width-4) {
			lines = append(lines, " "+t.Warn(line))
		}
	}

	s.Layout(size)
	s.List.NoTitles, s.Top = size.Class == tui.Short, len(lines)
	if !s.Loaded() {
		if s.Err == nil {
			lines = append(lines, "  "+t.Muted.Render(s.T.Get("loading…")))
		}
		return strings.Join(lines, "\n")
	}

	room := size.Height - len(lines)
	detail := s.detailLines(t, size, room)
	lines = append(lines, s.listAndPreview(t, size, room-len(detail)))

	return strings.Join(append(lines, detail...), "\n")
}

// margin returns the width of the margin on the right.
func margin(size tui.Size) int {
	if size.Small() {
		return 0
	}
	return 1
}

// detailLines returns the detail of the selected row on a narrow screen after its mark, if
// there is room.
func (s *Screen) detailLines(t widget.Theme, size tui.Size, room int) []string {
	row := s.List.Selected()
	if size.Class != tui.Narrow || s.kind.Detail == nil || s.kind.DetailHeight != nil || row == nil || room < 7 {
		return nil
	}
	return DetailLines(t, size.Width, 2, JoinParts(s.marks.of(row), s.kind.Detail(row)))
}

// JoinParts joins the parts that are not empty with a dot.
func JoinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// statusText says how many rows there are and when they were loaded.
func (s *Screen) statusText(t widget.Theme, noun string) string {
	if !s.Loaded() {
		return ""
	}
	at := i18n.Clock(s.loadedAt, s.Now())
	if s.Err != nil {
		return t.Warn(s.T.Get("as of %s: %s", at, FirstSentence(submit.UserMessage(s.T, s.Err))))
	}
	return t.Muted.Render(s.countText(noun) + "   " + at)
}

// countText says how many rows there are, and how many of them match the filter.
func (s *Screen) countText(noun string) string {
	count := s.T.Count(int64(len(s.rows)))
	if s.More {
		count = s.T.Get("more than %s", count)
	}
	if s.More && s.sorter.Active() && !s.Loading {
		noun += ", " + s.T.Get("not sorted")
	}
	if n := s.List.Len(); s.filtering || n != len(s.rows) {
		return s.T.Get("%s of %s %s", s.T.Count(int64(n)), count, noun)
	}

	return count + " " + noun
}

// NarrowColumns returns the columns with the titles name and number, sized for a
// narrow screen.
func NarrowColumns[R any](columns []widget.Column[R], name, number string) []widget.Column[R] {
	var out []widget.Column[R]
	for _, c := range columns {
		switch c.Title {
		case name:
			c.Width = 0
		case number:
			c.Width, c.Title = 5, ""
		default:
			continue
		}

		c.Rank = 0
		out = append(out, c)
	}

	return out
}

// Speech describes the list in words: its rows and any error.
func (s *Screen) Speech() tui.Speech {
	t, texts := s.T, s.kind.Texts()

	s.Layout(tui.Size{Class: tui.Standard, Width: 80})
	out := tui.Speech{Question: t.GetC("scan or number", "count"), List: ListSpeech(&s.List, texts.Noun, s.More)}
	switch {
	case s.Unsupported:
	case s.Err != nil:
		out.Facts = append(out.Facts, t.Get("not loaded: %s", submit.UserMessage(t, s.Err)))
	case !s.Loaded():
		out.Facts = append(out.Facts, t.Get("loading"))
	case s.List.Len() == 0 && s.filtering:
		out.Facts = append(out.Facts, t.Get("no matches"))
	case s.List.Len() == 0:
		out.Facts = append(out.Facts, texts.Empty)
	default:
		count := t.Count(int64(s.List.Len()))
		if s.More {
			count = t.Get("more than %s", count)
		}
		out.Facts = append(out.Facts, count+" "+texts.Noun)
	}

	if s.filtering {
		out.Search, out.Question = true, t.Get("filter, or number")
		out.Facts = append(out.Facts, t.Get("filter: %s", s.filter.Value()))
	}
	if s.kind.Speech != nil {
		s.kind.Speech(&out)
	}

	return out
}
