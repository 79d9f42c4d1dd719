package shell

import (
	"time"

	"bincard/tui"

	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	spinAfter = 150 * time.Millisecond // a quick answer shows no spinner
	spinEvery = 100 * time.Millisecond
	lateGrace = 500 * time.Millisecond // for the screen's own word on a timeout
)

type slowCheckMsg struct{}

// scheduleSlowCheck asks for a look at what is under way, unless one is due already.
func (m *Model) scheduleSlowCheck() tea.Cmd {
	if m.slowCheckDue {
		return nil
	}
	m.slowCheckDue = true
	return m.opts.Clock.Tick(spinAfter, func(time.Time) tea.Msg { return slowCheckMsg{} })
}

// checkSlow turns the spinner on, moves it, or ends it; and tells what takes too long.
func (m *Model) checkSlow() tea.Cmd {
	m.slowCheckDue = false
	if len(m.pending.commands) == 0 {
		m.spinnerStep = 0
		return nil
	}
	now := m.opts.Clock.Now()
	var cmds []tea.Cmd
	oldest := time.Duration(0)
	for id, f := range m.pending.commands {
		age := now.Sub(f.start)
		oldest = max(oldest, age)
		if age >= m.opts.Limit+lateGrace && !f.reported {
			f.reported = true
			m.pending.commands[id] = f
			cmds = append(cmds, m.showFault(f.screen, tui.FailMsg{Text: m.t.Get("No answer after %d s. It may still arrive; if not, retry", int(m.opts.Limit.Seconds()))}))
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

// spinner is the picture of work under way, or "".
func (m *Model) spinner() string {
	if m.spinnerStep == 0 || len(m.pending.commands) == 0 {
		return ""
	}
	frames := spinner.MiniDot.Frames
	return frames[m.spinnerStep%len(frames)]
}

type secondMsg struct{}

// everySecond refreshes the header's words when somebody provides them.
func (m *Model) everySecond() tea.Cmd {
	if m.opts.Header == nil && m.opts.Login.LockAfter == 0 {
		return nil
	}
	m.refreshHeader()
	m.idleLock()
	return tea.Batch(m.timeSet(), m.opts.Clock.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{} }))
}

// timeSet lets the screen on top read again when the time that screens go by
// was set: what it shows may be of another day.
func (m *Model) timeSet() tea.Cmd {
	now := m.drift()
	if (now - m.ahead).Abs() < time.Minute {
		return nil
	}
	m.ahead = now
	if m.top() == nil {
		return nil
	}
	return m.refreshTop()
}

// drift is how far the time of the screens is from that of the shell's clock,
// which is never set.
func (m *Model) drift() time.Duration {
	steady := m.begun.Round(0).Add(m.opts.Clock.Now().Sub(m.begun))
	return m.opts.screenClock().Now().Round(0).Sub(steady)
}

// refreshHeader takes the header's words as they are now.
func (m *Model) refreshHeader() {
	if m.opts.Header == nil {
		return
	}
	operator := m.status.Operator
	if m.status = m.opts.Header(); len(m.opts.Login.Operators) > 0 {
		m.status.Operator = operator
	}
}

func (m *Model) second() tea.Cmd { return m.everySecond() }
