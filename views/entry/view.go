package entry

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// View implements tui.Screen.
func (s *screen) View(size tui.Size) string {
	t := s.Theme
	margin := ""
	width := size.Width
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 110)
	}

	var lines []string
	if s.created != nil {
		lines = s.createdView(t, size, width)
	} else {
		lines = s.formView(t, size, width)
	}

	for i := range lines {
		lines[i] = margin + lines[i]
	}

	return strings.Join(cutAround(lines, size.Height), "\n")
}

// formView shows the form below its purpose, or the values that await an answer.
func (s *screen) formView(t widget.Theme, size tui.Size, width int) []string {
	if s.awaitingAnswer() {
		return s.sentView(t, size, width)
	}
	form := strings.Split(s.form.View(t, width), "\n")
	if size.Small() {
		return form
	}
	return append([]string{t.Muted.Render(widget.Clip(s.config.Prompt, width)), ""}, form...)
}

// sentView shows the values that were sent, which cannot be changed now.
func (s *screen) sentView(t widget.Theme, size tui.Size, width int) []string {
	ask := s.T.Get("No answer yet. Press enter to retry.")
	switch {
	case s.Busy():
		ask = s.T.Get("sending…")
	case size.Class == tui.Narrow:
		ask = s.T.Get("no answer: enter")
	}

	lines := []string{widget.QuestionMarker + t.Ask(widget.Clip(ask, width-2))}
	if !size.Small() {
		lines = append(lines, "")
	}

	var pairs []widget.Pair
	for _, f := range s.fields {
		if value := s.form.Text(f.Name); value != "" {
			pairs = append(pairs, widget.Pair{Label: f.Label, Value: value})
		}
	}

	for _, line := range strings.Split(widget.Fields(t, width-2, pairs...), "\n") {
		lines = append(lines, "  "+line)
	}

	return lines
}

// createdView shows what was created and the next step.
func (s *screen) createdView(t widget.Theme, size tui.Size, width int) []string {
	var lines []string
	for i, line := range widget.Wrap(s.created.Text, width-2) {
		if i == 0 {
			lines = append(lines, t.OK(line))
			continue
		}
		lines = append(lines, "  "+line)
	}

	if !size.Small() {
		lines = append(lines, "")
	}

	fields := strings.Split(widget.Fields(t, min(width-2, 78), s.created.Pairs...), "\n")
	for i := range fields {
		if !size.Small() {
			fields[i] = "  " + fields[i]
		}
	}

	ask := s.created.Prompt
	if size.Class == tui.Narrow {
		ask = s.created.Short
	}

	ask = widget.QuestionMarker + t.Ask(widget.Clip(ask, width-2))
	if size.Class == tui.Short {
		return append(append(lines, ask), fields...)
	}

	return append(append(append(lines, fields...), ""), ask)
}

// cutAround cuts lines to height, keeping the question in view.
func cutAround(lines []string, height int) []string {
	if height <= 0 || len(lines) <= height {
		return lines
	}

	at := 0
	for i, line := range lines {
		if strings.Contains(line, widget.QuestionMarker) {
			at = i
		}
	}

	top := max(0, min(at-height/2, len(lines)-height))

	return lines[top : top+height]
}

// Speech describes the form, or what it created.
func (s *screen) Speech() tui.Speech {
	t := s.T

	switch {
	case s.created != nil:
		speech := tui.Speech{Facts: []string{s.created.Text}, Question: s.created.Short}
		for _, p := range s.created.Pairs {
			if p.Value != "" {
				speech.Facts = append(speech.Facts, p.Label+" "+p.Value)
			}
		}

		return speech

	case s.awaitingAnswer():
		return tui.Speech{
			Facts:    []string{t.Get("No answer yet: %s", s.form.Summary())},
			Question: t.Get("retry or back"),
		}
	}

	return tui.Speech{Facts: []string{t.Get(`%s; type "save" to finish`, s.config.Prompt)}, Form: s.form}
}
