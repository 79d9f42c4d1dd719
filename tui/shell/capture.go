package shell

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
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

func (m *Model) capture() Capture {
	return Capture{View: m.View(), Route: m.Route(), Idle: m.Idle(), Fault: m.fault.text}
}

// Idle reports whether nothing is in progress: no pending command, no partial or queued
// scan, no dialog that still ignores keys.
func (m *Model) Idle() bool {
	return len(m.pending.commands) == 0 && !m.scans.collector.Pending() && m.scans.empty() &&
		(m.dialog == nil || !m.dialog.guarded)
}

// Route returns the route of the screen on top.
func (m *Model) Route() string {
	if f := m.top(); f != nil {
		return f.env.Route.Path
	}
	return ""
}

// Routes returns the routes of all open screens, the last on top.
func (m *Model) Routes() []string {
	routes := make([]string, len(m.frames))
	for i, f := range m.frames {
		routes[i] = f.env.Route.Path
	}
	return routes
}

// Top returns the screen on top, for tests.
func (m *Model) Top() tui.Screen {
	if f := m.top(); f != nil {
		return f.screen
	}
	return nil
}

// Err returns the crash that ended the session, or nil.
func (m *Model) Err() error { return m.panicErr }
