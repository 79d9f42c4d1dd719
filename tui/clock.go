package tui

import (
	"time"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Clock tells the time and waits. Everything in the shell that depends on
// time goes through it. Its time is never set back or ahead while the shell
// runs, as package time's is not; that of Options.Now may be.
type Clock interface {
	Now() time.Time
	// Tick is a command that ends after d with the message fn makes.
	Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd
}

// wallClock is the machine's own clock.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return tea.Tick(d, fn)
}

// screenClock waits as the shell does and tells the time that screens go by.
type screenClock struct {
	Clock
	now func() time.Time
}

func (c screenClock) Now() time.Time { return c.now() }

// screenTime is the clock that screens get.
func (o Options) screenTime() Clock {
	if o.Now == nil {
		return o.Clock
	}
	return screenClock{o.Clock, o.Now}
}

// dated is a scan at the time that screens go by; its collector goes by the
// shell's.
func (m *Model) dated(s scan.Scan) scan.Scan {
	if m.opts.Now != nil && !s.At.IsZero() {
		s.At = m.opts.Now().Add(-m.opts.Clock.Now().Sub(s.At))
	}
	return s
}
