package widget

import (
	"math"
	"strings"

	"bincard/tui/i18n"
)

// Bar paints progress as a bar of width cells: "████████░░░░". Any progress fills at least
// one cell; only the whole or more fills all.
func Bar(t Theme, part, whole int64, width int) string {
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

// Percent formats part of whole: "40%". Only the whole or more is 100%.
func Percent(t *i18n.Translator, part, whole int64) string {
	if whole <= 0 {
		return "–"
	}

	p := int64(math.Round(float64(part) / float64(whole) * 100))
	switch {
	case part > 0 && p == 0:
		return t.Get("%s%%", "<1")
	case part < whole && p >= 100:
		p = 99
	}

	return t.Get("%s%%", t.Count(p))
}

// A Share is one quantity of a whole in a Stack.
type Share struct {
	Label string
	Value int64
	Rune  rune // fills its cells: '█', '▒'
}

// Stack paints a bar of width cells that is divided among the shares. Each share above zero
// has at least one cell while there is room.
func Stack(t Theme, width int, shares ...Share) string {
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

// divide divides width by largest remainder, with at least one cell for every share above
// zero while there is room.
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

// Spark paints values as small columns, the last on the right. If there are more than width
// values, it omits the first.
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
