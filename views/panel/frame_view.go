package panel

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
)

// View renders the document and the panel for the size class.
func (f Frame) View(size tui.Size, s DocumentSummary) string {
	var top []string
	switch size.Class {
	case tui.Narrow:
		top = f.narrowView(size, s)
	case tui.Short:
		top = f.shortView(size, s)
	default:
		top = f.standardView(size, s)
	}

	if text := f.LocationWarning(size); text != "" {
		top = append(top, text)
	}

	top = append(top, strings.Split(f.QuestionView(size), "\n")...)
	var table []string
	if !size.Small() {
		top = append(top, "")
		feed := f.Feed(size, minFeed)
		table = f.lineTable(size, s, size.Height-len(top)-len(feed)-1)
		if len(table) > 0 {
			table = append([]string{""}, table...)
		}
	}

	feed := f.Feed(size, size.Height-len(top)-len(table))

	return strings.Join(append(append(top, feed...), table...), "\n")
}

// minFeed is how many lines of the feed stay above the lines of a document.
const minFeed = 2

// dateText returns a date, or "" if it is zero.
func dateText(t *i18n.Translator, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return t.Date(at)
}

func (f Frame) narrowView(size tui.Size, s DocumentSummary) []string {
	t, th, l := f.t, f.theme, f.line
	rule := th.Muted.Render(widget.Rule(size.Width))
	lot := widget.Pair{Label: t.Get("lot")}
	lot.Value = shortLotText(l, size.Width-widget.Width(lot.Label)-1)
	if l.BySerial() {
		lot = widget.Pair{Label: t.Get("serials"), Value: t.Count(int64(len(l.Count.Serials)))}
		if hint := l.SuggestedSerials(); len(hint) > 0 {
			lot = widget.Pair{Label: t.GetC("take", "serial"), Value: widget.Clean(hint[0])}
		}
	}

	var lines []string
	name := widget.Wrap(widget.Clean(l.Item.Title()), size.Width)
	if len(name) > 2 {
		name = []string{name[0], widget.Clip(strings.Join(name[1:], " "), size.Width)}
	}
	for _, text := range name {
		lines = append(lines, th.Strong.Render(text))
	}
	if s.Note != "" {
		lines = append(lines, th.Warning.Render(widget.Clip(s.Note, size.Width)))
	}
	if len(name) < 2 {
		lines = append(lines, rule)
	}

	lines = append(lines, strings.Split(widget.Fields(th, size.Width,
		widget.Pair{Label: s.TotalWord, Value: t.Count(s.Total)},
		widget.Pair{Label: s.DoneWord, Value: t.Count(s.Done)},
		widget.Pair{Label: t.Get("to go"), Value: t.Count(l.Pending)}), "\n")...)
	if n := f.openLines(); n > 0 {
		lines = append(lines, widget.Clip(LinesToGo(t, n), size.Width))
	}
	if s.Way.Value != "" {
		lines = append(lines, widget.Fields(th, size.Width, s.Way))
	}
	if text := l.ShelfText(); text != "" {
		lines = append(lines, widget.Fields(th, size.Width, widget.Pair{Label: t.Get("shelf"), Value: text}))
	}

	lines = append(lines, rule)
	if f.doc.ClosedReason != "" { // nothing to count
		if s.Recorded == "" {
			return lines
		}
		for _, text := range widget.Wrap(widget.Clean(s.Recorded), size.Width) {
			lines = append(lines, th.Muted.Render(text))
		}
		return lines
	}

	pairs := []widget.Pair{{Label: t.Get("now"), Value: l.Count.QuantityText(t), Style: bold}, lot}
	if f.job.AllowDamaged {
		pairs = append(pairs, widget.Pair{Label: t.Get("expires"), Value: dateText(t, l.Count.ExpiresAt)},
			widget.Pair{Label: t.GetC("damaged", "count"), Value: t.Count(l.Count.Damaged)})
	}

	return append(lines, strings.Split(widget.Fields(th, size.Width, pairs...), "\n")...)
}

func (f Frame) shortView(size tui.Size, s DocumentSummary) []string {
	t, th, l := f.t, f.theme, f.line
	head := fmt.Sprintf(" %s/%s ", t.Count(s.Done), t.Count(s.Total))
	tail := "  " + t.Get("to go") + " " + widget.Right(t.Count(l.Pending), 4)
	bar := widget.Bar(th, s.Done+l.Count.Quantity, s.Total, max(4, size.Width-widget.Width(head)-widget.Width(tail)))
	now := fmt.Sprintf(" %s %3s", t.Get("now"), l.Count.QuantityText(t))
	if l.Count.Damaged > 0 {
		now += "  " + t.Get("dmg") + " " + t.Count(l.Count.Damaged)
	}

	expires := dateText(t, l.Count.ExpiresAt)
	if expires != "" {
		expires = "  " + expires
	}
	if lot := shortLotText(l, size.Width-widget.Width(now+expires)-2); lot != "" {
		now += "  " + lot
	} else if hint := l.SuggestedSerials(); l.BySerial() && len(hint) > 0 {
		now += "  " + t.GetC("take", "serial") + " " + widget.Clean(hint[0])
	}

	labeled := now + "  " + t.Get("expires") + expires[min(1, len(expires)):]
	if expires != "" && widget.Width(labeled) <= size.Width {
		now = labeled
	} else {
		now += expires
	}

	if f.doc.ClosedReason != "" && s.Recorded != "" {
		now = " " + widget.Clean(s.Recorded)
	}

	facts := th.Warning.Render(s.Note)
	if n := f.openLines(); n > 0 {
		facts = LinesToGo(t, n) + "  " + facts
	} else if s.Way.Value != "" {
		facts = s.Way.Label + " " + s.Way.Value + "  " + facts
	}

	facts = widget.Clean(l.MainShelf()) + "  " + facts

	item := widget.Between(th.Strong.Render(" "+widget.Clean(l.Item.Title())), strings.TrimSpace(facts), size.Width)

	return []string{widget.Clip(item, size.Width), head + bar + tail, widget.Clip(now, size.Width)}
}

// openLines returns how many of several lines have something left to count.
func (f Frame) openLines() int {
	switch {
	case len(f.lines) < 2 || f.doc.ClosedReason != "":
		return 0
	case f.line.Remaining() > 0:
		return f.open + 1
	}

	return f.open
}

func (f Frame) standardView(size tui.Size, s DocumentSummary) []string {
	t, th, l := f.t, f.theme, f.line
	width := min(size.Width-2, 116) // keeps columns close together on very wide screens
	right := 32
	if size.Class > tui.Standard {
		right = 48
	}

	when := th.Text.Render(s.When)
	if s.Late {
		when = th.Warn(s.When)
	}

	row := func(left, side string, right int) string {
		return " " + widget.Left(left, width-right) + widget.Left(side, right)
	}
	number := func(n int64) string { return widget.Right(t.Count(n), 7) }
	label := func(word string, width int) string { return th.Muted.Render(widget.Left(Title(word), width)) }
	bar := func(n int64) string {
		return "   " + widget.Bar(th, n, s.Total, min(max(20, width/4), 60)) + "  " + widget.Percent(t, n, s.Total)
	}
	after := s.Done + l.Count.Quantity
	lines := []string{
		row(th.Strong.Render(widget.Clean(l.Item.Title())),
			widget.Left(widget.Clean(l.Item.SKU), 14)+th.Muted.Render(widget.Clean(l.Item.PackText(t))), right),
		row(widget.Clean(s.Party), when, min(width, max(right, widget.Width(when)))),
		"",
		" " + label(s.TotalWord, 9) + number(s.Total) + "   " + label(s.DoneWord, 10) + number(s.Done) + bar(s.Done),
		" " + label(t.Get("to go"), 9) + number(l.Pending) + "   " + label(t.Get("This count"), 10) +
			th.Strong.Render(number(l.Count.Quantity)) + bar(after) + " " + t.Get("after this"),
		"",
	}

	return append(append(lines, f.details(width, s.Recorded)...), "")
}

// lotText returns the scanned lot, else the lots that the ledger holds in parentheses.
func lotText(l *count.Line) string {
	if hint := l.LotHint(); l.Count.Lot == "" && hint != "" {
		return "(" + hint + ")"
	}
	return l.Count.Lot
}

// shortLotText is lotText in width cells: if not all lots fit, the first one and how many
// follow.
func shortLotText(l *count.Line, width int) string {
	text := widget.Clean(lotText(l))
	if codes := l.TakeFrom(); l.Count.Lot == "" && len(codes) > 1 && widget.Width(text) > width {
		text = fmt.Sprintf("(%s +%d)", widget.Clean(codes[0]), len(codes)-1)
	}
	return text
}

// SerialsText returns the counted serials of a line, and muted those to take.
func SerialsText(t widget.Theme, l *count.Line) string {
	text := widget.Clean(strings.Join(l.Count.Serials, "  "))
	hint := widget.Clean(strings.Join(l.SuggestedSerials(), "  "))
	switch {
	case hint == "":
		return text
	case text == "":
		return t.Muted.Render("(" + hint + ")")
	}

	return text + "  " + t.Muted.Render("("+hint+")")
}

// details returns the rows for the lot, the serials, the over-receipt and the damaged
// items. recorded names the lots or serials of the booked part.
func (f Frame) details(width int, recorded string) (out []string) {
	t, th, l := f.t, f.theme, f.line
	row := func(label, value string) {
		text := "   " + th.Muted.Render(widget.Left(Title(label), 10)) + strings.TrimRight(value, " ")
		out = append(out, widget.Clip(text, width))
	}

	lot := widget.Left(widget.Clean(l.Count.Lot), 14)
	if !l.Count.ExpiresAt.IsZero() {
		lot += "  " + t.Get("expires") + " " + dateText(t, l.Count.ExpiresAt)
	}

	switch {
	case l.Count.Lot == "" && l.LotHint() != "":
		lot = th.Muted.Render(widget.Clean(lotText(l)))
	case l.ByLot() && l.Count.Lot == "" && f.doc.ClosedReason == "":
		lot = th.Muted.Render(t.Get("scan it, or press F7"))
	}

	if text := l.ShelfText(); text != "" {
		row(t.Get("Shelf"), widget.Clean(text))
	}

	row(t.Get("Lot"), lot)
	if why := f.refused[l.Key]; why != "" {
		row(t.GetC("Rejected", "count"), th.Warning.Render(widget.Clean(why)))
	}
	if l.BySerial() || len(l.Count.Serials) > 0 {
		row(t.Get("Serials"), SerialsText(th, l))
	}
	if l.Count.OverReceipt > 0 {
		row(t.Get("over"), t.Get("%s  not on the document", t.Count(l.Count.OverReceipt)))
	}

	if f.job.AllowDamaged {
		damaged := ""
		if l.Count.Damaged > 0 {
			damaged = t.Get("%-14s  of the %s counted", t.Count(l.Count.Damaged), t.Count(l.Count.Quantity)) +
				"  " + widget.Clean(names.Reason(t, l.Count.DamageCause))
		}
		row(t.GetC("damaged", "count"), damaged)
	}

	if recorded != "" {
		row(t.Get("recorded"), th.Muted.Render(widget.Clean(recorded)))
	}

	return out
}

// lineTable lists the lines of a document in at most height lines, with the current one
// selected. It is empty for a document of one line.
func (f Frame) lineTable(size tui.Size, s DocumentSummary, height int) []string {
	if len(s.Lines) < 2 || len(s.Lines) != len(f.lines) || height < 2 {
		return nil
	}

	t := f.t
	number := func(title string, rank int, of func(tableRow) string) widget.Column[tableRow] {
		width := max(7, widget.Width(title))
		return widget.Column[tableRow]{Title: title, Width: width, Right: true, Rank: rank, Cell: of}
	}
	now := number(t.Get("now"), 0, func(r tableRow) string {
		if r.line.Count.Quantity+r.line.Count.OverReceipt == 0 {
			return ""
		}
		return r.line.Count.QuantityText(t)
	})

	now.Style = func(_ tableRow, th widget.Theme, text string) string { return th.Strong.Render(text) }
	columns := []widget.Column[tableRow]{
		{Title: t.Get("product"), Width: 10,
			Cell: func(r tableRow) string { return r.line.Item.SKU }},
		{Title: t.Get("name"), Rank: 2, Cell: func(r tableRow) string { return r.line.Item.Name }},
		number(s.TotalWord, 1, func(r tableRow) string { return t.Count(r.Total) }),
		number(t.Get("to go"), 0, func(r tableRow) string { return t.Count(r.line.Pending) }), now,
		{Title: "", Width: 14, Cell: f.lineStatus, Warn: func(r tableRow) bool { return f.refused[r.line.Key] != "" }},
	}

	if f.line.For != "" {
		columns[1].Width, columns[3].Width, columns[4].Width = 20, 6, 6
		columns[2] = widget.Column[tableRow]{Title: t.Get("lot"), Width: 10,
			Cell: func(r tableRow) string { return r.line.LotHint() }}
		columns[5] = widget.Column[tableRow]{
			Title: t.Get("order"),
			Width: 26,
			Cell:  func(r tableRow) string { return r.Status },
		}
	}
	if count.HasShelves(f.lines) {
		columns = slices.Insert(columns, 0, widget.Column[tableRow]{Title: t.Get("shelf"), Width: 8,
			Cell: func(r tableRow) string { return r.line.MainShelf() }})
	}

	list := widget.NewList(func(r tableRow) string { return r.line.Key }, columns...)
	var rows []tableRow
	at := 0
	for i, l := range f.lines {
		if i == 0 || l.Group() != f.lines[i-1].Group() {
			rows = append(rows, tableRow{count.Joined(f.lines, l), s.Lines[i]})
		}
		if i == f.current {
			at = len(rows) - 1
		}
	}

	list.SetRows(rows)
	list.MoveTo(at)
	width := min(size.Width-2, 116)

	return strings.Split(strings.TrimRight(list.View(f.theme, width, min(height, len(rows)+1)), "\n"), "\n")
}

// A tableRow is a line of a document with what is known about it.
type tableRow struct {
	line *count.Line
	LineSummary
}

// lineStatus says what became of a line, or how far its count is.
func (f Frame) lineStatus(r tableRow) string {
	t, c := f.t, r.line.Count
	switch {
	case f.refused[r.line.Key] != "":
		return widget.GlyphRefused + " " + t.Get("not recorded")
	case c.OverReceipt > 0:
		return t.Get("%s extra", t.Count(c.OverReceipt))
	case r.line.Pending == 0:
		return r.Status
	case r.line.Remaining() == 0:
		return widget.GlyphOK + " " + t.GetC("counted", "line")
	case r.line.Announced.LotCode != "":
		return t.Get("lot %s", r.line.Announced.LotCode)
	}

	return ""
}

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

func bold(t widget.Theme, text string) string { return t.Strong.Render(text) }

// Title returns a word with a capital letter.
func Title(word string) string {
	if word == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(word)
	return strings.ToUpper(string(first)) + word[size:]
}

// LoadingView renders a screen whose document is loading, or could not be loaded
// because of fault.
func LoadingView(t *i18n.Translator, th widget.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(th.Muted.Render(widget.Clip(t.Get("loading %s…", name), size.Width)), size)
	}

	var lines []string
	for i, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		if i == 0 {
			line = th.Warn(line)
		} else {
			line = "  " + line
		}
		lines = append(lines, line)
	}

	lines = append(lines, "", widget.QuestionMarker+th.Ask(widget.Clip(t.Get("enter to retry"), size.Width-3)))

	return indent(strings.Join(lines, "\n"), size)
}
