package stock

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/balances"
	"bincard/views/dock"
)

// A panel is what a screen of one balance shows around its bench.
type panel struct {
	what    string // what is done, in a few words: "less of available"
	changes []delta
	pairs   []widget.Pair // below the changes
	table   []string      // in place of the changes, where the screen has its own
}

// absent paints the screen while it is not known what is worked on.
func (w *work) absent(size tui.Size) string {
	t := w.env.Theme
	if w.fault != "" || w.ref() != "" && w.goods.ID == (api.ID{}) {
		return dock.Absent(t, size, w.ShortTitle(), w.fault)
	}
	var lines []string
	if w.goods.ID != (api.ID{}) {
		lines = append(lines, margin(size)+t.Strong.Render(widget.Clip(widget.Clean(w.goods.Title()), size.Width-2)))
		w.typed.Ask = askPlace
	} else if w.typed.Ask = askGoods; w.place.Chosen() && !size.Small() {
		lines = append(lines, margin(size)+t.Muted.Render(widget.Clip(widget.Clean(fmt.Sprintf(saidAt, w.place.String())), size.Width-2)), "")
	}
	if size.Small() {
		w.typed.Ask = strings.TrimSuffix(w.typed.Ask, saidOrTypeItsSku)
	}
	return strings.Join(append(lines, margin(size)+w.typed.View(t, size.Width-len(margin(size)))), "\n")
}

func margin(size tui.Size) string {
	if size.Small() {
		return ""
	}
	return " "
}

// view paints the panel by the class of the terminal.
func (w *work) view(size tui.Size, p panel) string {
	var lines []string
	switch size.Class {
	case tui.Narrow:
		lines = w.wrist(size, p)
	case tui.Short:
		lines = w.strip(size, p)
	default:
		lines = w.desk(size, p)
	}
	lines = append(lines, strings.Split(w.bench.Ask(size), "\n")...)
	if !size.Small() {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, w.bench.Feed(size, size.Height-len(lines))...), "\n")
}

func (w *work) desk(size tui.Size, p panel) []string {
	t, width := w.env.Theme, min(size.Width-2, 116)
	lines := []string{
		" " + widget.Between(t.Strong.Render(widget.Clean(w.goods.Title())), t.Muted.Render(widget.Clean(w.goods.Pack())), width),
		" " + widget.Between(widget.Clean(fmt.Sprintf(saidAt, w.place.String())), t.Accent.Render(p.what), width),
		"",
		" " + balances.Equation(t, w.balance.Quantities, width),
		" " + balances.Bar(t, w.balance.Quantities, width),
		"",
	}
	if p.table != nil {
		lines = append(lines, p.table...)
	}
	for _, d := range p.changes {
		lines = append(lines, " "+t.Muted.Render(widget.Left(capital(d.state.Title()), 16))+change(t, d, 9))
	}
	lines = append(lines, "")
	for _, x := range p.pairs {
		lines = append(lines, "   "+t.Muted.Render(widget.Left(x.Label, 10))+widget.Clip(x.Value, width-14))
	}
	return append(lines, "")
}

// change is before → after and by how much, in columns that do not jump.
func change(t theme.Theme, d delta, digits int) string {
	after := widget.Right(widget.Count(d.after), digits)
	line := widget.Right(widget.Count(d.before), digits) + " → "
	switch {
	case d.after < 0:
		return line + t.Error.Render(after) + widget.Right(widget.Change(d.by()), digits) + "  " + t.Refused(saidTooMany)
	case d.by() == 0:
		return line + t.Muted.Render(after)
	}
	return line + t.Strong.Render(after) + t.Accent.Render(widget.Right(widget.Change(d.by()), digits))
}

func (w *work) strip(size tui.Size, p panel) []string {
	t := w.env.Theme
	lines := []string{widget.Between(t.Strong.Render(widget.Clean(w.goods.Title())), t.Accent.Render(p.what), size.Width)}
	for _, d := range p.changes {
		lines = append(lines, " "+t.Muted.Render(widget.Left(balances.Short(d.state), 10))+change(t, d, 7))
	}
	lines = append(lines, p.table...)
	rest := ""
	for _, x := range p.pairs {
		if x.Value != "" {
			rest += "  " + x.Value
		}
	}
	return append(lines, widget.Clip(strings.TrimPrefix(rest, " "), size.Width))
}

func (w *work) wrist(size tui.Size, p panel) []string {
	t := w.env.Theme
	rule := t.Muted.Render(widget.Rule(size.Width))
	lines := []string{t.Strong.Render(widget.Clip(widget.Clean(w.goods.Title()), size.Width)), t.Accent.Render(widget.Clip(p.what, size.Width)), rule}
	for _, d := range p.changes {
		text := widget.Count(d.before) + "→" + widget.Count(d.after)
		if d.after < 0 {
			text = t.Error.Render(text)
		}
		lines = append(lines, widget.Between(t.Muted.Render(balances.Short(d.state)), text, size.Width))
	}
	lines = append(lines, p.table...)
	lines = append(lines, rule, widget.Between(t.Muted.Render("now"), t.Strong.Render(widget.Count(w.bench.Line().Count.Now)), size.Width))
	for _, x := range p.pairs {
		lines = append(lines, widget.Between(t.Muted.Render(strings.ToLower(x.Label)), widget.Clip(strings.TrimSpace(x.Value), size.Width-8), size.Width))
	}
	return lines
}

// details are the lot or the pieces counted, and why.
func (w *work) details(size tui.Size) []widget.Pair {
	l := w.bench.Line()
	c := &l.Count
	first := widget.Pair{Label: fieldLot, Value: widget.Clean(c.Lot)}
	if !size.Small() {
		first.Value = widget.Left(first.Value, 14)
	}
	switch {
	case l.BySerial() || len(c.Serials) > 0:
		first = widget.Pair{Label: fieldPieces, Value: widget.Clean(strings.Join(c.Serials, "  "))}
	case l.ByLot() && c.Lot == "" && !size.Small():
		first.Value = w.env.Theme.Muted.Render(saidScanItOrF7)
	}
	if !c.Ends.IsZero() {
		first.Value += "  " + fmt.Sprintf(saidEndsOn, c.Ends.Format(time.DateOnly))
	} else if w.lot.lot != nil && w.lot.lot.ExpiresAt != nil {
		first.Value += "  " + fmt.Sprintf(saidEndsOn, w.lot.lot.ExpiresAt.Format(time.DateOnly))
	}
	if w.lot.known && !size.Small() {
		first.Value += w.env.Theme.Muted.Render("  " + lotHere(w.lot))
	}
	if !l.ByLot() && !l.BySerial() && c.Lot == "" && len(c.Serials) == 0 {
		return []widget.Pair{{Label: fieldReason, Value: widget.Clean(w.now.Reason)}}
	}
	return []widget.Pair{first, {Label: fieldReason, Value: widget.Clean(w.now.Reason)}}
}

// lotHere says how much of a lot the balance has.
func lotHere(h held) string {
	switch {
	case h.lot == nil:
		return saidANewLot
	case h.OnHand == 0:
		return saidNoneOfItIs
	}
	return fmt.Sprintf(saidOfItHereAvailable, widget.Count(h.OnHand), widget.Count(h.Available))
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
