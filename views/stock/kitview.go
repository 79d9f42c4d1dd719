package stock

import (
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"fmt"
)

func (s *kit) View(size tui.Size) string {
	if !s.hasStock() {
		return s.loadingView(size)
	}
	return s.view(size, balanceView{heading: kitWords[string(s.choices.Mode)], deltas: s.deltas(), table: s.table(size), pairs: s.details(size)})
}

// table is what one kit is made of, and what becomes of it.
func (s *kit) table(size tui.Size) []string {
	t := s.env.Theme
	if s.product != s.item.ID {
		return []string{margin(size) + t.Muted.Render(saidReadingWhatItIs)}
	}
	if len(s.components) == 0 {
		return []string{margin(size) + t.Muted.Render(widget.Clip(partsUnknown, size.Width-2))}
	}
	n := s.panel.Line().Count.Quantity
	if s.choices.Mode == assemble {
		n = -n
	}
	var lines []string
	for _, c := range s.components {
		d := delta{before: c.balance.Available, after: c.balance.Available + n*c.perKit}
		lines = append(lines, c.row(t, size, d))
	}
	return lines
}

// row is a component: how many a kit has, and its stock before and after.
func (c *component) row(t theme.Theme, size tui.Size, d delta) string {
	per := widget.Count(c.perKit) + "×"
	switch size.Class {
	case tui.Narrow:
		text := widget.Count(d.before) + "→" + widget.Count(d.after)
		if d.after < 0 {
			text = t.Error.Render(text)
		}
		return widget.Between(per+" "+widget.Clean(c.item.SKU), text, size.Width)
	case tui.Short:
		return " " + widget.Right(per, 4) + " " + widget.Left(widget.Clean(c.item.SKU), 10) + c.deltaText(t, d, 5)
	}
	return " " + widget.Right(per, 5) + " " + widget.Left(widget.Clean(c.item.SKU), 10) + "  " + widget.Left(widget.Clean(c.item.Name), 18) + c.deltaText(t, d, 7)
}

// deltaText is before → after; what lacks is said.
func (c *component) deltaText(t theme.Theme, d delta, digits int) string {
	line := widget.Right(widget.Count(d.before), digits) + " → "
	if d.after < 0 {
		return line + t.Error.Render(widget.Right(widget.Count(d.after), digits)) + "  " + t.Refused(fmt.Sprintf(saidShort, widget.Count(-d.after)))
	}
	if d.change() == 0 {
		return line + t.Muted.Render(widget.Right(widget.Count(d.after), digits))
	}
	return line + t.Strong.Render(widget.Right(widget.Count(d.after), digits)) + t.Accent.Render(widget.Right(widget.Change(d.change()), digits))
}

// Speech is the work on kits in words.
func (s *kit) Speech() tui.Speech {
	out := s.speak(kitWords[string(s.choices.Mode)], s.deltas())
	for _, c := range s.components {
		if s.hasStock() {
			out.Facts = append(out.Facts, fmt.Sprintf(saidOfAvailable, widget.Count(c.perKit), c.item.SKU, widget.Count(c.balance.Available)))
		}
	}
	if short := s.shortageText(); short != "" {
		out.Facts = append(out.Facts, fmt.Sprintf(saidShortOf, short))
	}
	return out
}
