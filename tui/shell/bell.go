package shell

import (
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const bellInterval = 180 * time.Millisecond // closer bells sound like one

type nextBellMsg struct{ n int }

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
