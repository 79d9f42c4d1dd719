package shell

import (
	"time"

	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// wallClock is the machine's clock.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return tea.Tick(d, fn)
}

// screenClock is the clock of screens: it waits like the shell's clock and has the time
// of Options.Now.
type screenClock struct {
	tui.Clock
	now func() time.Time
}

func (c screenClock) Now() time.Time { return c.now() }

func (o *Options) screenClock() tui.Clock {
	if o.Now == nil {
		return o.Clock
	}
	return screenClock{o.Clock, o.Now}
}

// withScreenTime changes the time of a scan from the shell's clock to that of screens.
func (o *Options) withScreenTime(s scan.Scan) scan.Scan {
	if o.Now != nil && !s.At.IsZero() {
		s.At = o.Now().Add(-o.Clock.Now().Sub(s.At))
	}
	return s
}
