package stock

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/stocktext"
)

// A balanceView is what a balance screen shows around its count panel.
type balanceView struct {
	stockItem
	t       *i18n.Translator
	theme   widget.Theme
	size    tui.Size
	counted int64
	heading string // what the job does: "remove available"
	deltas  []delta
	pairs   []widget.Pair // below the changes
	table   []string      // additional rows
}

// The usual questions for the product.
var (
	findProduct = i18n.Text("Scan the product, or type its SKU")
	scanProduct = i18n.Text("Scan the product")
)

// loadingView renders the screen until the item and the location are known.
func (w *balanceScreen) loadingView(size tui.Size) string {
	t := w.Theme
	if w.errText != "" || w.ref() != "" && w.item.ID == api.NoID {
		return panel.LoadingView(w.T, t, size, w.ShortTitle(), w.errText)
	}

	var lines []string
	switch {
	case w.item.ID != api.NoID:
		lines = append(lines, margin(size)+t.Strong.Render(widget.Clip(widget.Clean(w.item.Title()), size.Width-2)))
		w.itemInput.Ask = w.T.Get("Which location? Scan it, or press F6")
	case size.Small():
		w.itemInput.Ask = w.T.Get(cmp.Or(w.shortPrompt, scanProduct))
	default:
		w.itemInput.Ask = w.T.Get(cmp.Or(w.prompt, findProduct))
		if w.location.IsSet() {
			at := widget.Clean(w.T.Get("at %s", w.location.String()))
			lines = append(lines, margin(size)+t.Muted.Render(widget.Clip(at, size.Width-2)), "")
		}
	}

	return strings.Join(append(lines, margin(size)+w.itemInput.View(t, size.Width-len(margin(size)))), "\n")
}

func margin(size tui.Size) string {
	if size.Small() {
		return ""
	}
	return " "
}

// View renders the screen for the size class.
func (w *balanceScreen) View(size tui.Size) string {
	if !w.hasStock() {
		return w.loadingView(size)
	}

	w.size = size
	p := w.task.content(size)
	p.t, p.theme, p.size, p.pairs = w.T, w.Theme, size, w.details(size)
	p.stockItem, p.counted = w.stockItem, w.panel.Line().Count.Quantity
	var lines []string
	switch size.Class {
	case tui.Narrow:
		lines = p.narrow()
	case tui.Short:
		lines = p.short()
	default:
		lines = p.standard()
	}

	lines = append(lines, strings.Split(w.panel.Frame().QuestionView(size), "\n")...)
	if !size.Small() {
		lines = append(lines, "")
	}

	return strings.Join(append(lines, w.panel.Frame().Feed(size, size.Height-len(lines))...), "\n")
}

func (p balanceView) standard() []string {
	t, width := p.theme, min(p.size.Width-2, 116)
	lines := []string{
		" " + widget.Between(t.Strong.Render(widget.Clean(p.item.Title())),
			t.Muted.Render(widget.Clean(p.item.PackText(p.t))), width),
		" " + widget.Between(widget.Clean(p.t.Get("at %s", p.location.String())), t.Accent.Render(p.heading),
			width),
		"",
		" " + stocktext.Equation(p.t, t, p.balance.Quantities, width),
		" " + stocktext.Bar(t, p.balance.Quantities, width),
		"",
	}

	lines = append(lines, p.table...)
	for _, d := range p.deltas {
		lines = append(lines, " "+t.Muted.Render(widget.Left(capitalize(names.State(p.t, d.state)), 16))+
			deltaText(p.t, t, d, 9))
	}

	lines = append(lines, "")
	for _, x := range p.pairs {
		lines = append(lines, "   "+t.Muted.Render(widget.Left(x.Label, 10))+widget.Clip(x.Value, width-14))
	}

	return append(lines, "")
}

// deltaText renders before → after and the difference, in fixed columns.
func deltaText(t *i18n.Translator, th widget.Theme, d delta, digits int) string {
	after := widget.Right(t.Count(d.after), digits)
	line := widget.Right(t.Count(d.before), digits) + " → "
	switch {
	case d.after < 0:
		return line + th.Error.Render(after) + widget.Right(t.Change(d.change()), digits) + "  " +
			th.Refused(t.Get("too many"))
	case d.change() == 0:
		return line + th.Muted.Render(after)
	}

	return line + th.Strong.Render(after) + th.Accent.Render(widget.Right(t.Change(d.change()), digits))
}

func (p balanceView) short() []string {
	t := p.theme
	lines := []string{widget.Between(t.Strong.Render(widget.Clean(p.item.Title())), t.Accent.Render(p.heading),
		p.size.Width)}
	for _, d := range p.deltas {
		state := t.Muted.Render(widget.Left(names.ShortState(p.t, d.state), 10))
		lines = append(lines, " "+state+deltaText(p.t, t, d, 7))
	}

	lines = append(lines, p.table...)
	rest := ""
	for _, x := range p.pairs {
		if x.Value != "" {
			rest += "  " + x.Value
		}
	}

	return append(lines, widget.Clip(strings.TrimPrefix(rest, " "), p.size.Width))
}

func (p balanceView) narrow() []string {
	t := p.theme
	rule := t.Muted.Render(widget.Rule(p.size.Width))
	lines := []string{t.Strong.Render(widget.Clip(widget.Clean(p.item.Title()), p.size.Width))}
	for _, line := range widget.Wrap(p.heading, p.size.Width) {
		lines = append(lines, t.Accent.Render(line))
	}

	lines = append(lines, rule)
	for _, d := range p.deltas {
		text := p.t.Count(d.before) + "→" + p.t.Count(d.after)
		if d.after < 0 {
			text = t.Error.Render(text)
		}
		lines = append(lines, widget.Between(t.Muted.Render(names.ShortState(p.t, d.state)), text, p.size.Width))
	}

	lines = append(lines, p.table...)
	lines = append(lines, rule, widget.Between(t.Muted.Render(p.t.Get("now")),
		t.Strong.Render(p.t.Count(p.counted)), p.size.Width))
	for _, x := range p.pairs {
		lines = append(lines, widget.Between(t.Muted.Render(x.Label),
			widget.Clip(strings.TrimSpace(x.Value), p.size.Width-8), p.size.Width))
	}

	return lines
}

// details returns the counted lot or serials, and the reason.
func (w *balanceScreen) details(size tui.Size) []widget.Pair {
	t := w.T

	l := w.panel.Line()
	c := &l.Count
	lot, serials, reason := t.Get("Lot"), t.Get("Serials"), t.Get("Reason")
	if size.Class == tui.Narrow {
		lot, serials, reason = t.Get("lot"), t.Get("serials"), t.Get("reason")
	}

	first := widget.Pair{Label: lot, Value: widget.Clean(c.Lot)}
	if !size.Small() {
		first.Value = widget.Left(first.Value, 14)
	}

	switch {
	case l.BySerial() || len(c.Serials) > 0:
		first = widget.Pair{Label: serials, Value: widget.Clean(strings.Join(c.Serials, "  "))}
	case l.ByLot() && c.Lot == "" && !size.Small():
		first.Value = w.Theme.Muted.Render(t.Get("scan it, or F7"))
	}

	if !c.ExpiresAt.IsZero() {
		first.Value += "  " + t.Get("exp %s", t.Date(c.ExpiresAt))
	} else if w.lot.lot != nil && w.lot.lot.ExpiresAt != nil {
		first.Value += "  " + t.Get("exp %s", t.Date(*w.lot.lot.ExpiresAt))
	}

	if w.lot.known && !size.Small() {
		first.Value += w.Theme.Muted.Render("  " + lotHoldingText(t, w.lot))
	}
	if !l.ByLot() && !l.BySerial() && c.Lot == "" && len(c.Serials) == 0 {
		return []widget.Pair{{Label: reason, Value: widget.Clean(w.reasonText())}}
	}

	return []widget.Pair{first, {Label: reason, Value: widget.Clean(w.reasonText())}}
}

// lotHoldingText describes the stock of a lot in the balance.
func lotHoldingText(t *i18n.Translator, h lotStock) string {
	switch {
	case h.lot == nil:
		return t.Get("new lot")
	case h.OnHand == 0:
		return t.Get("none in stock here")
	}

	return t.Get("%s here, %s available", t.Count(h.OnHand), t.Count(h.Available))
}

func capitalize(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(first)) + s[size:]
}
