package stocktext

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
)

// stateParts lists the states that make up the quantity on hand, in display order,
// with a short name and the character of their bar.
var stateParts = []statePart{
	{api.Available, i18n.Text("avail"), '█'},
	{api.Reserved, i18n.Text("res"), '▒'},
	{api.Committed, i18n.Text("com"), '▓'},
	{api.Damaged, i18n.Text("dam"), '░'},
	{api.QualityControl, i18n.Text("qc"), '·'},
	{api.SafetyStock, i18n.Text("sfty"), '▚'},
}

type statePart struct {
	state api.State
	short string
	rune  rune
}

// Equation formats the quantities as a sum: "on hand 312 = available 204 + reserved
// 24 + …   incoming 144". If width is too small it shortens the names, then omits
// states without stock, then shortens the rest, then omits the names.
func Equation(t *i18n.Translator, th widget.Theme, q api.Quantities, width int) string {
	line, ok := namedEquation(t, q, width)
	if !ok {
		var bare []string
		for _, p := range stateParts {
			bare = append(bare, t.Count(q.Of(p.state)))
		}
		line = widget.Between(t.Count(q.OnHand)+equals(q)+strings.Join(bare, "+"), t.Get("in %s", t.Count(q.Incoming)),
			width)
	}

	return colorEquation(th, q, line)
}

func equals(q api.Quantities) string {
	if !q.AddsUp() {
		return " ≠ "
	}
	return " = "
}

// namedEquation returns the equation with names; ok is false if they do not fit.
func namedEquation(t *i18n.Translator, q api.Quantities, width int) (line string, ok bool) {
	sign := equals(q)
	incoming := t.Get("incoming %s", t.Count(q.Incoming))
	for _, style := range []struct {
		long, zeros bool
	}{{true, true}, {false, true}, {false, false}} {
		line := t.Get("on hand %s%s%s", t.Count(q.OnHand), sign, equationText(t, q, style.long, style.zeros))
		if widget.Width(line)+widget.Width(incoming)+2 <= width {
			return widget.Between(line, incoming, width), true
		}
	}

	for _, form := range []string{t.Get("on hand %s%s%s", t.Count(q.OnHand), sign, equationText(t, q, false, false)),
		t.Count(q.OnHand) + sign + equationText(t, q, false, false)} {
		if short := t.Get("in %s", t.Count(q.Incoming)); widget.Width(form)+widget.Width(short)+2 <= width {
			return widget.Between(form, short, width), true
		}
		if q.Incoming == 0 && widget.Width(form) <= width {
			return form, true
		}
	}

	return "", false
}

// EquationLines is Equation in two lines if the names do not fit one. On a small screen, two
// lines with the whole names are better than one with short names; states without stock are
// omitted.
func EquationLines(t *i18n.Translator, th widget.Theme, q api.Quantities, width int, small bool) []string {
	if line, ok := namedEquation(t, q, width); ok && !small {
		return []string{colorEquation(th, q, line)}
	}

	short := func(t *i18n.Translator, s api.State) string {
		i := slices.IndexFunc(stateParts, func(p statePart) bool { return p.state == s })
		return t.Get(stateParts[i].short)
	}
	long, in := t.Get("incoming %s", t.Count(q.Incoming)), t.Get("in %s", t.Count(q.Incoming))
	for _, form := range []struct {
		name     func(*i18n.Translator, api.State) string
		incoming string
	}{{names.State, long}, {names.ShortState, long}, {names.ShortState, in}, {short, in}} {
		var terms []string
		for _, p := range stateParts {
			if n := q.Of(p.state); n != 0 {
				terms = append(terms, form.name(t, p.state)+" "+t.Count(n))
			}
		}

		for _, head := range []string{t.Get("on hand %s%s%s", t.Count(q.OnHand), equals(q), ""), t.Count(q.OnHand) + equals(q)} {
			lines := breakSum(head, terms, width)
			if q.Incoming != 0 {
				lines = addRight(lines, form.incoming, width)
			}
			if len(lines) > 2 ||
				slices.ContainsFunc(lines, func(line string) bool { return widget.Width(line) > width }) {
				continue
			}
			for i := range lines {
				lines[i] = colorEquation(th, q, lines[i])
			}

			return lines
		}
	}

	return []string{Equation(t, th, q, width)}
}

// addRight writes text at the right of the last line, or of another if it does not fit.
func addRight(lines []string, text string, width int) []string {
	last := len(lines) - 1
	if widget.Width(lines[last])+widget.Width(text)+2 > width {
		return append(lines, widget.Right(text, width))
	}
	lines[last] = widget.Between(lines[last], text, width)
	return lines
}

// breakSum writes a sum after its head, in lines of width cells.
func breakSum(head string, terms []string, width int) (lines []string) {
	if len(terms) == 0 {
		return []string{head + "0"}
	}

	line := head + terms[0]
	for _, term := range terms[1:] {
		if widget.Width(line+" + "+term) > width {
			lines, line = append(lines, line), "+ "+term
			continue
		}
		line += " + " + term
	}

	return append(lines, line)
}

func equationText(t *i18n.Translator, q api.Quantities, long, zeros bool) string {
	var terms []string
	for _, p := range stateParts {
		name, n := t.Get(p.short), q.Of(p.state)
		if long {
			if name = names.State(t, p.state); p.state == api.SafetyStock {
				name = names.ShortState(t, p.state)
			}
		}

		if n != 0 || zeros {
			terms = append(terms, name+" "+t.Count(n))
		}
	}

	if len(terms) == 0 {
		return "0"
	}

	return strings.Join(terms, " + ")
}

// colorEquation colors an equation that does not add up as an error.
func colorEquation(t widget.Theme, q api.Quantities, line string) string {
	if q.AddsUp() {
		return line
	}
	return t.Error.Render(line)
}

// Bar draws the quantity on hand by state as a bar, followed by the incoming
// quantity at the same scale.
func Bar(t widget.Theme, q api.Quantities, width int) string {
	total := q.OnHand + q.Incoming
	if total <= 0 || width <= 0 {
		return ""
	}

	gap := 0
	if q.Incoming > 0 && q.OnHand > 0 {
		gap = min(2, width-2)
	}

	incomingWidth := 0
	if q.Incoming > 0 {
		incomingWidth = max(1, int(float64(q.Incoming)/float64(total)*float64(width-gap)))
		if q.OnHand > 0 {
			incomingWidth = min(incomingWidth, width-gap-1)
		}
	}

	shares := make([]widget.Share, len(stateParts))
	for i, p := range stateParts {
		shares[i] = widget.Share{Label: p.short, Value: q.Of(p.state), Rune: p.rune}
	}

	stack := ""
	if q.OnHand > 0 {
		stack = widget.Stack(t, width-gap-incomingWidth, shares...)
	}

	return stack + strings.Repeat(" ", max(0, gap)) + t.Muted.Render(strings.Repeat("░", incomingWidth))
}
