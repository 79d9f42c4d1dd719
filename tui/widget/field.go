package widget

import (
	"strings"
)

// A Pair is a label and its value.
type Pair struct {
	Label, Value string
	Style        func(t Theme, text string) string // paints the value; may be nil
}

// Fields paints pairs below each other, with labels on the left. Below 30 cells the values
// are right-aligned. An empty value keeps its line, so that nothing moves.
func Fields(t Theme, width int, pairs ...Pair) string {
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

// Details is Fields without cut values: a value that does not fit beside its label continues
// on the lines below.
func Details(t Theme, width int, pairs ...Pair) string {
	if width >= 30 {
		return wrapBeside(t, width, pairs)
	}

	var lines []string
	for _, p := range pairs {
		value := Clean(p.Value)
		if Width(p.Label)+1+Width(value) <= width || value == "" {
			lines = append(lines, Fields(t, width, p))
			continue
		}
		if p.Label != "" {
			lines = append(lines, t.Muted.Render(Clip(p.Label, width)))
		}

		parts := Wrap(value, width)
		for _, part := range parts {
			if len(parts) == 1 {
				part = Right(part, width)
			}
			if p.Style != nil {
				part = p.Style(t, part)
			}
			lines = append(lines, part)
		}
	}

	return strings.Join(lines, "\n")
}

// wrapBeside paints pairs with their values in a column of their own.
func wrapBeside(t Theme, width int, pairs []Pair) string {
	label := 0
	for _, p := range pairs {
		label = max(label, Width(p.Label))
	}

	label = min(label, width/2)
	var lines []string
	for _, p := range pairs {
		name := p.Label
		for _, part := range Wrap(Clean(p.Value), width-label-2) {
			if p.Style != nil {
				part = p.Style(t, part)
			}
			lines, name = append(lines, t.Muted.Render(Left(name, label))+"  "+part), ""
		}
	}

	return strings.Join(lines, "\n")
}

// Row paints pairs beside each other, as many as fit.
func Row(t Theme, width int, pairs ...Pair) string {
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
