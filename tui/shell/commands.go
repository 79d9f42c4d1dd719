package shell

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// checkSlow moves the spinner and reports commands without an answer.
func (m *Model) checkSlow() tea.Cmd {
	late, cmd := m.pending.Check()
	for _, screen := range late {
		cmd = tea.Batch(cmd, m.alerts.fail(screen, tui.FailMsg{Text: m.alerts.noAnswer()}))
	}
	return cmd
}

// refreshHeader calls Options.Header. The signed-in operator stays.
func (m *Model) refreshHeader() {
	if m.opts.Header == nil {
		return
	}
	operator := m.status.Operator
	if m.status = m.opts.Header(); m.login.Enabled() {
		m.status.Operator = operator
	}
}
