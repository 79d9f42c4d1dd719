package panel

import (
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
)

// A tableRow is a line of a document with what is known about it.
type tableRow struct {
	line *count.Line
	LineSummary
}

// lineTable lists the lines of a document in at most height lines, with the current one
// selected. It is empty for a document of one line.
func (p *CountPanel) lineTable(size tui.Size, s DocumentSummary, height int) []string {
	if len(s.Lines) < 2 || len(s.Lines) != len(p.Lines) || height < 2 {
		return nil
	}
	t := p.T()
	number := func(title string, rank int, of func(tableRow) string) widget.Column[tableRow] {
		return widget.Column[tableRow]{Title: title, Width: max(7, widget.Width(title)), Right: true, Rank: rank, Cell: of}
	}
	now := number(t.Get("now"), 0, func(r tableRow) string {
		if r.line.Count.Quantity+r.line.Count.OverReceipt == 0 {
			return ""
		}
		return r.line.Count.QuantityText(t)
	})
	now.Style = func(_ tableRow, th theme.Theme, text string) string { return th.Strong.Render(text) }
	list := widget.NewList(func(r tableRow) string { return r.line.Key },
		widget.Column[tableRow]{Title: t.Get("product"), Width: 10, Cell: func(r tableRow) string { return r.line.Item.SKU }},
		widget.Column[tableRow]{Title: t.Get("name"), Rank: 2, Cell: func(r tableRow) string { return r.line.Item.Name }},
		number(s.TotalWord, 1, func(r tableRow) string { return t.Count(r.Total) }),
		number(t.Get("to go"), 0, func(r tableRow) string { return t.Count(r.line.Pending) }), now,
		widget.Column[tableRow]{Title: "", Width: 14, Cell: p.lineStatus, Style: func(r tableRow, th theme.Theme, text string) string {
			if p.lines.Refused[r.line.Key] != "" {
				return th.Warning.Render(text)
			}
			return text
		}})
	rows := make([]tableRow, len(p.Lines))
	for i, l := range p.Lines {
		rows[i] = tableRow{l, s.Lines[i]}
	}
	list.SetRows(rows)
	list.MoveTo(p.Current)
	width := min(size.Width-2, 116)
	return strings.Split(strings.TrimRight(list.View(p.Env.Theme, width, min(height, len(rows)+1)), "\n"), "\n")
}

// lineStatus says what became of a line, or how far its count is.
func (p *CountPanel) lineStatus(r tableRow) string {
	t, c := p.T(), r.line.Count
	switch {
	case p.lines.Refused[r.line.Key] != "":
		return theme.GlyphRefused + " " + t.Get("not recorded")
	case c.OverReceipt > 0:
		return t.Get("%s extra", t.Count(c.OverReceipt))
	case r.line.Pending == 0:
		return r.Status
	case r.line.Remaining() == 0:
		return theme.GlyphOK + " " + t.GetC("counted", "line")
	}
	return ""
}
