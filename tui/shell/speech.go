package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

// speech returns the Speech of a screen, read from its view if it is not a Speaker.
func (m *Model) speech(f *frame) tui.Speech {
	if s, ok := f.screen.(tui.Speaker); ok {
		return s.Speech()
	}
	size := tui.Size{Width: max(20, m.width), Height: 60, Class: tui.ClassOf(m.width, 24)}
	lines, question := takeMarker(strings.Split(f.screen.View(size), "\n"))
	var s tui.Speech
	for i, line := range lines {
		line = strings.TrimSpace(widget.Clean(ansi.Strip(line)))
		switch {
		case strings.Trim(line, "─ ") == "":
		case i == question:
			s.Question = strings.TrimSpace(strings.TrimPrefix(line, "▸"))
		default:
			s.Facts = append(s.Facts, line)
		}
	}
	return s
}
