package shell

import (
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// toast is a message that disappears after toastDuration.
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

func (m *Model) showToast(msg tui.ToastMsg) tea.Cmd {
	id := m.toast.set(msg.Text, msg.Warn)
	kind := NoticeSuccess
	if msg.Warn {
		kind = NoticeWarning
	}
	m.notify(Notice{Kind: kind, Text: m.toast.text})
	return m.opts.Clock.Tick(toastDuration, func(time.Time) tea.Msg { return toastEndMsg{id} })
}

// Toast returns the current toast, or "".
func (m *Model) Toast() string { return m.toast.text }
