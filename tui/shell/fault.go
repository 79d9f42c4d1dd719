package shell

import (
	"context"
	"errors"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// fault is an error that stays until the operator acknowledges it, or a scan to confirm.
type fault struct {
	text        string
	note        string // says that the fault refused a scan
	screen      int    // that failed; 0 is the shell
	actions     []tui.Action
	confirmScan bool
	code        string // the raw scan that confirms
	onYes       func() tea.Cmd
	queue       []tui.FailMsg // later errors, shown one by one
}

func (f *fault) active() bool { return f.text != "" }

func (f *fault) clear() { *f = fault{queue: f.queue} }

// detach keeps the error of a closed screen, without the actions of that screen.
func (f *fault) detach() {
	if f.confirmScan {
		f.clear()
		return
	}
	f.screen, f.actions = 0, nil
}

// errorText returns the message of an error. A timeout gets the shell's own message.
func (m *Model) errorText(msg tui.FailMsg) string {
	if errors.Is(msg.Err, context.DeadlineExceeded) {
		return m.t.Get("No answer after %d s. It may still arrive; if not, retry", int(m.opts.Limit.Seconds()))
	}
	return widget.Clean(msg.Text)
}

// showFault shows an error and rings twice. If an error is already shown, the new one
// waits until that one is acknowledged.
func (m *Model) showFault(screen int, msg tui.FailMsg) tea.Cmd {
	text := m.errorText(msg)
	if text == "" {
		return nil
	}
	if m.fault.active() && !m.fault.confirmScan {
		if m.fault.text != text {
			m.fault.queue = append(m.fault.queue, msg)
		}
		return m.ring(2)
	}
	m.fault = fault{text: text, screen: screen, actions: msg.Actions,
		confirmScan: msg.ConfirmScan, code: msg.Code, onYes: msg.OnYes, queue: m.fault.queue}
	m.scans.discardKeys()
	kind := NoticeFault
	if msg.ConfirmScan {
		kind = NoticeConfirmScan
	}
	m.notify(Notice{Kind: kind, Text: text})
	m.opts.Log.Info("shown to the operator", "error", m.fault.text)
	return m.ring(2)
}

// showNotes shows the first problem of the settings and how many more there are; the
// settings screen lists them all.
func (m *Model) showNotes() tea.Cmd {
	if len(m.opts.Notes) == 0 {
		return nil
	}
	text := m.t.Message(m.opts.Notes[0])
	if more := len(m.opts.Notes) - 1; more > 0 {
		text += " " + m.t.Get("And %d more. See Settings.", more)
	}
	return m.showFault(0, tui.FailMsg{Text: text})
}

// acknowledge removes the current error and shows the next one.
func (m *Model) acknowledge() tea.Cmd {
	queue, screen := m.fault.queue, m.fault.screen
	m.fault = fault{}
	if len(queue) > 0 {
		m.fault.queue = queue[1:]
		return m.showFault(screen, queue[0])
	}
	return m.drain()
}

// faultKey handles a key while an error is shown: enter, esc and the error's own actions.
// It ignores all others, so that nobody continues without reading the error.
func (m *Model) faultKey(key string) tea.Cmd {
	for _, a := range m.fault.actions {
		if a.DisabledReason() == "" && hasKey(m.opts.Keys.KeysFor(a), key) {
			owner := m.frame(m.fault.screen)
			if owner == nil {
				owner = m.top()
			}
			return tea.Batch(m.acknowledge(), m.runAction(owner, a))
		}
	}
	if key == "enter" || key == "esc" {
		return m.acknowledge()
	}
	return nil
}

// Fault returns the error that is shown, or "".
func (m *Model) Fault() string { return m.fault.text }
