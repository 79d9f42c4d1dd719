package printlabels

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
	"bincard/views/labels"
	"bincard/views/panel"
)

func (s *screen) View(size tui.Size) string {
	t := s.T
	if len(s.batch) == 0 {
		return panel.LoadingView(t, s.Theme, size, s.name(), s.errText)
	}

	margin, width := "", size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 110)
	}

	s.quantity.Ask = s.question(size)
	lines := []string{s.quantity.View(s.Theme, width)}
	if size.Small() {
		how := s.how(width)
		lines = append(lines, fit(s.content(), width, size.Height-len(lines)-len(how))...)
		return strings.Join(append(lines, how...), "\n")
	}

	how := s.how(width)
	lines = append(append(lines, ""), how...)
	lines = append(lines, "")
	lines = append(lines, fit(s.content(), width-2, size.Height-len(lines))...)
	for i, line := range lines {
		if i > len(how)+2 {
			line = "  " + line
		}
		lines[i] = margin + line
	}

	return strings.Join(lines, "\n")
}

// question asks whether to print.
func (s *screen) question(size tui.Size) string {
	t, n := s.T, s.total()
	switch {
	case s.noPrinter() != "":
		return t.Get("no printer")
	case s.busy:
		return t.Get("queuing…")
	case size.Class == tui.Narrow:
		return t.Get("print %s?", t.Count(n))
	case size.Small():
		return t.Get("Print %s?", labels.CountText(t, n))
	case len(s.batch) > 1:
		return t.Get("Print %s? Type a number for more copies of each.", labels.CountText(t, n))
	}

	return t.Get("Print %s? Type a number to change the quantity.", labels.CountText(t, n))
}

// how says on what the labels are printed, in lines of a width.
func (s *screen) how(width int) (lines []string) {
	t, th := s.T, s.Theme
	if text := s.noPrinter(); text != "" {
		lines = widget.Wrap(text, width-2)
		for i := range lines {
			if i == 0 {
				lines[i] = th.Warn(lines[i])
			} else {
				lines[i] = "  " + lines[i]
			}
		}

		return lines
	}

	p, _ := s.printer()
	text := p.Name + " · " + s.draft.Template
	if s.sets > 1 {
		text += " · " + t.Get("%s of each", t.Count(s.sets))
	}
	for _, line := range widget.FitParts(widget.Clean(text), width, 2) {
		lines = append(lines, th.Muted.Render(line))
	}

	return lines
}

// content says what is printed: what the label says, or the labels if there are several.
func (s *screen) content() (lines []string) {
	if len(s.batch) > 1 {
		for _, c := range s.batch {
			lines = append(lines, s.copiesText(c))
		}
		return lines
	}

	if s.newNumbers {
		lines = append(lines, s.T.Get("The number is new. It is assigned when the label is printed."))
	}

	return append(lines, s.draft.Words(s.T)...)
}

// copiesText describes one of several labels.
func (s *screen) copiesText(c printing.Copies) string {
	t := s.T
	text := fmt.Sprintf("%s × %s", t.Count(int64(c.Count)), c.Label.Subject())
	if c.Label.Quantity > 0 {
		text += "  " + t.Count(c.Label.Quantity)
	}
	return text
}

// fit returns the first lines that fit a height, each in as many lines of a width as it
// takes.
func fit(lines []string, width, height int) (out []string) {
	for _, line := range lines {
		wrapped := widget.Wrap(widget.Clean(line), width)
		if len(out)+len(wrapped) > height {
			if len(out) < height {
				out = append(out, widget.Clip(widget.Clean(line), width))
			}
			break
		}

		out = append(out, wrapped...)
	}

	return out
}

// Speech describes the labels in words.
func (s *screen) Speech() tui.Speech {
	t := s.T
	switch {
	case s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Enter: true, Question: t.Get("enter to retry")}
	case len(s.batch) == 0:
		return tui.Speech{Facts: []string{t.Get("loading")}}
	}

	speech := tui.Speech{
		Facts:    s.content(),
		Numbers:  true,
		Enter:    true,
		Question: t.Get("enter prints %s, or number", labels.CountText(t, s.total())),
	}

	if text := s.noPrinter(); text != "" {
		speech.Facts = append([]string{text}, speech.Facts...)
		speech.Question = t.Get("picture or back")
		speech.Enter = false
		return speech
	}

	p, _ := s.printer()
	speech.Facts = append(speech.Facts, t.Get("printer %s, template %s", p.Name, s.draft.Template))

	return speech
}
