package settings

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/panel"
)

func (s *settings) View(size tui.Size) string {
	t := s.Theme
	var lines []string
	if !size.Small() {
		lines = append(lines, " "+t.Muted.Render(s.T.Get("Appearance, sounds and connection of this terminal")), "")
	}

	s.small = size.Small()
	if s.small && s.result != "" { // no room for the whole form: any key shows it again
		lines := append(s.focusedLine(t, size.Width), resultLines(t, s.result, s.failed, size.Width)...)
		return strings.Join(lines, "\n")
	}
	if reason := s.readOnly(); reason != "" {
		lines = append(lines, s.readOnlyLines(t, size, reason)...)
	} else {
		lines = append(lines, s.form.View(t, size.Width))
	}

	if s.result != "" {
		lines = append(lines, "")
		lines = append(lines, resultLines(t, s.result, s.failed, size.Width)...)
	}
	if !size.Small() {
		lines = append(lines, s.keyLines(t, size.Width)...)
	}

	lines = append(lines, s.notes(t, size.Width)...)

	return panel.FitHeight(strings.Join(lines, "\n"), size.Height)
}

// readOnlyLines shows the values and why they cannot be changed. The operator is whoever
// signed in.
func (s *settings) readOnlyLines(t widget.Theme, size tui.Size, reason string) (lines []string) {
	margin := "  "
	if size.Small() {
		margin = ""
	}
	for _, line := range widget.Wrap(reason, max(8, size.Width-len(margin))) {
		lines = append(lines, margin+t.Warning.Render(line))
	}
	if !size.Small() {
		lines = append(lines, "")
	}

	pairs := make([]widget.Pair, len(s.fields))
	for i, f := range s.fields {
		pairs[i] = widget.Pair{Label: f.Label, Value: s.rowText(i)}
		if f.Name == "operator" {
			pairs[i].Value = cmp.Or(widget.Clean(s.Operator), pairs[i].Value)
		}
	}

	for _, line := range strings.Split(widget.Fields(t, size.Width-len(margin), pairs...), "\n") {
		lines = append(lines, margin+line)
	}

	return lines
}

// focusedLine paints the field that has the focus.
func (s *settings) focusedLine(t widget.Theme, width int) []string {
	for _, line := range strings.Split(s.form.View(t, width), "\n") {
		if strings.Contains(line, widget.QuestionMarker) {
			return []string{line}
		}
	}

	return nil
}

// keyLines shows the values that are set elsewhere.
func (s *settings) keyLines(t widget.Theme, width int) []string {
	v := &s.loaded
	lines := []string{""}
	add := func(label, text string) {
		lines = append(lines,
			"  "+t.Muted.Render(widget.Left(label, 13))+" "+widget.Clip(widget.Clean(text), max(1, width-17)))
	}
	if len(v.Operators) > 0 {
		add(s.T.Get("Sign-in"), strings.Join(v.Operators, ", "))
	} else {
		add(s.T.Get("Sign-in"), s.T.Get("no sign-in required; add operators with bincard operator add"))
	}

	var keys []string
	for _, id := range slices.Sorted(maps.Keys(v.Keys)) {
		keys = append(keys, id+" "+strings.Join(v.Keys[id], " "))
	}
	if len(keys) > 0 {
		add(s.T.Get("Keys"), strings.Join(keys, ", "))
	}
	if v.File != "" {
		add(s.T.Get("File"), v.File)
	}

	return lines
}

// notes shows the problems with the settings.
func (s *settings) notes(t widget.Theme, width int) (lines []string) {
	for _, note := range s.loaded.Notes {
		for i, line := range widget.Wrap(widget.Clean(s.T.Message(note)), max(8, width-4)) {
			if i > 0 {
				lines = append(lines, "    "+line)
				continue
			}
			lines = append(lines, "  "+t.Warn(line))
		}
	}

	return lines
}

// resultLines shows the result of a test.
func resultLines(t widget.Theme, text string, failed bool, width int) []string {
	lines := widget.Wrap(widget.Clean(text), max(8, width-4))
	for i := range lines {
		switch {
		case i > 0:
			lines[i] = "    " + lines[i]
		case failed:
			lines[i] = "  " + t.Refused(lines[i])
		default:
			lines[i] = "  " + t.OK(lines[i])
		}
	}

	return lines
}
