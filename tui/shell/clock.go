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

// A clockWatch notices when the time of screens is set. The shell's clock never is.
type clockWatch struct {
	opts  *Options
	begun time.Time     // by the shell's clock
	drift time.Duration // of the screens' time from the shell's clock
}

// set reports whether the time was set since the last call.
func (w *clockWatch) set() bool {
	unset := w.begun.Round(0).Add(w.opts.Clock.Now().Sub(w.begun))
	drift := w.opts.screenClock().Now().Round(0).Sub(unset)
	if (drift - w.drift).Abs() < time.Minute {
		return false
	}
	w.drift = drift
	return true
}
