package dock

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// View paints the question, then the rows.
func (b *Board[T]) View(size tui.Size) string {
	t := b.env.Theme
	ask := b.Ask
	if size.Small() {
		ask = b.Short
	}
	head := t.Ask(widget.Clip(ask, size.Width-2-margin(size)))
	if b.filtering {
		head = t.Ask(t.Muted.Render("/") + b.filter.View(max(4, size.Width-4-margin(size))))
	}
	if state := b.state(t); !size.Small() {
		head = widget.Between(" "+head, state, size.Width-1)
	}
	lines := []string{widget.Mark + head}
	if !size.Small() {
		lines = append(lines, "")
	}
	if b.err != nil && (size.Small() || !b.Loaded()) && !b.missing {
		for _, line := range widget.Wrap(fmt.Sprintf(notRead, Words(b.err)), size.Width-4) {
			lines = append(lines, " "+t.Warn(line))
		}
	}
	b.List.Bare, b.top = size.Class == tui.Strip, len(lines)
	if !b.Loaded() {
		if b.err == nil {
			lines = append(lines, "  "+t.Muted.Render(wordReadingList))
		}
		return strings.Join(lines, "\n")
	}
	return strings.Join(append(lines, b.List.View(t, size.Width-margin(size), size.Height-len(lines))), "\n")
}

// state says how many rows there are and how old they are.
func (b *Board[T]) state(t theme.Theme) string {
	if !b.Loaded() {
		return ""
	}
	count := widget.Count(int64(len(b.all)))
	if b.more {
		count = fmt.Sprintf(wordMoreThan, count)
	}
	if n := b.List.Len(); b.filtering {
		count = fmt.Sprintf(wordOf, widget.Count(int64(n)), count)
	}
	at := widget.Clock(b.at, b.env.Now())
	if b.err != nil {
		return t.Warn(fmt.Sprintf(wordAsOf, at, firstSentence(Words(b.err))))
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

// Narrow are the two columns of these titles for a wrist: the first takes what
// the number leaves.
func Narrow[T any](columns []widget.Column[T], name, number string) []widget.Column[T] {
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
