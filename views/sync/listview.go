package sync

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (s *list) columns(class tui.Class) []widget.Column[api.Work] {
	type col = widget.Column[api.Work]
	now := s.env.Now()
	what := col{Title: columnWhat, Cell: func(w api.Work) string { return workTitle(&w) }}
	paint := func(w api.Work, t theme.Theme, text string) string { return style(t, &w).Render(text) }
	become := col{Title: columnState, Width: 22, Rank: 1, Cell: func(w api.Work) string { return glyph(&w) + " " + stateText(&w, now) }, Style: paint}
	switch class {
	case tui.Narrow:
		return []col{{Cell: func(w api.Work) string { return glyph(&w) + " " + shortWorkTitle(&w) }, Style: paint}}
	case tui.Short:
		become.Width = 16
		become.Cell = func(w api.Work) string { return glyph(&w) + " " + shortStateText(&w, now) }
		return []col{what, become}
	}
	when := col{Title: columnWhen, Width: 10, Rank: 3, Cell: func(w api.Work) string { return timeOrDay(w.At, now) }}
	if !slices.ContainsFunc(s.rows.Rows(), func(w api.Work) bool { return !widget.Today(w.At, now) }) {
		when.Width = 5
	}
	by := col{Title: columnBy, Width: 8, Rank: 2, Cell: func(w api.Work) string { return actor(&w) }}
	if class == tui.Standard {
		by.Cell = func(w api.Work) string { return cmp.Or(widget.Clean(w.Operator), widget.Clean(w.Device)) }
	} else {
		by.Width = 18
	}
	return []col{when, by, what, become}
}

// questionText is the question of the list.
func (s *list) questionText(small bool) string {
	st := s.site.SyncStatus()
	switch {
	case st == nil:
		return nameScreen
	case st.Refused+st.Held > 0 && small:
		return fmt.Sprintf(askShort, widget.Count(st.Refused+st.Held))
	case st.Refused+st.Held == 1:
		return askSettleOne
	case st.Refused+st.Held > 1:
		return fmt.Sprintf(askSettle, widget.Count(st.Refused+st.Held))
	case st.Waiting > 0 && small:
		return fmt.Sprintf(askWaitsShort, widget.Count(st.Waiting))
	case st.Waiting > 0:
		return fmt.Sprintf(askWaits, widget.Count(st.Waiting))
	case small:
		return askNothingShort
	}
	return askNothing
}

func (s *list) View(size tui.Size) string {
	t, st := s.env.Theme, s.site.SyncStatus()
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", size.Width-2
	}
	if s.unsupported {
		return wrapped(margin, width, noSync, func(line string) string { return t.Muted.Render(line) })
	}
	lines := []string{margin + widget.QuestionMarker + t.Ask(widget.Clip(s.questionText(size.Small()), width-2))}
	if size.Class != tui.Short {
		lines = append(lines, margin+s.statusView(size, width))
	}
	if st != nil && !size.Small() {
		for _, line := range problems(t, s.site, width) {
			lines = append(lines, margin+line)
		}
	}
	if s.err != nil && (s.loadedAt.IsZero() || !size.Small()) {
		lines = append(lines, margin+t.Warn(widget.Clip(fmt.Sprintf(notRead, dock.UserMessage(s.err)), width-2)))
	}
	if s.loadedAt.IsZero() {
		if s.err == nil {
			lines = append(lines, margin+t.Muted.Render(wordReading))
		}
		return strings.Join(lines, "\n")
	}
	if s.more && !size.Small() {
		lines = append(lines, margin+t.Muted.Render(fmt.Sprintf(toldMore, widget.Count(mostRows))))
	}
	if !size.Small() {
		lines = append(lines, "")
	}
	below := s.footer(size, width)
	s.rows.Columns, s.rows.NoTitles, s.top = s.columns(size.Class), size.Small(), len(lines)
	s.rows.EmptyText = [...]string{emptyAll, emptyDecide, emptyGone}[s.filter]
	room := max(1, size.Height-len(lines)-len(below))
	for _, line := range strings.Split(s.rows.View(t, width, room), "\n") {
		lines = append(lines, margin+line)
	}
	for _, line := range below {
		lines = append(lines, margin+line)
	}
	return strings.Join(lines, "\n")
}

// statusView is how the line is; on a wrist the header says most of it.
func (s *list) statusView(size tui.Size, width int) string {
	st := s.site.SyncStatus()
	if st == nil {
		return ""
	}
	if size.Class == tui.Narrow {
		return s.env.Theme.Muted.Render(widget.Clip(ageText(st, s.env.Now()), width))
	}
	return statusLine(s.env.Theme, st, s.env.Now(), width)
}

// footer is what the chosen row has no room for.
func (s *list) footer(size tui.Size, width int) []string {
	w, ok := s.rows.Selected()
	if !ok || size.Small() || size.Height < 12 {
		return nil
	}
	t := s.env.Theme
	lines := []string{""}
	words := reason(&w)
	if words == "" {
		words = workTitle(&w)
	}
	text := widget.Wrap(widget.Clean(words), width-2)
	for _, line := range text[:min(2, len(text))] {
		lines = append(lines, "  "+line)
	}
	for _, p := range comparison(&w, false) {
		lines = append(lines, "  "+t.Muted.Render(widget.Clip(widget.Left(p.Label, 8)+" "+p.Value, width-2)))
	}
	if n := len(w.Needing); n > 0 {
		lines = append(lines, "  "+t.Muted.Render(decisionsText(n)))
	}
	return lines
}

func decisionsText(n int) string {
	if n == 1 {
		return neededByOne
	}
	return fmt.Sprintf(neededBy, widget.Count(int64(n)))
}

func wrapped(margin string, width int, text string, paint func(string) string) string {
	var lines []string
	for _, line := range widget.Wrap(text, width) {
		lines = append(lines, margin+paint(line))
	}
	return strings.Join(lines, "\n")
}
