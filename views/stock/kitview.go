package stock

import (
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"fmt"
)

func (s *kit) View(size tui.Size) string {
	if !s.known() {
		return s.absent(size)
	}
	return s.view(size, panel{what: kitWords[string(s.now.Mode)], changes: s.changes(), table: s.table(size), pairs: s.details(size)})
}

// table is what one kit is made of, and what becomes of it.
func (s *kit) table(size tui.Size) []string {
	t := s.env.Theme
	if s.of != s.goods.ID {
		return []string{margin(size) + t.Muted.Render(saidReadingWhatItIs)}
	}
	if len(s.parts) == 0 {
		return []string{margin(size) + t.Muted.Render(widget.Clip(partsUnknown, size.Width-2))}
	}
	n := s.bench.Line().Count.Now
	if s.now.Mode == together {
		n = -n
	}
	var lines []string
	for _, c := range s.parts {
		d := delta{before: c.balance.Available, after: c.balance.Available + n*c.per}
		lines = append(lines, c.line(t, size, d))
	}
	return lines
}

// line is a component: how many a kit has, and its stock before and after.
func (c *component) line(t theme.Theme, size tui.Size, d delta) string {
	per := widget.Count(c.per) + "×"
	switch size.Class {
	case tui.Narrow:
		text := widget.Count(d.before) + "→" + widget.Count(d.after)
		if d.after < 0 {
			text = t.Error.Render(text)
		}
		return widget.Between(per+" "+widget.Clean(c.goods.SKU), text, size.Width)
	case tui.Short:
		return " " + widget.Right(per, 4) + " " + widget.Left(widget.Clean(c.goods.SKU), 10) + c.change(t, d, 5)
	}
	return " " + widget.Right(per, 5) + " " + widget.Left(widget.Clean(c.goods.SKU), 10) + "  " + widget.Left(widget.Clean(c.goods.Name), 18) + c.change(t, d, 7)
}

// change is before → after; what lacks is said.
func (c *component) change(t theme.Theme, d delta, digits int) string {
	line := widget.Right(widget.Count(d.before), digits) + " → "
	if d.after < 0 {
		return line + t.Error.Render(widget.Right(widget.Count(d.after), digits)) + "  " + t.Refused(fmt.Sprintf(saidShort, widget.Count(-d.after)))
	}
	if d.by() == 0 {
		return line + t.Muted.Render(widget.Right(widget.Count(d.after), digits))
	}
	return line + t.Strong.Render(widget.Right(widget.Count(d.after), digits)) + t.Accent.Render(widget.Right(widget.Change(d.by()), digits))
}

// Speech is the work on kits in words.
func (s *kit) Speech() tui.Speech {
	out := s.speech(kitWords[string(s.now.Mode)], s.changes())
	for _, c := range s.parts {
		if s.known() {
			out.Facts = append(out.Facts, fmt.Sprintf(saidOfAvailable, widget.Count(c.per), c.goods.SKU, widget.Count(c.balance.Available)))
		}
	}
	if short := s.short(); short != "" {
		out.Facts = append(out.Facts, fmt.Sprintf(saidShortOf, short))
	}
	return out
}
