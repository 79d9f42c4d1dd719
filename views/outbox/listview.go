package outbox

import (
	"cmp"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
	"bincard/views/submit"
)

func (s *list) columns(class tui.Class) []widget.Column[*api.Work] {
	type col = widget.Column[*api.Work]
	now := s.Now()
	what := col{Title: s.T.Get("what"), Cell: func(w *api.Work) string { return workTitle(s.T, w) }}
	paint := func(w *api.Work, t widget.Theme, text string) string { return style(t, w).Render(text) }
	state := col{
		Title: s.T.Get("state"),
		Width: 22,
		Rank:  1,
		Cell:  func(w *api.Work) string { return glyph(w) + " " + stateText(s.T, w, now) },
		Style: paint,
	}

	switch class {
	case tui.Narrow:
		return []col{
			{Cell: func(w *api.Work) string { return glyph(w) + " " + shortWorkTitle(s.T, w) }, Style: paint},
		}
	case tui.Short:
		state.Width = 16
		state.Cell = func(w *api.Work) string { return glyph(w) + " " + shortStateText(s.T, w, now) }
		return []col{what, state}
	}

	when := col{
		Title: s.T.GetC("done", "sync"),
		Width: 10,
		Rank:  3,
		Cell:  func(w *api.Work) string { return s.T.TimeOrDay(w.At, now) },
	}

	if !slices.ContainsFunc(widget.Unboxed[*api.Work](s.List.Rows()),
		func(w *api.Work) bool { return !i18n.Today(w.At, now) }) {
		when.Width = 5
	}

	by := col{
		Title: s.T.GetC("by", "sync"),
		Width: 8,
		Rank:  2,
		Cell:  func(w *api.Work) string { return actor(s.T, w) },
	}

	if class == tui.Standard {
		by.Cell = func(w *api.Work) string { return cmp.Or(widget.Clean(w.Operator), widget.Clean(w.Device)) }
	} else {
		by.Width = 18
	}

	return []col{when, by, what, state}
}

// questionText returns the prompt of the list.
func (s *list) questionText(small bool) string {
	t := s.T

	st := s.Site.SyncStatus()
	switch {
	case st == nil:
		return t.Get("Sync")
	case st.ToDecide() > 0 && small:
		return t.Get("%s to decide", t.Count(st.ToDecide()))
	case st.ToDecide() > 0:
		return t.GetN(
			int(st.ToDecide()),
			"%s needs a decision: enter opens it",
			"%s need a decision: enter opens the first",
		)
	case slices.Contains(st.Alarms, api.AlarmDamage) && small:
		return t.Get("entries damaged")
	case slices.Contains(st.Alarms, api.AlarmDamage):
		return t.Get("Saved entries are damaged: compare recent entries with the stock")
	case slices.Contains(st.Alarms, api.AlarmCopy) && small:
		return t.Get("directory in use twice")
	case slices.Contains(st.Alarms, api.AlarmCopy):
		return t.Get("Nothing is sent: this data directory is in use twice")
	case st.Waiting > 0 && small:
		return t.Get("%s pending", t.Count(st.Waiting))
	case st.Waiting > 0:
		return t.Get("%s pending: synced automatically", t.Count(st.Waiting))
	case len(worries(s.Site)) > 0 && small:
		return t.Get("see the warning")
	case len(worries(s.Site)) > 0:
		return t.Get("Nothing is pending. See the warning.")
	case small:
		return t.GetC("all synced", "sync")
	}

	return t.Get("Everything is synced")
}

func (s *list) view(size tui.Size) string {
	t, st := s.Theme, s.Site.SyncStatus()
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", size.Width-2
	}
	if s.Unsupported {
		return wrapped(margin, width, noQueueText(s.Site), func(line string) string { return t.Muted.Render(line) })
	}

	lines := []string{margin + widget.QuestionMarker + t.Ask(widget.Clip(s.questionText(size.Small()), width-2))}
	if size.Class != tui.Short {
		lines = append(lines, margin+s.statusView(size, width))
	}

	if st != nil &&
		(!size.Small() || s.Loaded() && s.List.Len() == 0) { // a small screen has room for rows or for the warnings
		for _, line := range problems(t, s.Site, width) {
			lines = append(lines, margin+line)
		}
	}

	if s.Err != nil && (!s.Loaded() || !size.Small()) {
		lines = append(lines,
			margin+t.Warn(widget.Clip(s.T.Get("Could not load: %s", submit.UserMessage(s.T, s.Err)), width-2)))
	}

	if !s.Loaded() {
		if s.Err == nil {
			lines = append(lines, margin+t.Muted.Render(s.T.Get("loading…")))
		}
		return strings.Join(lines, "\n")
	}

	if s.More && !size.Small() {
		lines = append(lines, margin+t.Muted.Render(s.T.Get("Showing the first %s", s.T.Count(maxRows))))
	}
	if !size.Small() {
		lines = append(lines, "")
	}

	below := s.footer(size, width)
	s.Layout(size)
	s.List.NoTitles, s.Top = size.Small(), len(lines)
	room := max(1, size.Height-len(lines)-len(below))
	for _, line := range strings.Split(s.List.View(t, width, room), "\n") {
		lines = append(lines, margin+line)
	}
	for _, line := range below {
		lines = append(lines, margin+line)
	}

	return strings.Join(lines, "\n")
}

// statusView renders the sync status. A narrow screen shows only the age of the data,
// because its header shows the rest.
func (s *list) statusView(size tui.Size, width int) string {
	st := s.Site.SyncStatus()
	if st == nil {
		return ""
	}
	if size.Class == tui.Narrow {
		return s.Theme.Muted.Render(widget.Clip(ageText(s.T, st, s.Now()), width))
	}
	return statusLine(s.T, s.Theme, st, s.Now(), width)
}

// footer renders what the columns have no room for, of the selected row.
func (s *list) footer(size tui.Size, width int) []string {
	w, ok := s.List.Selected().(*api.Work)
	if !ok || size.Small() || size.Height < 12 {
		return nil
	}

	t := s.Theme
	lines := []string{""}
	words := reason(s.T, w)
	if words == "" {
		words = workTitle(s.T, w)
	}

	text := widget.Wrap(widget.Clean(words), width-2)
	for _, line := range text[:min(2, len(text))] {
		lines = append(lines, "  "+line)
	}
	for _, p := range comparison(s.T, w, false) {
		lines = append(lines, "  "+t.Muted.Render(widget.Clip(widget.Left(p.Label, 8)+" "+p.Value, width-2)))
	}
	if n := len(w.Needing); n > 0 {
		lines = append(lines, "  "+t.Muted.Render(dependentsText(s.T, n)))
	}

	return lines
}

// noQueueText says why there is no queue of work.
func noQueueText(site *session.Site) string {
	if site.IsLocal() {
		return site.T().Get("The ledger is on this machine. There is nothing to sync.")
	}
	return site.T().Get("Offline mode is off: entries are recorded at once, and none wait here.")
}

func dependentsText(t *i18n.Translator, n int) string {
	return t.GetN(n, "%s other depends on it", "%s others depend on it")
}

func wrapped(margin string, width int, text string, paint func(string) string) string {
	var lines []string
	for _, line := range widget.Wrap(text, width) {
		lines = append(lines, margin+paint(line))
	}
	return strings.Join(lines, "\n")
}
