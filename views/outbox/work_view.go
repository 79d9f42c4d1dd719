package outbox

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"
)

func (s *workScreen) View(size tui.Size) string {
	t := s.Theme
	if s.work == nil {
		return panel.LoadingView(s.T, t, size, s.T.Get("the operation"), s.errText)
	}

	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 116)
	}

	w, now := s.work, s.Now()
	ask := margin + widget.QuestionMarker + t.Ask(widget.Clip(questionOf(s.T, w, size.Small()), width-2))
	var lines []string
	if size.Small() {
		for _, line := range widget.Wrap(workTitle(s.T, w), width) {
			lines = append(lines, t.Strong.Render(line))
		}
	}

	lines = append(lines, margin+styled(t, w, widget.Clip(stateText(s.T, w, now), width-2)))
	if why := reason(s.T, w); why != "" {
		for _, line := range widget.Wrap(widget.Clean(why), width-2) {
			lines = append(lines, margin+"  "+line)
		}
	}

	if !size.Small() {
		lines = append(lines, "")
	}

	rows := strings.Split(widget.Details(t, width, workPairs(s.T, w, now, size.Class == tui.Narrow)...), "\n")
	room := size.Height - len(lines) - 1
	if !size.Small() {
		room--
	}
	if room < 1 { // cut the service's message so that the question fits
		lines, room = lines[:max(1, size.Height-2)], 1
	}

	s.top = max(0, min(s.top, len(rows)-room))
	for _, row := range rows[s.top:min(len(rows), s.top+room)] {
		lines = append(lines, margin+row)
	}
	if !size.Small() {
		lines = append(lines, "")
	}

	return strings.Join(append(lines, ask), "\n")
}

// questionOf returns the prompt for an operation.
func questionOf(t *i18n.Translator, w *api.Work, small bool) string {
	long, short := t.Get("Nothing left to decide"), t.Get("resolved")
	switch {
	case w.State.NeedsDecision():
		long, short = t.Get("Retry, edit, adjust or discard it?"), t.Get("F8 discards it")
	case w.Wait == api.WaitOtherSite:
		long, short = t.Get("It will be sent when the other site has sent its entry again"), t.Get("waits for a site")
	case w.State == api.WorkSent:
		long, short = t.Get("This may already be recorded. Waiting for the answer."), t.Get("awaiting answer")
	case w.NotRecorded != nil:
		long, short = t.Get("It will be sent again. If it keeps failing, edit or discard it."), t.Get("F8 discards it")
	case w.State.Unresolved():
		long, short = t.Get("It syncs automatically, in order"), t.Get("syncs automatically")
	}

	if small {
		return short
	}

	return long
}

// workPairs returns the details of an operation, the most important first.
func workPairs(t *i18n.Translator, w *api.Work, now time.Time, small bool) []widget.Pair {
	var pairs []widget.Pair
	add := func(label, value string) {
		if value != "" {
			pairs = append(pairs, widget.Pair{Label: label, Value: widget.Clean(value)})
		}
	}
	if w.NotRecorded != nil {
		add(t.Get("Checked"), t.Get("%s: the service does not have it", t.TimeOrDay(*w.NotRecorded, now)))
	}
	if w.Recorded != nil {
		add(t.Get("Recorded"), recordText(t, w.Recorded, now))
	}

	g := &w.Stock
	if by := actor(t, w); small && by != "" {
		add(t.Get("Done"), t.When(w.At, now))
		add(t.GetC("By", "sync"), by)
	} else if by != "" {
		add(t.Get("Done"), t.Get("%s by %s", t.When(w.At, now), by))
	} else {
		add(t.Get("Done"), t.When(w.At, now))
	}

	pairs = append(pairs, comparison(t, w, small)...)
	if n := len(w.Needing); n > 0 {
		add(t.Get("Needed by"), dependentsText(t, n))
	}

	add(t.Get("Item"), g.Product)
	add(t.Get("Lot"), g.Lot)
	add(t.Get("Serials"), strings.Join(g.Serials, " "))
	add(t.Get("Document"), documentName(g))
	add(t.Get("Location"), g.Location)
	if w.By != "" {
		text := t.Get("%s by %s", t.When(w.Since, now), w.By)
		switch {
		case w.State == api.WorkReplaced:
			text = t.Get("%s by %s: %s", t.When(w.Since, now), w.By, t.Get("replaced by another"))
		case w.Reason != "" && !w.State.Unresolved():
			text = t.Get("%s by %s: %s", t.When(w.Since, now), w.By, w.Reason)
		}

		add(t.Get("Resolved"), text)
	}

	return pairs
}
