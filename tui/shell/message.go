package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bincard/tui"
	"bincard/tui/clip"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	toastDuration = 4 * time.Second
	bellInterval  = 180 * time.Millisecond // closer bells sound like one
)

type (
	toastEndMsg struct{ id int }
	nextBellMsg struct{ n int }
	copiedMsg   struct {
		sequence string
		err      error
	}
)

func (m *Model) notify(n Notice) {
	if m.opts.OnNotice != nil {
		m.opts.OnNotice(n)
	}
}

// ring rings n times. It writes to the terminal beside the frames, which would ring again
// with every repaint.
func (m *Model) ring(n int) tea.Cmd {
	if n > 0 {
		m.notify(Notice{Bells: n})
	}
	if n <= 0 || m.opts.Silent {
		return nil
	}
	once := m.write("\a")
	if n == 1 {
		return once
	}
	return tea.Batch(once, m.opts.Clock.Tick(bellInterval, func(time.Time) tea.Msg { return nextBellMsg{n - 1} }))
}

// write sends a control sequence to the terminal once, beside the frames.
func (m *Model) write(sequence string) tea.Cmd {
	out, log := m.opts.Output, m.opts.Log
	return func() tea.Msg {
		if _, err := io.WriteString(out, sequence); err != nil {
			log.Debug("terminal not written", "error", err)
		}
		return nil
	}
}

func (m *Model) showToast(msg tui.ToastMsg) tea.Cmd {
	id := m.toast.Set(msg.Text, msg.Warn)
	kind := NoticeSuccess
	if msg.Warn {
		kind = NoticeWarning
	}
	m.notify(Notice{Kind: kind, Text: m.toast.Text})
	return m.opts.Clock.Tick(toastDuration, func(time.Time) tea.Msg { return toastEndMsg{id} })
}

// warn shows a problem that needs no answer.
func (m *Model) warn(text string) tea.Cmd { return m.showToast(tui.ToastMsg{Text: text, Warn: true}) }

// showFault shows an error and rings twice. If an error is already shown, the new one
// waits until that one is acknowledged.
func (m *Model) showFault(screen int, msg tui.FailMsg) tea.Cmd {
	text := widget.Clean(msg.Text)
	if errors.Is(msg.Err, context.DeadlineExceeded) {
		text = m.noAnswer()
	}
	if text == "" {
		return nil
	}
	if m.fault.Show(screen, text, msg) {
		m.input.DiscardKeys()
		kind := NoticeFault
		if msg.ConfirmScan {
			kind = NoticeConfirmScan
		}
		m.notify(Notice{Kind: kind, Text: text})
		m.opts.Log.Info("shown to the operator", "error", text)
	}
	return m.ring(2)
}

func (m *Model) noAnswer() string {
	return m.t.Get("No answer after %d s. It may still arrive; if not, retry", int(m.opts.Limit.Seconds()))
}

// acknowledge removes the current error and shows the next one.
func (m *Model) acknowledge() tea.Cmd {
	screen := m.fault.Screen
	next, ok := m.fault.Acknowledge()
	if !ok {
		return nil
	}
	return m.showFault(screen, next)
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

// copy copies text to the clipboard of the machine or the terminal.
func (m *Model) copy(text string) tea.Cmd {
	copier := m.opts.Copier
	if copier == nil {
		copier = clip.Remote
	}
	return func() tea.Msg {
		sequence, err := copier(text)
		return copiedMsg{sequence: sequence, err: err}
	}
}

func (m *Model) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return m.showFault(0, tui.FailMsg{Text: fmt.Sprintf(m.t.Get("Not copied: %v"), msg.err)})
	}
	cmd := m.showToast(tui.ToastMsg{Text: m.t.Get("Copied")})
	if msg.sequence != "" {
		cmd = tea.Batch(m.write(msg.sequence), cmd)
	}
	return cmd
}

// commandUnavailable says that the screen does not have a command.
func (m *Model) commandUnavailable(c tui.Command) tea.Cmd {
	return tea.Batch(m.ring(2), m.warn(m.t.Get("The command \"%s\" does nothing here", c.Title(m.t))))
}
