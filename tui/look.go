package tui

import tea "github.com/charmbracelet/bubbletea"

// Look is what a driver sees of a running session.
type Look struct {
	View  string
	Route string
	Idle  bool
	Fault string // the error that stands
}

// lookMsg asks for a look in the shell's turn.
type lookMsg struct{ reply chan<- Look }

// LookInto is a message that makes the shell answer on reply, which needs room
// for one.
func LookInto(reply chan<- Look) tea.Msg { return lookMsg{reply: reply} }

func (m *Model) look() Look {
	return Look{View: m.View(), Route: m.Route(), Idle: m.Idle(), Fault: m.faults.text}
}
