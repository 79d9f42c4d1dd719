package settings

import (
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (s *settings) View(size tui.Size) string {
	t := s.env.Theme
	kept := s.kept.MaskedKey
	if kept == "" {
		kept = "none"
	}
	var lines []string
	if !size.Small() {
		lines = append(lines, " "+t.Muted.Render("How this terminal looks, sounds, and where its stock is kept"), "")
	}
	lines = append(lines, veil(t, s.form, s.fields, "key", kept, size.Width))
	if s.result != "" {
		lines = append(lines, "")
		lines = append(lines, verdict(t, s.result, s.failed, size.Width)...)
	}
	return dock.Within(strings.Join(lines, "\n"), size.Height)
}

// verdict paints the answer to a test over as many lines as it takes.
func verdict(t theme.Theme, text string, failed bool, width int) []string {
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
