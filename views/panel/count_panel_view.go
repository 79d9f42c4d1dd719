package panel

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
)

// Feed returns the feed, newest first, in at most height lines.
func (p *CountPanel) Feed(size tui.Size, height int) []string {
	return p.feed.view(p.T(), p.Env.Theme, size, height)
}

// LocationWarning returns a warning line if the items are handled at another location
// than the operator's, or "".
func (p *CountPanel) LocationWarning(size tui.Size) string {
	return p.location.warning(p.Env.Theme, size, p.Document.Location)
}

// View renders the document and the panel for the size class.
func (p *CountPanel) View(size tui.Size, s DocumentSummary) string {
	var top []string
	switch size.Class {
	case tui.Narrow:
		top = p.narrowView(size, s)
	case tui.Short:
		top = p.shortView(size, s)
	default:
		top = p.standardView(size, s)
	}
	if text := p.LocationWarning(size); text != "" {
		top = append(top, text)
	}
	top = append(top, strings.Split(p.QuestionView(size), "\n")...)
	if size.Small() {
		return strings.Join(append(top, p.Feed(size, size.Height-len(top))...), "\n")
	}
	top = append(top, "")
	table := p.lineTable(size, s, size.Height-len(top)-len(p.Feed(size, minFeed))-1)
	if len(table) == 0 {
		return strings.Join(append(top, p.Feed(size, size.Height-len(top))...), "\n")
	}
	feed := p.Feed(size, size.Height-len(top)-len(table)-1)
	return strings.Join(append(append(append(top, feed...), ""), table...), "\n")
}

// minFeed is how many lines of the feed stay above the lines of a document.
const minFeed = 2

func (p *CountPanel) narrowView(size tui.Size, s DocumentSummary) []string {
	t, l := p.Env.Theme, p.Line()
	expires := ""
	if !l.Count.ExpiresAt.IsZero() {
		expires = l.Count.ExpiresAt.Format(time.DateOnly)
	}
	rule := t.Muted.Render(widget.Rule(size.Width))
	lot := widget.Pair{Label: p.T().Get("lot")}
	lot.Value = shortLotText(l, size.Width-widget.Width(lot.Label)-1)
	if l.BySerial() {
		lot = widget.Pair{Label: p.T().Get("serials"), Value: p.T().Count(int64(len(l.Count.Serials)))}
		if hint := l.SuggestedSerials(); len(hint) > 0 {
			lot = widget.Pair{Label: p.T().GetC("take", "serial"), Value: widget.Clean(hint[0])}
		}
	}
	var lines []string
	name := widget.Wrap(widget.Clean(l.Item.Title()), size.Width)
	if len(name) > 2 {
		name = []string{name[0], widget.Clip(strings.Join(name[1:], " "), size.Width)}
	}
	for _, text := range name {
		lines = append(lines, t.Strong.Render(text))
	}
	if s.Note != "" {
		lines = append(lines, t.Warning.Render(widget.Clip(s.Note, size.Width)))
	}
	if len(name) < 2 {
		lines = append(lines, rule)
	}
	lines = append(lines, strings.Split(widget.Fields(t, size.Width,
		widget.Pair{Label: s.TotalWord, Value: p.T().Count(s.Total)},
		widget.Pair{Label: s.DoneWord, Value: p.T().Count(s.Done)},
		widget.Pair{Label: p.T().Get("to go"), Value: p.T().Count(l.Pending)}), "\n")...)
	if n := p.openLines(); n > 0 {
		lines = append(lines, widget.Clip(LinesToGo(p.T(), n), size.Width))
	}
	if s.Way.Value != "" {
		lines = append(lines, widget.Fields(t, size.Width, s.Way))
	}
	if p.Document.ClosedReason != "" { // nothing to count
		lines = append(lines, rule)
		if s.Recorded == "" {
			return lines
		}
		for _, text := range widget.Wrap(widget.Clean(s.Recorded), size.Width) {
			lines = append(lines, t.Muted.Render(text))
		}
		return lines
	}
	lines = append(lines, rule)
	pairs := []widget.Pair{{Label: p.T().Get("now"), Value: l.Count.QuantityText(p.T()), Style: bold}, lot}
	if p.Job.AllowDamaged {
		pairs = append(pairs, widget.Pair{Label: p.T().Get("expires"), Value: expires}, widget.Pair{Label: p.T().GetC("damaged", "count"), Value: p.T().Count(l.Count.Damaged)})
	}
	return append(lines, strings.Split(widget.Fields(t, size.Width, pairs...), "\n")...)
}

func (p *CountPanel) shortView(size tui.Size, s DocumentSummary) []string {
	t, l := p.Env.Theme, p.Line()
	head := fmt.Sprintf(" %s/%s ", p.T().Count(s.Done), p.T().Count(s.Total))
	tail := "  " + p.T().Get("to go") + " " + widget.Right(p.T().Count(l.Pending), 4)
	bar := widget.Bar(t, s.Done+l.Count.Quantity, s.Total, max(4, size.Width-widget.Width(head)-widget.Width(tail)))
	now := fmt.Sprintf(" %s %3s", p.T().Get("now"), l.Count.QuantityText(p.T()))
	if l.Count.Damaged > 0 {
		now += "  " + p.T().Get("dmg") + " " + p.T().Count(l.Count.Damaged)
	}
	expires := ""
	if !l.Count.ExpiresAt.IsZero() {
		expires = "  " + l.Count.ExpiresAt.Format(time.DateOnly)
	}
	if lot := shortLotText(l, size.Width-widget.Width(now+expires)-2); lot != "" {
		now += "  " + lot
	} else if hint := l.SuggestedSerials(); l.BySerial() && len(hint) > 0 {
		now += "  " + p.T().GetC("take", "serial") + " " + widget.Clean(hint[0])
	}
	if labeled := now + "  " + p.T().Get("expires") + expires[min(1, len(expires)):]; expires != "" && widget.Width(labeled) <= size.Width {
		now = labeled
	} else {
		now += expires
	}
	if p.Document.ClosedReason != "" && s.Recorded != "" {
		now = " " + widget.Clean(s.Recorded)
	}
	item := t.Strong.Render(" " + widget.Clean(l.Item.Title()))
	if n := p.openLines(); n > 0 {
		item = widget.Between(item, LinesToGo(p.T(), n), size.Width)
	} else if s.Way.Value != "" {
		item = widget.Between(item, s.Way.Label+" "+s.Way.Value, size.Width)
	}
	if s.Note != "" {
		item = widget.Between(strings.TrimRight(item, " "), t.Warning.Render(s.Note), size.Width)
	}
	return []string{widget.Clip(item, size.Width), head + bar + tail, widget.Clip(now, size.Width)}
}

// openLines returns how many of several lines have something left to count.
func (p *CountPanel) openLines() int {
	if len(p.Lines) < 2 || p.Document.ClosedReason != "" {
		return 0
	}
	_, n := p.NextOpen()
	if p.Line().Remaining() > 0 {
		n++
	}
	return n
}

func (p *CountPanel) standardView(size tui.Size, s DocumentSummary) []string {
	t, l := p.Env.Theme, p.Line()
	width := min(size.Width-2, 116) // keeps columns close together on very wide screens
	right := 32
	if size.Class > tui.Standard {
		right = 48
	}
	when := t.Text.Render(s.When)
	if s.Late {
		when = t.Warn(s.When)
	}
	row := func(left, side string, right int) string {
		return " " + widget.Left(left, width-right) + widget.Left(side, right)
	}
	bar := min(max(20, width/4), 60)
	number := func(n int64) string { return widget.Right(p.T().Count(n), 7) }
	lines := []string{
		row(t.Strong.Render(widget.Clean(l.Item.Title())), widget.Left(widget.Clean(l.Item.SKU), 14)+t.Muted.Render(widget.Clean(l.Item.PackText(p.T()))), right),
		row(widget.Clean(s.Party), when, min(width, max(right, widget.Width(when)))),
		"",
		" " + t.Muted.Render(widget.Left(title(s.TotalWord), 9)) + number(s.Total) + "   " + t.Muted.Render(widget.Left(title(s.DoneWord), 10)) + number(s.Done) +
			"   " + widget.Bar(t, s.Done, s.Total, bar) + "  " + widget.Percent(p.T(), s.Done, s.Total),
		" " + t.Muted.Render(widget.Left(title(p.T().Get("to go")), 9)) + number(l.Pending) + "   " + t.Muted.Render(widget.Left(p.T().Get("Now"), 10)) + t.Strong.Render(number(l.Count.Quantity)) +
			"   " + widget.Bar(t, s.Done+l.Count.Quantity, s.Total, bar) + "  " + widget.Percent(p.T(), s.Done+l.Count.Quantity, s.Total) + " " + p.T().Get("after this"),
		"",
	}
	lines = append(lines, p.details(t, width, l, s.Recorded)...)
	return append(lines, "")
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
func SerialsText(t theme.Theme, l *count.Line) string {
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
func (p *CountPanel) details(t theme.Theme, width int, l *count.Line, recorded string) []string {
	lot := widget.Left(widget.Clean(l.Count.Lot), 14)
	if !l.Count.ExpiresAt.IsZero() {
		lot += "  " + p.T().Get("expires") + " " + l.Count.ExpiresAt.Format(time.DateOnly)
	}
	switch {
	case l.Count.Lot == "" && l.LotHint() != "":
		lot = t.Muted.Render(widget.Clean(lotText(l)))
	case l.ByLot() && l.Count.Lot == "" && p.Document.ClosedReason == "":
		lot = t.Muted.Render(p.T().Get("scan it, or press F7"))
	}
	pairs := []widget.Pair{{Label: p.T().Get("Lot"), Value: lot}}
	if why := p.sender.lines.Refused[l.Key]; why != "" {
		pairs = append(pairs, widget.Pair{Label: p.T().GetC("Refused", "count"), Value: t.Warning.Render(widget.Clean(why))})
	}
	if l.BySerial() || len(l.Count.Serials) > 0 {
		pairs = append(pairs, widget.Pair{Label: p.T().Get("Serials"), Value: SerialsText(t, l)})
	}
	if l.Count.OverReceipt > 0 {
		pairs = append(pairs, widget.Pair{Label: title(p.T().Get("over")), Value: p.T().Get("%s  not on the document", p.T().Count(l.Count.OverReceipt))})
	}
	if p.Job.AllowDamaged {
		damaged := ""
		if l.Count.Damaged > 0 {
			damaged = p.T().Get("%-14s  of the %s counted", p.T().Count(l.Count.Damaged), p.T().Count(l.Count.Quantity))
		}
		pairs = append(pairs, widget.Pair{Label: title(p.T().GetC("damaged", "count")), Value: damaged})
	}
	if recorded != "" {
		pairs = append(pairs, widget.Pair{Label: title(p.T().Get("recorded")), Value: t.Muted.Render(widget.Clean(recorded))})
	}
	var out []string
	for _, pair := range pairs {
		out = append(out, widget.Clip("   "+t.Muted.Render(widget.Left(pair.Label, 10))+strings.TrimRight(pair.Value, " "), width))
	}
	return out
}

// takeFact says which serials to take, or which lot if the document shows none; or "".
func takeFact(t *i18n.Translator, l *count.Line) string {
	if serials := l.SuggestedSerials(); l.BySerial() && len(serials) > 0 {
		return t.Get("take serial %s", strings.Join(serials, ", "))
	}
	if len(l.Stock.Held) == 0 && l.Count.Lot == "" && l.Pending > 0 && l.LotHint() != "" {
		return t.Get("take from lot %s", l.LotHint())
	}
	return ""
}

// Speech describes the panel in words, after the given facts.
func (p *CountPanel) Speech(facts ...string) tui.Speech {
	t := p.T()

	s := tui.Speech{Facts: facts, FeedCount: p.feed.added, Question: p.questionText(true), Form: p.lotForm,
		Numbers: p.Document.ClosedReason == "" && p.lotForm == nil && !p.markingDamaged && !p.sender.submission.Unfinished()}
	l := p.Line()
	switch {
	case p.Document.ClosedReason != "":
		s.Facts = append(s.Facts, p.Document.ClosedReason)
		s.Question = cmp.Or(p.Document.ClosedShort, t.Get("closed"))
		now := p.Env.Now()
		if text := p.next.text(t, now, true); text != "" {
			s.Facts, s.Question = append(s.Facts, p.next.text(t, now, false)), s.Question+"; "+text
		}
	case p.sender.submission.Unfinished():
		s.Facts = append(s.Facts, p.questionText(false))
	case len(p.Lines) > 0:
		if text := l.Text(t); text != "" {
			s.Facts = append(s.Facts, text)
		}
		if text := takeFact(t, l); text != "" {
			s.Facts = append(s.Facts, text)
		}
	}
	for _, x := range p.feed.entries {
		s.Feed = append(s.Feed, x.Text(p.T()))
	}
	if len(p.Lines) > 1 {
		s.List = &tui.Listing{Len: len(p.Lines), Noun: t.Get("lines"), Select: p.Choose,
			Line: func(row int) string {
				l := p.Lines[row]
				text := t.Get("%s  %s  ready %s  now %s", l.Item.SKU, l.Item.Name, t.Count(l.Pending), t.Count(l.Count.Quantity))
				if p.Job.Advance && !p.Job.Ready {
					text = t.Get("%s  %s  %s to go  now %s", l.Item.SKU, l.Item.Name, t.Count(l.Pending), t.Count(l.Count.Quantity))
				}
				if row == p.Current {
					text += "  " + t.GetC("selected", "line")
				}
				return text
			}}
		at := t.Get("line %s", l.Item.SKU)
		switch {
		case p.Job.Advance && !p.Job.Ready:
			at += t.Get(": %s to go", t.Count(l.Pending))
		case l.Pending < api.MaxQuantity:
			at += t.Get(": ready %s", t.Count(l.Pending))
		}
		s.Facts = append(s.Facts, at)
	}
	return s
}
