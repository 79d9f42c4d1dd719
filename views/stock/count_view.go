package stock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
)

func (s *countScreen) View(size tui.Size) string {
	th := s.Theme
	switch {
	case s.ref() == "":
		return margin(size) + s.locationInput.View(th, size.Width-2)
	case s.stock == nil:
		return panel.LoadingView(s.T, th, size, s.ref(), s.errText)
	}

	v := s.view()
	v.size = size
	if size.Small() {
		return v.small()
	}

	return v.standard()
}

// A countView shows a count as it is at one time.
type countView struct {
	comparison
	t        *i18n.Translator
	theme    widget.Theme
	size     tui.Size
	panel    *panel.CountPanel
	list     *widget.List[*count.Line]
	location session.Location
	title    string // the short one
	sku      string // the product of a count of one product, or ""
	isList   bool   // the products of a list are counted
	review   bool
	isBlind  bool
	queued   int // writes still to be booked
	sending  bool
	selected *count.Line
	// otherOwners is how many balances of other owners are not counted here.
	otherOwners int
	lastResult  string // of the previous count
}

func (s *countScreen) view() countView {
	return countView{
		comparison: s.comparison(),
		t:          s.T,
		theme:      s.Theme,
		panel:      s.panel,
		list:       &s.list,
		location:   s.location,
		title:      s.ShortTitle(),
		sku:        s.sku(),
		isList:     s.isList(),
		review:     s.Review,
		isBlind:    s.isBlind(s.IsSupervisor()),
		queued:     len(s.Queue),
		sending:    s.submission.Sending(),
		selected:   s.selected(),

		otherOwners: s.stock.otherOwners,
		lastResult:  s.lastResult,
	}
}

func (v countView) standard() string {
	width := min(v.size.Width-2, 116)
	title := v.theme.Strong.Render(widget.Clean(v.location.String()))
	lines := []string{" " + widget.Between(title, v.statusLine(), width), ""}
	below := v.footer(width)
	room := v.size.Height - len(lines) - len(below)
	lines = append(lines, v.table(v.size.Width-2, max(3, room)))
	return strings.Join(append(lines, below...), "\n")
}

// statusLine shows the progress of the count, or its verdicts.
func (v countView) statusLine() string {
	if !v.review {
		done, all := progress(v.lines)
		text := v.t.Get("%s of %s counted", v.number(done), v.number(all))
		if v.isBlind {
			text = v.t.Get("blind   %s", text)
		}
		return v.theme.Muted.Render(text)
	}

	n := v.counts()
	if v.hidesExpected {
		n[hidden], n[agrees], n[differing] = n[agrees]+n[differing], 0, 0
	}

	matches := v.t.GetC("match", "count")
	if n[agrees] == 1 {
		matches = v.t.GetC("matches", "count")
	}

	var parts []string
	for _, x := range []struct {
		verdict verdict
		word    string
	}{
		{unconfirmed, v.t.Get("to count again")},
		{differing, v.t.Get("to adjust")},
		{hidden, v.t.Get("counted")},
		{moved, v.t.Get("stock changed")},
		{refused, v.t.Get("rejected")},
		{uncounted, v.t.Get("not counted")},
		{agrees, matches},
	} {
		if n[x.verdict] > 0 {
			parts = append(parts, v.number(n[x.verdict])+" "+x.word)
		}
	}

	return v.theme.Accent.Render(strings.Join(parts, "   "))
}

func (v countView) number(n int) string { return v.t.Count(int64(n)) }

// footer returns what is below the table: details of the selected line, the prompt and
// the feed.
func (v countView) footer(width int) []string {
	lines := []string{""}
	for _, line := range v.detailLines(v.selected, width-4, 2) {
		lines = append(lines, "   "+line)
	}
	if v.review || v.queued > 0 {
		return append(lines, "", " "+v.reviewPrompt(v.reviewQuestion(), width))
	}

	lines = append(append(lines, ""), strings.Split(v.panel.Frame().QuestionView(v.size), "\n")...)
	if feed := v.panel.Frame().Feed(v.size, 4); len(feed) > 0 {
		lines = append(append(lines, ""), feed...)
	}

	return lines
}

func (v countView) reviewPrompt(question string, width int) string {
	return widget.QuestionMarker + v.theme.Ask(widget.Clip(question, width-2))
}

// reviewQuestion returns the prompt during the review.
func (v countView) reviewQuestion() string {
	t, n := v.t, v.counts()
	switch {
	case v.sending:
		return t.Get("Recording: %s left", v.number(v.queued))
	case v.queued > 0:
		return t.Get("No answer yet. Press enter to retry.")
	case v.verdict(v.selected) == moved:
		return t.Get("Stock changed during the count. Recount (F3) or keep the count (F10).")
	case n[unconfirmed] > 0:
		return t.Get("Large differences: %s. Another person recounts (F3), or a supervisor posts.",
			v.number(n[unconfirmed]))
	case v.hidesExpected:
		return t.Get("Press enter to post the count.")
	case n[differing] > 0:
	case n[refused] > 0:
		return t.Get("Recount what was rejected (F3), or press enter to finish.")
	case n[moved] == 0:
		return t.Get("No differences. Press enter to finish.")
	}

	return t.Get("Check the differences. Press enter to post them.")
}

// shortQuestion is reviewQuestion for a small screen.
func (v countView) shortQuestion() string {
	t, n, verdict := v.t, v.counts(), v.verdict(v.selected)
	switch {
	case v.sending:
		return v.reviewQuestion()
	case v.queued > 0:
		return t.Get("no answer: enter")
	case verdict == moved:
		return t.Get("changed: F3 or F10")
	case verdict == refused:
		return t.Get("rejected: F3 or F10")
	case n[unconfirmed] > 0:
		return t.Get("count again: F3")
	case n[differing] == 0 && !v.hidesExpected:
		return t.Get("enter to finish")
	}

	return t.Get("enter to post")
}

// lineDetail describes a line in more detail than the table.
func (v countView) lineDetail(l *count.Line) string {
	t, th := v.t, v.theme
	switch {
	case l.Item.SKU != "":
	case v.otherOwners > 0:
		return th.Muted.Render(t.GetN(v.otherOwners, "Not counted here: %s balance of another owner",
			"Not counted here: %s balances of other owners"))
	default:
		return th.Muted.Render(v.lastResult)
	}

	detail := ""
	switch then := v.First[l.Key]; {
	case v.review && v.verdict(l) == moved && !v.hidesExpected:
		now := int64(0)
		if r := v.current[l.Key]; r != nil {
			now = r.Expected
		}
		detail = th.Warn(t.Get("stock was %s when the count began, now %s", v.expected(l), t.Count(now)))

	case v.review && v.verdict(l) == unconfirmed && then != nil:
		detail = th.Warn(t.Get("counted %s, then %s", t.Count(then.Quantity), t.Count(l.Count.Quantity)))
	case v.review || !v.hidesExpected:
		detail = v.serialDetail(l)
	}

	name := th.Strong.Render(widget.Clean(l.Item.Title()))
	pack := th.Muted.Render(widget.Clean(l.Item.PackText(t)))

	return strings.TrimSuffix(name+"   "+pack+"   "+detail, "   ")
}

// serialDetail names the serials of a counted line that are missing, and those that were found.
func (v countView) serialDetail(l *count.Line) string {
	if !hasCount(l) {
		return ""
	}

	var parts []string
	missing, extra := v.serialDifferences(l)
	if len(missing) > 0 && !v.hidesExpected {
		parts = append(parts, v.theme.Warning.Render(v.t.Get("missing %s", strings.Join(missing, " "))))
	}
	if len(extra) > 0 {
		parts = append(parts, v.theme.Accent.Render(v.t.Get("found %s", strings.Join(extra, " "))))
	}

	return strings.Join(parts, "   ")
}

// detailLines returns lineDetail in lines of at most width cells. Why a row was rejected
// takes up to most lines.
func (v countView) detailLines(l *count.Line, width, most int) []string {
	title := v.theme.Strong.Render(widget.Clean(l.Item.Title()))
	if text := v.rejected[l.Key]; text != "" {
		if v.hidesExpected { // the text may have recorded quantities
			text = v.t.Get("The service rejected this count. A supervisor can show why (F4).")
		}
		return v.rejectedLines(text, width, most)
	}

	switch {
	case !v.review || l.Item.SKU == "" || width >= 60:
		return []string{widget.Clip(v.lineDetail(l), width)}
	case width >= 30:
		return []string{widget.Between(title, v.verdictText(l), width)}
	}

	lines := []string{widget.Clip(title, width), widget.Clip(v.verdictText(l), width)}
	if hasCount(l) {
		counted := v.t.Get("counted %s of %s", v.t.Count(l.Count.Quantity), v.expected(l))
		lines = append(lines, widget.Clip(counted, width))
	}

	return lines
}

func (v countView) rejectedLines(text string, width, most int) []string {
	lines := widget.Wrap(widget.Clean(text), width-2)
	if len(lines) > most {
		lines = append(lines[:most-1], widget.Clip(strings.Join(lines[most-1:], " "), width-2))
	}

	for i := range lines {
		if i == 0 {
			lines[i] = v.theme.Warn(lines[i])
		} else {
			lines[i] = v.theme.Warning.Render("  " + lines[i])
		}
	}

	return lines
}

// expected returns the recorded quantity of a line, or "?" in a blind count.
func (v countView) expected(l *count.Line) string {
	if v.hidesExpected {
		return "?"
	}
	return v.t.Count(v.rows.forLine(l).Expected)
}

// table renders the lines; the cursor is on the current one.
func (v countView) table(width, height int) string {
	v.list.Columns = v.columns()
	v.list.EmptyText = v.t.Get("No stock is recorded here.")
	v.list.NoTitles = v.size.Class == tui.Short
	at := v.list.Cursor()
	v.list.SetRows(v.lines)
	at = min(at, max(0, len(v.lines)-1))
	if !v.review {
		at = v.panel.Current
	}

	v.list.MoveTo(at)

	return v.list.View(v.theme, width, height)
}

func (v countView) columns() []widget.Column[*count.Line] {
	type col = widget.Column[*count.Line]
	t := v.t
	muted := func(_ *count.Line, th widget.Theme, text string) string { return th.Muted.Render(text) }
	counted := col{Title: t.Get("counted"), Width: 8, Right: true, Cell: func(l *count.Line) string {
		if !hasCount(l) {
			return "·"
		}
		return t.Count(l.Count.Quantity)
	}, Style: func(l *count.Line, th widget.Theme, text string) string {
		if hasCount(l) {
			return th.Strong.Render(text)
		}
		return th.Muted.Render(text)
	}}

	expected := col{Title: t.GetC("expected", "stock"), Width: 8, Right: true, Rank: 1, Cell: v.expected, Style: muted}
	result := col{
		Width: 17,
		Rank:  2,
		Cell:  v.verdictText,
		Style: func(l *count.Line, th widget.Theme, text string) string {
			quiet := slices.Contains([]verdict{uncounted, agrees, hidden}, v.shownVerdict(l))
			if quiet || v.isBlind && !v.review || strings.TrimSpace(text) == "" {
				return th.Muted.Render(text)
			}
			return th.Warning.Render(text)
		},
	}

	if !v.review {
		result.Width = 8
	}

	product := col{Title: t.Get("product"), Width: 10, Cell: func(l *count.Line) string { return l.Item.SKU }}
	if !v.size.Small() {
		name := col{Title: t.Get("name"), Rank: 5, Cell: func(l *count.Line) string { return l.Item.Name }}
		lot := col{
			Title: t.Get("lot"),
			Width: 10,
			Rank:  3,
			Cell:  func(l *count.Line) string { return v.rows.forLine(l).Lot },
		}

		cols := []col{product, name, lot, expected, counted, result}
		if count.HasShelves(v.panel.Lines) {
			shelf := col{Title: t.Get("shelf"), Width: 8, Rank: 4, Cell: (*count.Line).MainShelf}
			cols = slices.Insert(cols, 0, shelf)
		}

		return cols
	}

	product.Width, counted.Width, expected.Width = 0, 5, 5
	counted.Title, expected.Title = t.Get("now"), t.Get("stock")
	product.Cell = v.rows.name
	if v.size.Class == tui.Narrow || v.sku != "" { // the lot tells the rows apart
		product.Cell = func(l *count.Line) string { return cmp.Or(v.rows.forLine(l).Lot, l.Item.SKU) }
	}

	result.Title = t.GetC("diff", "count")
	result.Width, result.Right, result.Rank = 5, true, 0
	result.Cell = func(l *count.Line) string { return verdictMark(t, v.shownVerdict(l), v.difference(l)) }
	switch {
	case v.size.Class == tui.Narrow && v.review:
		return []col{product, result}
	case v.size.Class == tui.Narrow:
		return []col{product, counted}
	case v.review:
		return []col{product, expected, counted, result}
	}

	return []col{product, expected, counted}
}

// verdictText describes the verdict on a line.
func (v countView) verdictText(l *count.Line) string {
	t := v.t
	if !v.review {
		if v.isBlind || !v.differs(l) {
			return ""
		}
		return t.Change(v.difference(l))
	}

	switch v.shownVerdict(l) {
	case moved:
		return widget.GlyphUnconfirmed + " " + t.Get("stock changed")
	case unconfirmed:
		if v.hidesExpected {
			return widget.GlyphRefused + " " + t.Get("count again")
		}
		return widget.GlyphRefused + " " + t.Change(v.difference(l)) + " " + t.Get("again")
	case hidden:
		return t.Get("counted")
	case uncounted:
		return widget.GlyphPending + " " + t.Get("not counted")
	case refused:
		return widget.GlyphRefused + " " + t.Get("rejected")
	case agrees:
		return widget.GlyphOK + " " + t.Get("matches")
	}

	if v.difference(l) == 0 {
		return t.Get("%s other serials", widget.GlyphRefused)
	}

	return widget.GlyphRefused + " " + t.Change(v.difference(l))
}

// verdictMark renders a verdict in a few cells.
func verdictMark(t *i18n.Translator, v verdict, diff int64) string {
	switch v {
	case moved:
		return widget.GlyphUnconfirmed
	case uncounted:
		return widget.GlyphPending
	case agrees:
		return widget.GlyphOK
	case refused, unconfirmed:
		return widget.GlyphRefused
	case hidden:
		return "·"
	case differing:
	}

	return t.Change(diff)
}

// small renders the line being counted first; during the review, the list.
func (v countView) small() string {
	t, size := v.t, v.size
	if v.review || v.queued > 0 {
		most := 4
		if size.Class == tui.Narrow {
			most = 6
		}
		detail := v.detailLines(v.selected, size.Width, most)
		table := v.table(size.Width, max(1, size.Height-1-len(detail)))
		return strings.Join([]string{table, strings.Join(detail, "\n"), v.reviewPrompt(v.shortQuestion(), size.Width)},
			"\n")
	}

	l := v.panel.Line()
	done, all := progress(v.lines)
	head := v.theme.Muted.Render(fmt.Sprintf("%d/%d", done, all))
	lines := []string{widget.Between(v.theme.Strong.Render(widget.Clean(l.Item.Title())), head, size.Width)}
	if l.Item.SKU == "" {
		lines[0] = widget.Between(v.theme.Muted.Render(v.lastResult), head, size.Width)
		if widget.Width(v.lastResult)+1+widget.Width(head) > size.Width {
			lines = widget.Wrap(v.lastResult, size.Width)
		}
	}

	now := " " + t.Get("now %3s", t.Count(l.Count.Quantity))
	if l.Count.None {
		now = " " + t.Get("now none")
	}
	if l.Item.SKU != "" {
		now += " " + t.Get("of %s", v.expected(l))
	}
	if lot := v.rows.forLine(l).Lot; lot != "" && size.Class == tui.Short {
		now += "  " + lot
	} else if lot != "" {
		lines = append(lines, " "+t.Get("lot %s", widget.Clip(lot, size.Width-5)))
	}

	lines = append(lines, widget.Clip(now, size.Width))
	lines = append(lines, strings.Split(v.panel.Frame().QuestionView(size), "\n")...)

	room := size.Height - len(lines)
	feed := min(3, room/2)
	if size.Class == tui.Short {
		feed = max(1, room-2) // the rest is for two rows of the table
	}

	lines = append(lines, v.panel.Frame().Feed(size, feed)...)
	room = size.Height - len(lines)
	if room > 1 && len(v.lines) > 0 {
		lines = append(lines, v.table(size.Width, room))
	}

	return strings.Join(lines, "\n")
}
