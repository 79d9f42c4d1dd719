package shell

import (
	"bincard/tui"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

// An approval is an action of a screen that waits for a supervisor.
type approval struct {
	screen int
	action tui.Action
}

// approve runs the waiting action as approved by a supervisor. The operator stays signed in.
func (m *Model) approve(supervisor string) tea.Cmd {
	waiting := m.approval
	if waiting == nil || m.screens.byID(waiting.screen) == nil {
		return nil
	}
	m.approval = nil
	return tea.Batch(m.alerts.success(m.t.Get("Approved by %s", supervisor)),
		m.pending.From(pending.Source{Screen: waiting.screen, ApprovedBy: supervisor}, func() tea.Cmd {
			return m.runAllowed(waiting.screen, waiting.action)
		}))
}
