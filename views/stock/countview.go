package stock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
)

func (s *countScreen) View(size tui.Size) string {
	t := s.env.Theme
	switch {
	case s.ref() == "":
		return margin(size) + s.locationInput.View(t, size.Width-2)
	case s.stock == nil:
		return panel.LoadingView(s.site.T(), t, size, s.ref(), s.errText)
	case size.Small():
		return s.smallView(t, size)
	}
	done, all := s.progress()
	width := min(size.Width-2, 116)
	lines := []string{" " + widget.Between(t.Strong.Render(widget.Clean(s.location.String())), s.statusLine(t, done, all), width), ""}
	below := s.footer(t, size, width)
	room := size.Height - len(lines) - len(below)
	lines = append(lines, strings.Split(s.table(t, size, size.Width-2, max(3, room)), "\n")...)
	return strings.Join(append(lines, below...), "\n")
}

// statusLine shows the progress of the count, or its verdicts.
func (s *countScreen) statusLine(t theme.Theme, done, all int) string {
	if !s.draft.Review {
		text := s.site.T().Get("%s of %s counted", s.site.T().Count(int64(done)), s.site.T().Count(int64(all)))
		if s.isBlind() {
			text = s.site.T().Get("blind   %s", text)
		}
		return t.Muted.Render(text)
	}
	n := s.shownCounts()
	var parts []string
	for _, x := range []struct {
		v    verdict
		word string
	}{{unconfirmed, s.site.T().Get("to count again")}, {differing, s.site.T().Get("to adjust")}, {hidden, s.site.T().Get("counted")}, {moved, s.site.T().Get("stock changed")}, {refused, s.site.T().Get("rejected")}, {uncounted, s.site.T().Get("not counted")}, {agrees, s.site.T().GetC("match", "count")}} {
		if x.v == agrees && n[agrees] == 1 {
			x.word = s.site.T().GetC("matches", "count")
		}
		if n[x.v] > 0 {
			parts = append(parts, s.site.T().Count(int64(n[x.v]))+" "+x.word)
		}
	}
	return t.Accent.Render(strings.Join(parts, "   "))
}

// footer returns what is below the table: details of the selected line, the prompt and
// the feed.
func (s *countScreen) footer(t theme.Theme, size tui.Size, width int) []string {
	lines := []string{""}
	for _, line := range s.detailLines(t, s.selected(), width-4, 2) {
		lines = append(lines, "   "+line)
	}
	if !s.draft.Review && len(s.draft.Queue) == 0 {
		lines = append(append(lines, ""), strings.Split(s.panel.QuestionView(size), "\n")...)
		if feed := s.panel.Feed(size, 4); len(feed) > 0 {
			lines = append(append(lines, ""), feed...)
		}
		return lines
	}
	return append(lines, "", " "+widget.QuestionMarker+t.Ask(widget.Clip(s.reviewQuestion(false), width-2)))
}

// reviewQuestion returns the prompt during the review.
func (s *countScreen) reviewQuestion(small bool) string {
	t := s.site.T()

	switch {
	case len(s.draft.Queue) > 0 && !s.submission.Sending() && small:
		return t.Get("no answer: enter")
	case len(s.draft.Queue) == 0 && s.verdict(s.selected()) == moved && small:
		return t.Get("changed: F3 or F10")
	case len(s.draft.Queue) == 0 && s.verdict(s.selected()) == refused && small:
		return t.Get("rejected: F3 or F10")
	case len(s.draft.Queue) == 0 && s.verdictCounts()[unconfirmed] > 0 && small:
		return t.Get("count again: F3")
	case len(s.draft.Queue) == 0 && s.verdictCounts()[differing] == 0 && small && !s.hidesExpected():
		return t.Get("enter to finish")
	case len(s.draft.Queue) == 0 && small:
		return t.Get("enter to post")
	case len(s.draft.Queue) > 0 && s.submission.Sending():
		return t.Get("Recording: %s left", t.Count(int64(len(s.draft.Queue))))
	case len(s.draft.Queue) > 0:
		return t.Get("No answer yet. Press enter to retry.")
	case s.verdict(s.selected()) == moved:
		return t.Get("Stock changed during the count. Recount (F3) or keep the count (F10).")
	case s.verdictCounts()[unconfirmed] > 0:
		return t.Get("Large differences: %s. Another person recounts (F3), or a supervisor posts.", t.Count(int64(s.verdictCounts()[unconfirmed])))
	case s.hidesExpected():
		return t.Get("Press enter to post the count.")
	case s.verdictCounts()[differing] > 0:
	case s.verdictCounts()[refused] > 0:
		return t.Get("Recount what was rejected (F3), or press enter to finish.")
	case s.verdictCounts()[moved] == 0:
		return t.Get("No differences. Press enter to finish.")
	}
	return t.Get("Check the differences. Press enter to post them.")
}

// lineDetail describes a line in more detail than the table.
func (s *countScreen) lineDetail(t theme.Theme, l *count.Line) string {
	if l.Item.SKU == "" {
		if s.stock.otherOwners == 1 {
			return t.Muted.Render(s.site.T().Get("Not counted here: 1 balance of another owner"))
		}
		if s.stock.otherOwners > 0 {
			return t.Muted.Render(s.site.T().Get("Not counted here: %s balances of other owners", s.site.T().Count(int64(s.stock.otherOwners))))
		}
		return t.Muted.Render(s.lastResult)
	}
	if s.rowErrors[l.Key] != "" {
		return t.Warn(widget.Clean(s.rowErrors[l.Key]))
	}
	name := t.Strong.Render(widget.Clean(l.Item.Title())) + "   " + t.Muted.Render(widget.Clean(l.Item.PackText(s.site.T())))
	switch {
	case s.draft.Review && s.verdict(l) == moved && !s.hidesExpected():
		now := int64(0)
		if r := s.current[l.Key]; r != nil {
			now = r.Expected
		}
		return name + "   " + t.Warn(s.site.T().Get("stock was %s when the count began, now %s", s.site.T().Count(s.rowOf(l).Expected), s.site.T().Count(now)))
	case s.draft.Review && s.verdict(l) == unconfirmed && s.draft.First[l.Key] != nil:
		return name + "   " + t.Warn(s.site.T().Get("counted %s, then %s", s.site.T().Count(s.draft.First[l.Key].Quantity), s.site.T().Count(l.Count.Quantity)))
	case l.BySerial() && (s.draft.Review || !s.hidesExpected()) && hasCount(l):
		missing, extra := s.serialDifferences(l)
		if len(missing) > 0 && !s.hidesExpected() {
			name += "   " + t.Warning.Render(s.site.T().Get("missing %s", strings.Join(missing, " ")))
		}
		if len(extra) > 0 {
			name += "   " + t.Accent.Render(s.site.T().Get("found %s", strings.Join(extra, " ")))
		}
	}
	return name
}

// detailLines returns lineDetail in lines of at most width cells. Why a row was rejected
// takes up to most lines.
func (s *countScreen) detailLines(t theme.Theme, l *count.Line, width, most int) []string {
	text := s.rowErrors[l.Key]
	switch {
	case text == "" && width < 30 && s.draft.Review && l.Item.SKU != "":
		lines := []string{t.Strong.Render(widget.Clip(widget.Clean(l.Item.Title()), width)), widget.Clip(s.verdictText(l), width)}
		if hasCount(l) {
			lines = append(lines, widget.Clip(s.site.T().Get("counted %s of %s", s.site.T().Count(l.Count.Quantity), s.expected(l)), width))
		}
		return lines
	case text == "" && width < 60 && s.draft.Review && l.Item.SKU != "":
		return []string{widget.Between(t.Strong.Render(widget.Clean(l.Item.Title())), s.verdictText(l), width)}
	case text == "":
		return []string{widget.Clip(s.lineDetail(t, l), width)}
	}
	lines := widget.Wrap(widget.Clean(text), width-2)
	if len(lines) > most {
		lines = append(lines[:most-1], widget.Clip(strings.Join(lines[most-1:], " "), width-2))
	}
	for i := range lines {
		if i == 0 {
			lines[i] = t.Warn(lines[i])
		} else {
			lines[i] = t.Warning.Render("  " + lines[i])
		}
	}
	return lines
}

// rowName names the row of a line: the SKU and the lot.
func (s *countScreen) rowName(l *count.Line) string {
	if lot := s.rowOf(l).Lot; lot != "" {
		return l.Item.SKU + " " + lot
	}
	return l.Item.SKU
}

// table renders the lines; the cursor is on the current one.
func (s *countScreen) table(t theme.Theme, size tui.Size, width, height int) string {
	s.list.Columns = s.columns(size)
	s.list.EmptyText = s.site.T().Get("No stock recorded here: scan what you find")
	s.list.NoTitles = size.Class == tui.Short
	at := s.list.Cursor()
	s.list.SetRows(s.panel.Lines)
	if at = min(at, max(0, len(s.panel.Lines)-1)); !s.draft.Review {
		at = s.panel.Current
	}
	s.list.MoveTo(at)
	return s.list.View(t, width, height)
}

func (s *countScreen) columns(size tui.Size) []widget.Column[*count.Line] {
	type col = widget.Column[*count.Line]
	muted := func(empty func(*count.Line) bool) func(*count.Line, theme.Theme, string) string {
		return func(l *count.Line, t theme.Theme, text string) string {
			if empty(l) {
				return t.Muted.Render(text)
			}
			return text
		}
	}
	counted := col{Title: s.site.T().Get("counted"), Width: 8, Right: true, Cell: func(l *count.Line) string {
		if !hasCount(l) {
			return "·"
		}
		return s.site.T().Count(l.Count.Quantity)
	}, Style: func(l *count.Line, t theme.Theme, text string) string {
		if hasCount(l) {
			return t.Strong.Render(text)
		}
		return t.Muted.Render(text)
	}}
	expected := col{Title: s.site.T().GetC("expected", "stock"), Width: 8, Right: true, Rank: 1, Cell: s.expected, Style: muted(func(*count.Line) bool { return true })}
	result := col{Title: "", Width: 17, Rank: 2, Cell: s.verdictText, Style: func(l *count.Line, t theme.Theme, text string) string {
		switch {
		case s.isBlind() && !s.draft.Review, strings.TrimSpace(text) == "", slices.Contains([]verdict{uncounted, agrees, hidden}, s.shownVerdict(l)):
			return t.Muted.Render(text)
		}
		return t.Warning.Render(text)
	}}
	if !s.draft.Review {
		result.Width = 8
	}
	product := col{Title: s.site.T().Get("product"), Width: 10, Cell: func(l *count.Line) string { return l.Item.SKU }}
	lot := col{Title: s.site.T().Get("lot"), Width: 10, Rank: 3, Cell: func(l *count.Line) string { return s.rowOf(l).Lot }}
	if size.Small() {
		product.Width, counted.Width, expected.Width = 0, 5, 5
		counted.Title, expected.Title = s.site.T().Get("now"), s.site.T().Get("stock")
		product.Cell = s.rowName
		if size.Class == tui.Narrow || s.sku() != "" { // the lot tells the rows apart
			product.Cell = func(l *count.Line) string { return cmp.Or(s.rowOf(l).Lot, l.Item.SKU) }
		}
		result.Title = s.site.T().GetC("diff", "count")
		result.Width, result.Right, result.Rank = 5, true, 0
		result.Cell = func(l *count.Line) string { return verdictMark(s.site.T(), s.shownVerdict(l), s.difference(l)) }
		switch {
		case size.Class == tui.Narrow && s.draft.Review:
			return []col{product, result}
		case size.Class == tui.Narrow:
			return []col{product, counted}
		case s.draft.Review:
			return []col{product, expected, counted, result}
		}
		return []col{product, expected, counted}
	}
	return []col{product, {Title: s.site.T().Get("name"), Rank: 5, Cell: func(l *count.Line) string { return l.Item.Name }}, lot, expected, counted, result}
}

// verdictText describes the verdict on a line.
func (s *countScreen) verdictText(l *count.Line) string {
	t := s.site.T()

	if !s.draft.Review {
		if s.isBlind() || !hasCount(l) || !s.differs(l) {
			return ""
		}
		return t.Change(s.difference(l))
	}
	switch s.shownVerdict(l) {
	case moved:
		return theme.GlyphUnconfirmed + " " + t.Get("stock changed")
	case unconfirmed:
		if s.hidesExpected() {
			return theme.GlyphRefused + " " + t.Get("count again")
		}
		return theme.GlyphRefused + " " + t.Change(s.difference(l)) + " " + t.Get("again")
	case hidden:
		return t.Get("counted")
	case uncounted:
		return theme.GlyphPending + " " + t.Get("not counted")
	case refused:
		return theme.GlyphRefused + " " + t.Get("rejected")
	case agrees:
		return theme.GlyphOK + " " + t.Get("matches")
	}
	if s.difference(l) == 0 {
		return t.Get("%s other serials", theme.GlyphRefused)
	}
	return theme.GlyphRefused + " " + t.Change(s.difference(l))
}

// verdictMark renders a verdict in a few cells.
func verdictMark(t *i18n.Translator, v verdict, diff int64) string {
	switch v {
	case moved:
		return theme.GlyphUnconfirmed
	case uncounted:
		return theme.GlyphPending
	case agrees:
		return theme.GlyphOK
	case refused, unconfirmed:
		return theme.GlyphRefused
	case hidden:
		return "·"
	case differing:
	}
	return t.Change(diff)
}

// smallView renders the line being counted first; during the review, the list.
func (s *countScreen) smallView(t theme.Theme, size tui.Size) string {
	done, all := s.progress()
	if s.draft.Review || len(s.draft.Queue) > 0 {
		most := 4
		if size.Class == tui.Narrow {
			most = 6
		}
		detail := s.detailLines(t, s.selected(), size.Width, most)
		lines := []string{s.table(t, size, size.Width, max(1, size.Height-1-len(detail))), strings.Join(detail, "\n"), widget.QuestionMarker + t.Ask(widget.Clip(s.reviewQuestion(true), size.Width-2))}
		return strings.Join(lines, "\n")
	}
	l := s.panel.Line()
	head := t.Muted.Render(fmt.Sprintf("%d/%d", done, all))
	lines := []string{widget.Between(t.Strong.Render(widget.Clean(l.Item.Title())), head, size.Width)}
	if l.Item.SKU == "" {
		lines[0] = widget.Between(t.Muted.Render(s.lastResult), head, size.Width)
		if widget.Width(s.lastResult)+1+widget.Width(head) > size.Width {
			lines = widget.Wrap(s.lastResult, size.Width)
		}
	}
	now := " " + s.site.T().Get("now %3s", s.site.T().Count(l.Count.Quantity))
	if l.Count.None {
		now = " " + s.site.T().Get("now none")
	}
	if l.Item.SKU != "" {
		now += " " + s.site.T().Get("of %s", s.expected(l))
	}
	if lot := s.rowOf(l).Lot; lot != "" && size.Class == tui.Short {
		now += "  " + lot
	} else if lot != "" {
		lines = append(lines, " "+s.site.T().Get("lot %s", widget.Clip(lot, size.Width-5)))
	}
	lines = append(lines, widget.Clip(now, size.Width))
	lines = append(lines, strings.Split(s.panel.QuestionView(size), "\n")...)
	room := size.Height - len(lines)
	feed := min(3, room/2)
	if size.Class == tui.Short {
		feed = max(1, room-2) // the rest is for two rows of the table
	}
	lines = append(lines, s.panel.Feed(size, feed)...)
	if room = size.Height - len(lines); room > 1 && len(s.panel.Lines) > 0 {
		lines = append(lines, s.table(t, size, size.Width, room))
	}
	return strings.Join(lines, "\n")
}
