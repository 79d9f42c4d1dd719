package shell

import (
	"fmt"
	"io"
	"time"

	"bincard/tui"
	"bincard/tui/clip"

	tea "github.com/charmbracelet/bubbletea"
)

const bellInterval = 180 * time.Millisecond // two bells in one moment sound like one

type nextBellMsg struct{ n int }

// ring rings n times, from commands: what a View rings would ring at every frame.
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

// write sends a sequence to the terminal once, beside the frames.
func (m *Model) write(sequence string) tea.Cmd {
	out := m.opts.Output
	log := m.opts.Log
	return func() tea.Msg {
		if _, err := io.WriteString(out, sequence); err != nil {
			log.Debug("terminal not written", "error", err)
		}
		return nil
	}
}

type copiedMsg struct {
	sequence string
	err      error
}

// copy puts text on the clipboard: the machine's own, else through the terminal.
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
