package shell

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// toggleMouse turns mouse capture on or off. While it is on, the terminal itself cannot
// select text.
func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	if m.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, m.showToast(tui.ToastMsg{Text: m.t.Get("Mouse on: hold shift to select text")}))
	}
	return tea.Batch(tea.DisableMouse, m.showToast(tui.ToastMsg{Text: m.t.Get("Mouse off: select text as usual")}))
}

// handleMouse runs the actions of the footer, treats the wheel as arrow keys, and sends
// everything else to the screen, relative to its body.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	f := m.top()
	if !m.mouse || f == nil || m.loginRequired() {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.handleKey(tea.KeyMsg{Type: tea.KeyUp})
	case tea.MouseButtonWheelDown:
		return m.handleKey(tea.KeyMsg{Type: tea.KeyDown})
	}
	if m.dialog != nil {
		return nil
	}
	l := m.layout()
	if msg.Action == tea.MouseActionPress && msg.Y >= l.footerAt {
		for _, t := range l.clickTargets {
			if t.line == msg.Y && msg.X >= t.from && msg.X < t.to {
				return m.runAction(f, t.action)
			}
		}
		return nil
	}
	if m.fault.active() || msg.Y < l.bodyAt || msg.Y >= l.bodyAt+l.body.Height {
		return nil
	}
	msg.Y -= l.bodyAt
	return m.update(f, msg)
}
