package shell

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// Capture is what a driver sees of a running session.
type Capture struct {
	View  string
	Route string
	Idle  bool
	Fault string // the error that stands
}

// captureMsg asks for a look in the shell's turn.
type captureMsg struct{ reply chan<- Capture }

// CaptureTo is a message that makes the shell answer on reply, which needs room
// for one.
func CaptureTo(reply chan<- Capture) tea.Msg { return captureMsg{reply: reply} }

func (m *Model) capture() Capture {
	return Capture{View: m.View(), Route: m.Route(), Idle: m.Idle(), Fault: m.fault.text}
}

// Idle reports whether nothing is under way: no command, no scan half heard,
// no scan waiting, no dialog that is not ready for keys.
func (m *Model) Idle() bool {
	return len(m.pending.commands) == 0 && !m.scans.collector.Pending() && m.scans.empty() &&
		(m.dialog == nil || !m.dialog.guarded)
}

// Route is where one stands.
func (m *Model) Route() string {
	if f := m.top(); f != nil {
		return f.env.Route.Path
	}
	return ""
}

// Routes are the routes of all open screens, the last on top.
func (m *Model) Routes() []string {
	routes := make([]string, len(m.frames))
	for i, f := range m.frames {
		routes[i] = f.env.Route.Path
	}
	return routes
}

// Top is the screen one sees, for tests.
func (m *Model) Top() tui.Screen {
	if f := m.top(); f != nil {
		return f.screen
	}
	return nil
}

// Err is why the session ended by itself, or nil.
func (m *Model) Err() error { return m.panicErr }
