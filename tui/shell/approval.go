package shell

import (
	"bincard/tui"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

// An approval is an action of a screen that a supervisor approves. It is for this action
// alone: the operator stays signed in, and it ends when the action has.
type approval struct {
	screen     int
	action     tui.Action
	supervisor string // "" until one has approved
}

// approve runs the waiting action as approved by a supervisor.
func (m *Model) approve(supervisor string) tea.Cmd {
	waiting := m.approval
	if waiting == nil || m.open(waiting.screen) == nil {
		return nil
	}
	waiting.supervisor = supervisor
	if m.opts.Login.OnApproval != nil {
		m.opts.Login.OnApproval(supervisor)
	}
	return tea.Batch(m.showToast(tui.ToastMsg{Text: m.t.Get("Approved by %s", supervisor)}),
		m.asApproved(func() tea.Cmd { return m.runAllowed(waiting.screen, waiting.action) }))
}

// asApproved runs a part of an action. If it is approved, its commands are marked like
// those of a scan, so that checkApproval sees when they have ended.
func (m *Model) asApproved(fn func() tea.Cmd) tea.Cmd {
	if m.approval == nil || m.approval.supervisor == "" {
		return fn()
	}
	return m.pending.WithCause(pending.Scan, fn)
}

// checkApproval ends the approval if its action has ended: no dialog of it is open and
// its screen waits for nothing.
func (m *Model) checkApproval() {
	if a := m.approval; a == nil || a.supervisor == "" || m.dialogs.Open() {
		return
	}
	if s := m.open(m.approval.screen); s == nil || s != m.top() || !s.busy() && m.pending.StrongestCause() == pending.None {
		m.endApproval()
	}
}

// endApproval withdraws the approval.
func (m *Model) endApproval() {
	if m.approval != nil && m.approval.supervisor != "" && m.opts.Login.OnApproval != nil {
		m.opts.Login.OnApproval("")
	}
	m.approval = nil
}
