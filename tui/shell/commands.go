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

// update sends a message to a screen and saves its draft.
func (m *Model) update(s *openScreen, msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tui.HeaderChanger); ok {
		m.refreshHeader()
	}
	screen, cmd := s.screen.Update(msg)
	s.screen = screen
	return m.run(s, cmd)
}

// run routes the command of a screen whose state has changed, and saves its draft.
func (m *Model) run(s *openScreen, cmd tea.Cmd) tea.Cmd {
	m.saveDraft(s)
	return m.pending.Start(s.id, cmd)
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
