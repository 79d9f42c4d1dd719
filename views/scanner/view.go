package scanner

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
)

// View shows the last code, its elements and the advice.
func (s *screen) View(size tui.Size) string {
	t, width := s.Theme, size.Width
	q := widget.Question{Ask: s.T.Get("Scan any code. Nothing is counted here.")}
	if size.Small() {
		q.Ask = s.T.Get("scan any code")
	}

	q.Set(string(s.typed))
	lines := []string{q.View(t, width)}
	if !size.Small() {
		lines = append(lines, "")
	}

	if s.last == nil {
		for _, line := range widget.Wrap(s.T.Get("Shows what the scanner sends, what it means, and what to change on the scanner if it is wrong."), width-2) {
			lines = append(lines, "  "+t.Muted.Render(line))
		}
		return strings.Join(lines, "\n")
	}

	if size.Small() {
		return strings.Join(append(lines, s.smallLines(size, size.Height-len(lines))...), "\n")
	}

	lines = append(lines, s.receivedLines(size)...)
	lines = append(lines, "")
	lines = append(lines, s.elements(t, width)...)
	lines = append(lines, "")
	lines = append(lines, s.adviceLines(t, width)...)
	if room := size.Height - len(lines) - 2; room > 0 && s.feed.Len() > 1 {
		lines = append(lines, "", t.Muted.Render("  "+s.T.Get("Earlier")), indent(s.feed.View(t, width-2, room)))
	}

	return strings.Join(lines, "\n")
}

// smallLines shows the advice first, and as much as fits from the scrolled line on.
func (s *screen) smallLines(size tui.Size, room int) []string {
	t := s.Theme
	lines := append(s.adviceLines(t, size.Width), s.receivedLines(size)...)
	lines = append(lines, s.elements(t, size.Width)...)
	if len(lines) <= room || room < 2 {
		s.top = 0
		return lines
	}

	room--
	s.top = max(0, min(s.top, len(lines)-room))
	more := s.T.Get("↓ %d more", len(lines)-room-s.top)
	if s.top == len(lines)-room {
		more = s.T.Get("↑ %d more", s.top)
	}

	return append(lines[s.top:s.top+room:s.top+room], "  "+t.Muted.Render(more))
}

// receivedLines shows the code and how it arrived.
func (s *screen) receivedLines(size tui.Size) []string {
	t, r := s.Theme, s.last
	pairs := []widget.Pair{
		{Label: s.T.Get("Raw"), Value: showControls(r.scan.Raw), Style: bold},
		{Label: s.T.Get("Input"), Value: r.summary(s.T)},
	}
	pairs = append(pairs,
		widget.Pair{Label: s.T.GetC("Type", "scanner"), Value: symbology(s.T, r.scan.Symbology)},
		widget.Pair{Label: s.T.Get("Read as"), Value: parsedText(s.T, r.scan)})
	if !size.Small() {
		pairs = append(pairs, widget.Pair{Label: s.T.Get("Bytes"), Value: hexBytes(r.scan.Raw)})
	}
	if size.Small() {
		return strings.Split(widget.Details(t, size.Width, pairs...), "\n")
	}

	return strings.Split(indent(widget.Fields(t, size.Width-2, pairs...)), "\n")
}

func bold(t widget.Theme, text string) string { return t.Strong.Render(text) }

// parsedText returns the kind of code.
func parsedText(t *i18n.Translator, s scan.Scan) string {
	switch s.Kind {
	case scan.KindGS1:
		return t.Get("GS1 elements")
	case scan.KindGTIN:
		return t.Get("GTIN %s", s.GS1.GTIN)
	case scan.KindLink:
		return t.Get("GS1 Digital Link")
	case scan.KindRefused:
		return t.Get("nothing: too long")
	}

	return t.Get("plain text")
}

// elements lists the elements of the code.
func (s *screen) elements(t widget.Theme, width int) []string {
	bad := map[string]bool{}
	for _, p := range s.last.scan.Problems() {
		bad[p.AI] = true
	}

	var lines []string
	for _, e := range s.last.scan.GS1.Elements {
		text := widget.Left("("+e.AI+")", 7) + widget.Left(e.Title, 16) + "  " + showControls(e.Value) + s.meaning(e.AI)
		if width < 50 {
			text = "(" + e.AI + ") " + showControls(e.Value)
		}

		for i, line := range widget.Wrap(text, width-4) {
			switch {
			case i > 0:
				line = "  " + line
			case bad[e.AI]:
				line = t.Refused(line)
			default:
				line = t.OK(line)
			}

			lines = append(lines, "  "+line)
		}
	}

	return lines
}

// meaning returns the date of an element, or "".
func (s *screen) meaning(ai string) string {
	switch m := s.last.scan.GS1; {
	case ai == "17" && !m.Expiry.IsZero():
		return "   " + s.T.GetC("expires %s", "scanner", s.T.Date(m.Expiry))
	case ai == "15" && !m.BestBefore.IsZero():
		return "   " + s.T.Get("best before %s", s.T.Date(m.BestBefore))
	}

	return ""
}

// adviceLines lists the problems of the code and the advice.
func (s *screen) adviceLines(t widget.Theme, width int) []string {
	var lines []string
	addWrapped := func(text string, paint func(string) string) {
		for i, line := range widget.Wrap(widget.Clean(text), max(8, width-4)) {
			if i == 0 {
				lines = append(lines, paint(line))
				continue
			}
			lines = append(lines, "    "+line)
		}
	}

	for _, p := range s.last.scan.Problems() {
		addWrapped(s.T.Message(p.String()), func(line string) string { return "  " + t.Refused(line) })
	}
	for _, a := range s.last.advice {
		addWrapped(a, func(line string) string { return "  " + t.Warn(line) })
	}
	if len(lines) == 0 {
		lines = append(lines, "  "+t.OK(s.T.Get("nothing to fix")))
	}

	return lines
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
