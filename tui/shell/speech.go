package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/shell/internal/paint"
	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

// speech returns the Speech of the screen, read from its view if it is not a Speaker.
func (s *openScreen) speech(width int) tui.Speech {
	if speaker, ok := s.screen.(tui.Speaker); ok {
		return speaker.Speech()
	}

	size := tui.Size{Width: max(20, width), Height: 60, Class: tui.ClassOf(width, 24)}
	lines, question, _ := paint.TakeMarker(strings.Split(s.screen.View(size), "\n"))
	var speech tui.Speech
	for i, line := range lines {
		line = strings.TrimSpace(widget.Clean(ansi.Strip(line)))
		switch {
		case strings.Trim(line, "─ ") == "":
		case i == question:
			speech.Question = strings.TrimSpace(strings.TrimPrefix(line, "▸"))
		default:
			speech.Facts = append(speech.Facts, line)
		}
	}

	return speech
}
