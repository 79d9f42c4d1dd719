package widget

import (
	"math"
	"strings"

	"bincard/tui/i18n"
	"bincard/tui/theme"
)

// Bar is progress as a bar of width cells: "████████░░░░". More than the whole
// fills it; a beginning always shows, and only the whole is full.
func Bar(t theme.Theme, part, whole int64, width int) string {
	if width <= 0 {
		return ""
	}
	full := 0
	switch {
	case whole > 0 && part >= whole:
		full = width
	case whole > 0 && part > 0:
		full = int(float64(part) / float64(whole) * float64(width))
		full = max(1, min(full, width-1))
	}
	return t.Accent.Render(strings.Repeat("█", full)) + t.Muted.Render(strings.Repeat("░", width-full))
}

// Percent is part of whole as people say it: "40 %". Only the whole is 100 %.
func Percent(t *i18n.Translator, part, whole int64) string {
	if whole <= 0 {
		return "–"
	}
	p := int64(float64(part) / float64(whole) * 100)
	switch {
	case part > 0 && p == 0:
		return "<1 %"
	case part < whole && p >= 100:
		p = 99
	}
	return t.Count(p) + " %"
}

// A Share is one quantity of a whole in a Stack.
type Share struct {
	Label string
	Value int64
	Rune  rune // what its cells are made of: '█', '▒'
}

// Stack is a bar of width cells in which each share has its part. The cells add
// up to the width, and no share that is there vanishes.
func Stack(t theme.Theme, width int, shares ...Share) string {
	cells := divide(width, shares)
	var b strings.Builder
	for i, s := range shares {
		style := t.Accent
		if i%2 == 1 {
			style = t.Muted
		}
		if cells[i] > 0 {
			b.WriteString(style.Render(strings.Repeat(string(s.Rune), cells[i])))
		}
	}
	return b.String()
}

// divide divides width by largest remainder, at least one cell for every
// share above zero while there is room.
func divide(width int, shares []Share) []int {
	cells := make([]int, len(shares))
	rest := make([]float64, len(shares))
	var sum float64
	for _, s := range shares {
		sum += float64(max(0, s.Value))
	}
	if sum == 0 || width <= 0 {
		return cells
	}
	used := 0
	for i, s := range shares {
		exact := float64(max(0, s.Value)) / sum * float64(width)
		cells[i] = int(exact)
		rest[i] = exact - math.Floor(exact)
		if s.Value > 0 && cells[i] == 0 {
			cells[i], rest[i] = 1, 0
		}
		used += cells[i]
	}
	for used != width {
		at := 0
		if used < width {
			for i := range rest {
				if rest[i] > rest[at] || shares[at].Value <= 0 {
					at = i
				}
			}
			cells[at]++
			rest[at] = 0
			used++
			continue
		}
		for i := range cells {
			if cells[i] > cells[at] {
				at = i
			}
		}
		cells[at]--
		used--
	}
	return cells
}

var sparkRunes = []rune("▁▂▃▄▅▆▇█")

// Spark draws values as small columns, the newest on the right; where there are
// more than width, the oldest are left out.
func Spark(values []int64, width int) string {
	if width <= 0 {
		return ""
	}
	if len(values) > width {
		values = values[len(values)-width:]
	}
	var low, high int64
	for i, v := range values {
		if i == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
	}
	if low > 0 {
		low = 0
	}
	var b strings.Builder
	for _, v := range values {
		step := 0
		if high > low {
			step = int(float64(v-low) / float64(high-low) * float64(len(sparkRunes)-1))
		}
		b.WriteRune(sparkRunes[step])
	}
	return b.String()
}
