package dock

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// View paints the question, then the rows.
func (b *ListPanel[T]) View(size tui.Size) string {
	t := b.env.Theme
	ask := b.Question
	if size.Small() {
		ask = b.ShortQuestion
	}
	head := t.Ask(widget.Clip(ask, size.Width-2-margin(size)))
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
	aside := b.detailLines(t, size, room)
	lines = append(lines, b.List.View(t, size.Width-margin(size), room-len(aside)))
	if len(aside) == 0 {
		return strings.Join(lines, "\n")
	}
	for n := len(strings.Split(strings.Join(lines, "\n"), "\n")) + len(aside); n < size.Height; n++ {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, aside...), "\n")
}

// detailLines are the last lines of a wrist, where the rows leave them room.
func (b *ListPanel[T]) detailLines(t theme.Theme, size tui.Size, room int) []string {
	row, ok := b.Selected()
	if size.Class != tui.Narrow || b.Detail == nil || !ok || room < 7 {
		return nil
	}
	return DetailLines(t, size.Width, b.Detail(row))
}

// DetailLines is a detail in two lines at the most, always as high: nothing jumps
// while one goes from row to row.
func DetailLines(t theme.Theme, width int, text string) []string {
	lines := append(widget.Wrap(widget.Clean(text), width), "")[:2]
	for i, line := range lines {
		lines[i] = t.Muted.Render(line)
	}
	return lines
}

// JoinParts are the parts that say something, with a dot between them.
func JoinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// statusText says how many rows there are and how old they are.
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

// NarrowColumns are the two columns of these titles for a wrist: the first takes what
// the number leaves.
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
