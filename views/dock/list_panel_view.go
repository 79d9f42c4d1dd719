package dock

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// View renders the question and the rows.
func (b *ListPanel[T]) View(size tui.Size) string {
	t := b.env.Theme
	question := b.Question
	if size.Small() {
		question = b.ShortQuestion
	}
	head := t.Ask(widget.Clip(question, size.Width-2-margin(size)))
	if b.filtering {
		head = t.Ask(t.Muted.Render("/") + b.filter.View(max(4, size.Width-4-margin(size))))
	}
	if state := b.statusText(t); !size.Small() {
		head = widget.Between(" "+head, state, size.Width-1)
	}
	lines := []string{widget.QuestionMarker + head}
	if !size.Small() {
		lines = append(lines, "")
	}
	if b.err != nil && (size.Small() || !b.Loaded()) && !b.unsupported {
		for _, line := range widget.Wrap(b.T().Get("Not loaded: %s Press ctrl+r to retry.", UserMessage(b.T(), b.err)), size.Width-4) {
			lines = append(lines, " "+t.Warn(line))
		}
	}
	b.List.NoTitles, b.top = size.Class == tui.Short, len(lines)
	if !b.Loaded() {
		if b.err == nil {
			lines = append(lines, "  "+t.Muted.Render(b.T().Get("loading…")))
		}
		return strings.Join(lines, "\n")
	}
	room := size.Height - len(lines)
	detail := b.detailLines(t, size, room)
	lines = append(lines, b.List.View(t, size.Width-margin(size), room-len(detail)))
	if len(detail) == 0 {
		return strings.Join(lines, "\n")
	}
	for n := len(strings.Split(strings.Join(lines, "\n"), "\n")) + len(detail); n < size.Height; n++ {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, detail...), "\n")
}

// detailLines returns the detail of the selected row on a narrow screen, if there is
// room.
func (b *ListPanel[T]) detailLines(t theme.Theme, size tui.Size, room int) []string {
	row, ok := b.Selected()
	if size.Class != tui.Narrow || b.Detail == nil || !ok || room < 7 {
		return nil
	}
	return DetailLines(t, size.Width, b.Detail(row))
}

// DetailLines renders a detail in exactly two lines, so that the layout does not jump
// between rows.
func DetailLines(t theme.Theme, width int, text string) []string {
	lines := append(widget.Wrap(widget.Clean(text), width), "")[:2]
	for i, line := range lines {
		lines[i] = t.Muted.Render(line)
	}
	return lines
}

// JoinParts joins the parts that are not empty with a dot.
func JoinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// statusText says how many rows there are and when they were loaded.
func (b *ListPanel[T]) statusText(t theme.Theme) string {
	if !b.Loaded() {
		return ""
	}
	count := b.T().Count(int64(len(b.all)))
	if b.more {
		count = b.T().Get("more than %s", count)
	}
	if n := b.List.Len(); b.filtering {
		count = b.T().Get("%s of %s", b.T().Count(int64(n)), count)
	}
	at := i18n.Clock(b.loadedAt, b.env.Now())
	if b.err != nil {
		return t.Warn(b.T().Get("as of %s: %s", at, firstSentence(UserMessage(b.T(), b.err))))
	}
	return t.Muted.Render(count + " " + b.Noun + "   " + at)
}

func firstSentence(s string) string {
	head, _, cut := strings.Cut(s, ". ")
	if cut {
		head += "."
	}
	return head
}

// NarrowColumns returns the columns with the titles name and number, sized for a
// narrow screen.
func NarrowColumns[T any](columns []widget.Column[T], name, number string) []widget.Column[T] {
	var out []widget.Column[T]
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
