package stocktext

import (
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/names"
)

// stateParts lists the states that make up the quantity on hand, in display order,
// with a short name and the character of their bar.
var stateParts = []struct {
	state api.State
	short string
	rune  rune
}{
	{api.Available, i18n.Text("avail"), '█'},
	{api.Reserved, i18n.Text("res"), '▒'},
	{api.Committed, i18n.Text("com"), '▓'},
	{api.Damaged, i18n.Text("dam"), '░'},
	{api.QualityControl, i18n.Text("qc"), '·'},
	{api.SafetyStock, i18n.Text("safe"), '▚'},
}

// Equation formats the quantities as a sum: "on hand 312 = available 204 + reserved
// 24 + …   incoming 144". If width is too small it shortens the names, then omits
// states without stock, then shortens the rest, then omits the names.
func Equation(t *i18n.Translator, th theme.Theme, q api.Quantities, width int) string {
	sign := " = "
	if !q.AddsUp() {
		sign = " ≠ "
	}
	incoming := t.Get("incoming %s", t.Count(q.Incoming))
	for _, style := range []struct {
		long, zeros bool
	}{{true, true}, {false, true}, {false, false}} {
		line := t.Get("on hand %s%s%s", t.Count(q.OnHand), sign, equationText(t, q, style.long, style.zeros))
		if widget.Width(line)+widget.Width(incoming)+2 <= width {
			return colorEquation(th, q, widget.Between(line, incoming, width))
		}
	}
	for _, form := range []string{t.Get("on hand %s%s%s", t.Count(q.OnHand), sign, equationText(t, q, false, false)),
		t.Count(q.OnHand) + sign + equationText(t, q, false, false)} {
		if short := t.Get("in %s", t.Count(q.Incoming)); widget.Width(form)+widget.Width(short)+2 <= width {
			return colorEquation(th, q, widget.Between(form, short, width))
		}
		if q.Incoming == 0 && widget.Width(form) <= width {
			return colorEquation(th, q, form)
		}
	}
	var bare []string
	for _, p := range stateParts {
		bare = append(bare, t.Count(q.Of(p.state)))
	}
	line := t.Count(q.OnHand) + sign + strings.Join(bare, "+")
	return colorEquation(th, q, widget.Between(line, t.Get("in %s", t.Count(q.Incoming)), width))
}

// SplitEquation is Equation for a width that may leave no room for the names of the
// states. It then returns the incoming quantity apart, for another line.
func SplitEquation(t *i18n.Translator, th theme.Theme, q api.Quantities, width int) (equation, rest string) {
	sign := " = "
	if !q.AddsUp() {
		sign = " ≠ "
	}
	named := t.Count(q.OnHand) + sign + equationText(t, q, false, false)
	if incoming := t.Get("in %s", t.Count(q.Incoming)); widget.Width(named)+widget.Width(incoming)+2 > width && q.Incoming != 0 {
		rest = incoming
	}
	if equation = Equation(t, th, q, width); rest == "" && widget.Width(named) <= width {
		return equation, ""
	}
	if widget.Width(named) > width {
		named = t.Count(q.OnHand) + sign + strings.ReplaceAll(equationText(t, q, false, false), " + ", " ")
	}
	if widget.Width(named) > width {
		return equation, ""
	}
	return colorEquation(th, q, named), rest
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
func colorEquation(t theme.Theme, q api.Quantities, line string) string {
	if q.AddsUp() {
		return line
	}
	return t.Error.Render(line)
}

// Bar draws the quantity on hand by state as a bar, followed by the incoming
// quantity at the same scale.
func Bar(t theme.Theme, q api.Quantities, width int) string {
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
