package shell

import (
	"context"
	"errors"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// fault is the error, or the doubt, that stands until it is acknowledged.
type fault struct {
	text        string
	note        string // what was refused because of it
	screen      int    // whose it is; 0 is the shell's
	actions     []tui.Action
	confirmScan bool
	code        string
	yes         func() tea.Cmd
	queue       []tui.FailMsg // errors that came while this one stood
}

func (f *fault) active() bool { return f.text != "" }

func (f *fault) clear() { *f = fault{queue: f.queue} }

// detach keeps an error standing whose screen is closed, without what only
// that screen could do.
func (f *fault) detach() {
	if f.confirmScan {
		f.clear()
		return
	}
	f.screen, f.actions = 0, nil
}

// words of an error; a limit that passed is told as people say it.
func (m *Model) errorText(msg tui.FailMsg) string {
	if errors.Is(msg.Err, context.DeadlineExceeded) {
		return m.t.Get("No answer after %d s. It may still arrive; if not, retry", int(m.opts.Limit.Seconds()))
	}
	return widget.Clean(msg.Text)
}

// showFault shows an error with two bells. One that stands already is not painted
// over: the next comes when it is acknowledged.
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
		confirmScan: msg.ConfirmScan, code: msg.Code, yes: msg.OnYes, queue: m.fault.queue}
	m.scans.discardKeys()
	kind := NoticeFault
	if msg.ConfirmScan {
		kind = NoticeConfirmScan
	}
	m.notify(Notice{Kind: kind, Text: text})
	m.opts.Log.Info("shown to the operator", "error", m.fault.text)
	return m.ring(2)
}

// showNotes tells at the start what is wrong with the settings: the first of it, as
// the settings screen tells all.
func (m *Model) showNotes() tea.Cmd {
	if len(m.opts.Notes) == 0 {
		return nil
	}
	text := m.opts.Notes[0]
	if more := len(m.opts.Notes) - 1; more > 0 {
		text += " " + m.t.Get("And %d more. See Settings.", more)
	}
	return m.showFault(0, tui.FailMsg{Text: text})
}

// acknowledge takes the standing error away; the next one may come.
func (m *Model) acknowledge() tea.Cmd {
	rest := m.fault.queue
	screen := m.fault.screen
	m.fault = fault{}
	if len(rest) > 0 {
		m.fault.queue = rest[1:]
		return m.showFault(screen, rest[0])
	}
	return m.drain()
}

// faultKey handles a key while an error stands: enter, esc and the error's own
// actions; everything else is swallowed, so that nobody works on blindly.
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

// toast is a line that goes away by itself.
type toast struct {
	id   int
	text string
	warn bool
}

const toastDuration = 4 * time.Second

type toastEndMsg struct{ id int }

func (t *toast) set(text string, warn bool) int {
	t.id++
	t.text, t.warn = widget.Clean(text), warn
	return t.id
}

func (t *toast) end(id int) {
	if id == t.id {
		t.text = ""
	}
}

// showToast shows a toast.
func (m *Model) showToast(msg tui.ToastMsg) tea.Cmd {
	id := m.toast.set(msg.Text, msg.Warn)
	kind := NoticeSuccess
	if msg.Warn {
		kind = NoticeWarning
	}
	m.notify(Notice{Kind: kind, Text: m.toast.text})
	return m.opts.Clock.Tick(toastDuration, func(time.Time) tea.Msg { return toastEndMsg{id} })
}

// Fault is the error that stands, or "", for tests and plain mode.
func (m *Model) Fault() string { return m.fault.text }

// Toast is the line that says what succeeded, or "", for tests and plain mode.
func (m *Model) Toast() string { return m.toast.text }
