package shell

import (
	"fmt"
	"runtime/debug"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"bincard/tui"
	"bincard/tui/shell/internal/paint"
	"bincard/tui/widget"
)

// A Capture is what a driver sees of a running session.
type Capture struct {
	View  string
	Route string
	Idle  bool
	Fault string // the unacknowledged error
}

// captureMsg asks for a Capture in the shell's turn.
type captureMsg struct{ reply chan<- Capture }

// CaptureTo returns a message that makes the shell send a Capture to reply, which must
// have a buffer of one.
func CaptureTo(reply chan<- Capture) tea.Msg { return captureMsg{reply: reply} }

// View paints the terminal: exactly the lines that fit, at most as wide as it is.
func (m *Model) View() (view string) {
	defer func() {
		if cause := recover(); cause != nil {
			m.endAfterPanic(cause, debug.Stack())
			if m.send != nil { // it cannot return a command
				go m.send(endMsg{})
			}
			view = ""
		}
	}()

	if m.ended {
		return ""
	}

	return m.frame.view(m.mark())
}

// mark returns the mark for drivers.
func (m *Model) mark() string {
	if !m.opts.ShowIdle {
		return ""
	}

	mark := IdleMark
	switch {
	case !m.Idle():
		mark = BusyMark
	case m.settling():
		mark = ScanMark
	}

	return fmt.Sprint(mark, m.handled%10)
}

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
