package listscreen

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// maxLabel limits the width of the labels of facts.
const maxLabel = 16

// PreviewWidth returns the width of a preview beside a list, or 0 if the screen has no room for
// one.
func PreviewWidth(size tui.Size) int {
	if size.Class < tui.Wide {
		return 0
	}
	return size.Width * 2 / 5
}

// View paints the document in at most height lines of at most width cells.
func (d *Preview) View(t *i18n.Translator, th widget.Theme, width, height int) []string {
	lines := []string{th.Strong.Render(widget.Clip(widget.Clean(d.Title), width))}
	lines = append(lines, d.facts(th, width)...)
	if room := height - len(lines) - 1; room > 1 && len(d.Lines) > 0 {
		lines = append(lines, "")
		table := previewTable(d, t)
		rows := strings.Split(table.View(th, width, room), "\n")
		lines = append(lines, rows[:min(len(rows), len(d.Lines)+1)]...)
	}

	return lines[:max(0, min(len(lines), height))]
}

// facts paints one fact per line, with the texts below each other.
func (d *Preview) facts(th widget.Theme, width int) (lines []string) {
	label := 0
	for _, f := range d.Facts {
		if f.Text != "" {
			label = max(label, min(maxLabel, widget.Width(widget.Clean(f.Label))))
		}
	}

	for _, f := range d.Facts {
		if f.Text == "" {
			continue
		}
		text := widget.Clip(widget.Clean(f.Text), width-label-2)
		if f.Warn {
			text = th.Warning.Render(text)
		}
		lines = append(lines, widget.Clip(th.Muted.Render(widget.Left(widget.Clean(f.Label), label))+"  "+text, width))
	}

	return lines
}

// previewTable lists the lines. If there is little room, it shortens the name, not the lot or the
// numbers.
func previewTable(d *Preview, t *i18n.Translator) widget.List[PreviewLine] {
	columns := []widget.Column[PreviewLine]{
		{Title: t.Get("product"), Width: 10, Cell: func(l PreviewLine) string { return l.SKU }},
		{Title: t.Get("name"), Rank: 3, Cell: func(l PreviewLine) string { return l.Name }}}
	lot := 0
	for _, l := range d.Lines {
		lot = max(lot, min(24, widget.Width(widget.Clean(l.Lot))))
	}

	if lot > 0 {
		columns = append(columns, widget.Column[PreviewLine]{
			Title: t.Get("lot"),
			Width: max(lot, widget.Width(t.Get("lot"))),
			Rank:  1,
			Cell:  func(l PreviewLine) string { return l.Lot },
		})
	}

	for i, title := range d.Numbers {
		rank := 2
		if i == len(d.Numbers)-1 {
			rank = 0
		}

		columns = append(
			columns,
			widget.Column[PreviewLine]{Title: title, Width: max(6, widget.Width(title)), Right: true, Rank: rank,
				Cell: func(l PreviewLine) string { return t.Count(l.Numbers[i]) }},
		)
	}

	list := widget.NewList(func(l PreviewLine) string { return l.ID.String() }, columns...)
	list.NoCursor = true
	list.SetRows(d.Lines)

	return list
}
