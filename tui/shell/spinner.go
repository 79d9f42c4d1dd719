package shell

import (
	"time"

	"bincard/tui"

	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	spinAfter = 150 * time.Millisecond // quick answers show no spinner
	spinEvery = 100 * time.Millisecond
	lateGrace = 500 * time.Millisecond // for the screen's own message about a timeout
)

type slowCheckMsg struct{}

// scheduleSlowCheck schedules a checkSlow, unless one is due already.
func (m *Model) scheduleSlowCheck() tea.Cmd {
	if m.slowCheckDue {
		return nil
	}
	m.slowCheckDue = true
	return m.opts.Clock.Tick(spinAfter, func(time.Time) tea.Msg { return slowCheckMsg{} })
}

// checkSlow starts, moves or stops the spinner, and reports commands without an answer.
func (m *Model) checkSlow() tea.Cmd {
	m.slowCheckDue = false
	if len(m.pending.commands) == 0 {
		m.spinnerStep = 0
		return nil
	}
	now := m.opts.Clock.Now()
	var cmds []tea.Cmd
	oldest := time.Duration(0)
	for id, c := range m.pending.commands {
		age := now.Sub(c.start)
		oldest = max(oldest, age)
		if age >= m.opts.Limit+lateGrace && !c.reported {
			c.reported = true
			m.pending.commands[id] = c
			cmds = append(cmds, m.showFault(c.screen, tui.FailMsg{Text: m.t.Get("No answer after %d s. It may still arrive; if not, retry", int(m.opts.Limit.Seconds()))}))
		}
	}
	m.slowCheckDue = true
	next := spinEvery
	if oldest < spinAfter {
		next = spinAfter - oldest
	} else {
		m.spinnerStep++
	}
	return tea.Batch(append(cmds, m.opts.Clock.Tick(next, func(time.Time) tea.Msg { return slowCheckMsg{} }))...)
}

// spinner returns the current frame of the spinner, or "".
func (m *Model) spinner() string {
	if m.spinnerStep == 0 || len(m.pending.commands) == 0 {
		return ""
	}
	frames := spinner.MiniDot.Frames
	return frames[m.spinnerStep%len(frames)]
}
