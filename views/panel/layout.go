package panel

import (
	"strings"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
)

// FitHeight cuts text to height lines that include the line of the question. A height
// of 0 means no limit.
func FitHeight(text string, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= height || height <= 0 {
		return text
	}
	at := 0
	for i, line := range lines {
		if strings.Contains(line, widget.QuestionMarker) {
			at = i
		}
	}
	top := max(0, min(at-height/2, len(lines)-height))
	return strings.Join(lines[top:top+height], "\n")
}

func margin(size tui.Size) int {
	if size.Small() {
		return 0
	}
	return 1
}

func indent(text string, size tui.Size) string {
	if size.Small() {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines, "\n")
}

func bold(t theme.Theme, text string) string { return t.Strong.Render(text) }

func title(word string) string {
	if word == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(first)) + word[size:]
}

// LoadingView renders a screen whose document is loading, or could not be loaded
// because of fault.
func LoadingView(t *i18n.Translator, th theme.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(th.Muted.Render(widget.Clip(t.Get("loading %s…", name), size.Width)), size)
	}
	var lines []string
	for _, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		lines = append(lines, th.Warn(line))
	}
	lines = append(lines, "", widget.QuestionMarker+th.Ask(widget.Clip(t.Get("enter to retry"), size.Width-3)))
	return indent(strings.Join(lines, "\n"), size)
}

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
		widget.Column[tableRow]{Title: "", Width: 14, Cell: p.lineStatus,
			Warn: func(r tableRow) bool { return p.sender.lines.Refused[r.line.Key] != "" }})
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
	case p.sender.lines.Refused[r.line.Key] != "":
		return theme.GlyphRefused + " " + t.Get("not recorded")
	case c.OverReceipt > 0:
		return t.Get("%s extra", t.Count(c.OverReceipt))
	case r.line.Pending == 0:
		return r.Status
	case r.line.Remaining() == 0:
		return theme.GlyphOK + " " + t.GetC("counted", "line")
	case r.line.Announced.LotCode != "":
		return t.Get("lot %s", r.line.Announced.LotCode)
	}
	return ""
}
