package widget

import (
	"strings"

	"bincard/tui/theme"
)

// A Pair is a label and its value.
type Pair struct {
	Label, Value string
	Style        func(t theme.Theme, text string) string // paints the value; may be nil
}

// Fields paints pairs below each other, with labels on the left. Below 30 cells the values
// are right-aligned. An empty value keeps its line, so that nothing moves.
func Fields(t theme.Theme, width int, pairs ...Pair) string {
	label := 0
	for _, p := range pairs {
		label = max(label, Width(p.Label))
	}
	lines := make([]string, len(pairs))
	for i, p := range pairs {
		value := Clean(p.Value)
		paint := func(s string) string {
			if p.Style == nil {
				return s
			}
			return p.Style(t, s)
		}
		if width < 30 {
			name := p.Label
			if room := width - Width(value) - 1; room >= 4 {
				name = Clip(name, room) // a code is worth more than its label
			}
			value = Clip(value, max(1, width-Width(name)-1))
			lines[i] = Between(t.Muted.Render(name), paint(value), width)
			continue
		}
		lines[i] = t.Muted.Render(Left(p.Label, min(label, width/2))) + "  " + paint(Clip(value, max(1, width-label-2)))
	}
	return strings.Join(lines, "\n")
}

// Row paints pairs beside each other, as many as fit.
func Row(t theme.Theme, width int, pairs ...Pair) string {
	line := ""
	for _, p := range pairs {
		value := Clean(p.Value)
		cell := t.Muted.Render(p.Label) + " "
		if p.Style != nil {
			cell += p.Style(t, value)
		} else {
			cell += value
		}
		gap := ""
		if line != "" {
			gap = "   "
		}
		if Width(line)+Width(gap)+Width(cell) > width && line != "" {
			break
		}
		line += gap + cell
	}
	return Clip(line, width)
}
