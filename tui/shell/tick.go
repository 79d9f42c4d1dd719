package shell

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

type secondMsg struct{}

// everySecond refreshes the header, locks an idle terminal and notices a clock that was
// set, once a second.
func (m *Model) everySecond() tea.Cmd {
	if m.opts.Header == nil && m.opts.Login.LockAfter == 0 {
		return nil
	}
	m.refreshHeader()
	m.idleLock()
	return tea.Batch(m.checkTimeSet(), m.opts.Clock.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{} }))
}

// checkTimeSet refreshes the screen on top if the time of screens was set, because it may
// show another day.
func (m *Model) checkTimeSet() tea.Cmd {
	drift := m.screenDrift()
	if (drift - m.drift).Abs() < time.Minute {
		return nil
	}
	m.drift = drift
	if m.top() == nil {
		return nil
	}
	return m.refreshTop()
}

// screenDrift returns how far the time of screens is ahead of the shell's clock, which is
// never set.
func (m *Model) screenDrift() time.Duration {
	unset := m.begun.Round(0).Add(m.opts.Clock.Now().Sub(m.begun))
	return m.opts.screenClock().Now().Round(0).Sub(unset)
}

// refreshHeader calls Options.Header. The signed-in operator stays.
func (m *Model) refreshHeader() {
	if m.opts.Header == nil {
		return
	}
	operator := m.status.Operator
	if m.status = m.opts.Header(); len(m.opts.Login.Operators) > 0 {
		m.status.Operator = operator
	}
}
