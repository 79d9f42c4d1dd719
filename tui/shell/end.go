package shell

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

type (
	endMsg    struct{}
	hangupMsg struct{}
)

// Hangup returns a message that ends a session whose connection is gone, with all drafts
// saved.
func Hangup() tea.Msg { return hangupMsg{} }

// protect runs fn and ends the session after a panic.
func (m *Model) protect(fn func() tea.Cmd) (cmd tea.Cmd) {
	defer func() {
		if cause := recover(); cause != nil {
			cmd = m.endAfterPanic(cause, debug.Stack())
		}
	}()
	return fn()
}

func (m *Model) endAfterPanic(cause any, stack []byte) tea.Cmd {
	m.opts.Log.Error("the terminal stopped", "cause", fmt.Sprint(cause), "stack", string(stack))
	m.panicErr = fmt.Errorf("the terminal crashed: %v; drafts are saved and the log file has the details", cause)
	return m.end()
}

// end saves the drafts and the open routes and stops the program.
func (m *Model) end() tea.Cmd {
	m.ended = true
	m.screens.saveAll()
	m.cancel()
	return tea.Quit
}
