package sync

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (s *workScreen) View(size tui.Size) string {
	t := s.env.Theme
	if s.work == nil {
		return dock.LoadingView(t, size, askDocument, s.errText)
	}
	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 116)
	}
	w, now := s.work, s.env.Now()
	ask := margin + widget.QuestionMarker + t.Ask(widget.Clip(questionOf(w, size.Small()), width-2))
	var lines []string
	if size.Small() {
		for _, line := range widget.Wrap(workTitle(w), width) {
			lines = append(lines, t.Strong.Render(line))
		}
	}
	lines = append(lines, margin+styled(t, w, widget.Clip(stateText(w, now), width-2)))
	if words := reason(w); words != "" {
		for _, line := range widget.Wrap(widget.Clean(words), width-2) {
			lines = append(lines, margin+"  "+line)
		}
	}
	if !size.Small() {
		lines = append(lines, "")
	}
	rows := strings.Split(widget.Fields(t, width, workPairs(w, now, size.Class == tui.Narrow)...), "\n")
	room := size.Height - len(lines) - 1
	if !size.Small() {
		room--
	}
	if room < 1 { // the words of the service give way to the question
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

// questionOf is the question that a piece of work puts.
func questionOf(w *api.Work, small bool) string {
	long, short := askSettled, askSettledShort
	switch {
	case needsDecision(w):
		long, short = askOne, askOneShort
	case w.State == api.WorkSent:
		long, short = askUnknown, askUnknownShort
	case isOpen(w):
		long, short = askOpen, askOpenShort
	}
	if small {
		return short
	}
	return long
}

// workPairs are what is known of a piece of work, what matters most first.
func workPairs(w *api.Work, now time.Time, small bool) []widget.Pair {
	var pairs []widget.Pair
	add := func(label, value string) {
		if value != "" {
			pairs = append(pairs, widget.Pair{Label: label, Value: widget.Clean(value)})
		}
	}
	g := &w.Goods
	done := widget.When(w.At, now)
	if by := actor(w); by != "" {
		done = sprintf(byWhom, done, by)
	}
	add(fieldDone, done)
	pairs = append(pairs, comparison(w, small)...)
	if n := len(w.Needing); n > 0 {
		add(fieldNeeded, decisionsText(n))
	}
	add(fieldGoods, g.Product)
	add(fieldLot, g.Lot)
	add(fieldSerials, strings.Join(g.Serials, " "))
	add(fieldPapers, documentName(g))
	add(fieldPlace, g.Location)
	if w.By != "" {
		words := sprintf(settledPlain, widget.When(w.Since, now), w.By)
		switch {
		case w.State == api.WorkReplaced:
			words = sprintf(settledBy, widget.When(w.Since, now), w.By, tookPlace)
		case w.Reason != "" && !isOpen(w):
			words = sprintf(settledBy, widget.When(w.Since, now), w.By, w.Reason)
		}
		add(fieldSettled, words)
	}
	return pairs
}
