package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

// speech is what the screen on top says; one that cannot speak is read out.
func (m *Model) speech(f *frame) tui.Speech {
	if s, ok := f.screen.(tui.Speaker); ok {
		return s.Speech()
	}
	size := tui.Size{Width: max(20, m.width), Height: 60, Class: tui.ClassOf(m.width, 24)}
	lines, at := takeMarker(strings.Split(f.screen.View(size), "\n"))
	var s tui.Speech
	for i, line := range lines {
		line = strings.TrimSpace(widget.Clean(ansi.Strip(line)))
		switch {
		case strings.Trim(line, "─ ") == "":
		case i == at:
			s.Question = strings.TrimSpace(strings.TrimPrefix(line, "▸"))
		default:
			s.Facts = append(s.Facts, line)
		}
	}
	return s
}
