package stock

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

func (s *kit) content(size tui.Size) balanceView {
	return balanceView{heading: s.T.Get(kitTexts[s.choices.Mode].verb), deltas: s.deltas(), table: s.table(size)}
}

// table renders the components and how their stock changes.
func (s *kit) table(size tui.Size) []string {
	t := s.Theme
	if s.product != s.item.ID {
		return []string{margin(size) + t.Muted.Render(s.T.Get("loading components…"))}
	}
	if len(s.components) == 0 {
		return []string{margin(size) + t.Muted.Render(widget.Clip(s.T.Get("Components unknown"), size.Width-2))}
	}

	n := s.panel.Line().Count.Quantity
	if s.choices.Mode == assemble {
		n = -n
	}

	var lines []string
	for _, c := range s.components {
		d := delta{before: c.balance.Available, after: c.balance.Available + n*c.perKit}
		lines = append(lines, c.row(s.T, t, size, d))
	}

	return lines
}

// row renders a component: the quantity per kit, and its stock before and after.
func (c *component) row(t *i18n.Translator, th widget.Theme, size tui.Size, d delta) string {
	per := t.Count(c.perKit) + "×"
	switch size.Class {
	case tui.Narrow:
		text := t.Count(d.before) + "→" + t.Count(d.after)
		if d.after < 0 {
			text = th.Error.Render(text)
		}
		return widget.Between(per+" "+widget.Clean(c.item.SKU), text, size.Width)

	case tui.Short:
		return " " + widget.Right(per, 4) + " " + widget.Left(widget.Clean(c.item.SKU), 10) + c.deltaText(t, th, d, 5)
	}

	return " " + widget.Right(per, 5) + " " + widget.Left(widget.Clean(c.item.SKU), 10) + "  " +
		widget.Left(widget.Clean(c.item.Name), 18) + c.deltaText(t, th, d, 7)
}

// deltaText renders before → after, and the shortage if there is one.
func (c *component) deltaText(t *i18n.Translator, th widget.Theme, d delta, digits int) string {
	line := widget.Right(t.Count(d.before), digits) + " → "
	if d.after < 0 {
		return line + th.Error.Render(widget.Right(t.Count(d.after), digits)) + "  " +
			th.Refused(t.Get("short %s", t.Count(-d.after)))
	}
	if d.change() == 0 {
		return line + th.Muted.Render(widget.Right(t.Count(d.after), digits))
	}

	return line + th.Strong.Render(widget.Right(t.Count(d.after), digits)) +
		th.Accent.Render(widget.Right(t.Change(d.change()), digits))
}

// Speech describes the kit screen in words.
func (s *kit) Speech() tui.Speech {
	t := s.T

	out := s.speak(t.Get(kitTexts[s.choices.Mode].verb), s.deltas())
	for _, c := range s.components {
		if s.hasStock() {
			out.Facts = append(out.Facts, t.Get("%s of %s  available %s", t.Count(c.perKit), c.item.SKU,
				t.Count(c.balance.Available)))
		}
	}

	if short := s.shortageText(); short != "" {
		out.Facts = append(out.Facts, t.Get("short: %s", short))
	}

	return out
}
