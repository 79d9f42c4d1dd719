package shell_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// witness is a screen that records what the shell calls.
type witness struct {
	env       tui.Env
	refreshed int
	scans     []scan.Scan
}

func (p *witness) Init(env tui.Env) tea.Cmd             { p.env = env; return nil }
func (p *witness) Update(tea.Msg) (tui.Screen, tea.Cmd) { return p, nil }
func (p *witness) View(tui.Size) string                 { return "" }
func (p *witness) Title() string                        { return "Witness" }
func (p *witness) Actions() []tui.Action                { return nil }
func (p *witness) Refresh() tea.Cmd                     { p.refreshed++; return nil }
func (p *witness) OnScan(s scan.Scan) tea.Cmd           { p.scans = append(p.scans, s); return nil }

// TestShell_OutlivesAClockThatIsSet sets the time of screens a year ahead or back. The
// shell's timers do not change, and the screen refreshes once.
func TestShell_OutlivesAClockThatIsSet(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{366 * 24 * time.Hour, -366 * 24 * time.Hour} {
		p := &witness{}
		d := tuitest.At(t, "witness", "witness", func(tui.Env) (tui.Screen, error) { return p, nil }, func(o *shell.Options) {
			o.Header = func() tui.Status { return tui.Status{} }
			o.Login = tui.Login{Operators: []tui.Operator{{Name: "Ada"}}, Current: "Ada", LockAfter: 5 * time.Minute}
		})
		require.Equal(t, tuitest.Noon, p.env.Now())
		d.Jump(by).Advance(time.Minute)
		require.Equal(t, tuitest.Noon.Add(by+time.Minute), p.env.Now())
		require.Equal(t, 1, p.refreshed)
		d.Scan("4006381333931")
		require.Len(t, p.scans, 1)
		require.WithinDuration(t, p.env.Now(), p.scans[0].At, time.Second)
		d.Advance(time.Minute)
		require.Equal(t, 1, p.refreshed)
		d.Scan("4006381333931")
		require.Len(t, p.scans, 2, "nobody was away for long: it is not locked")
		require.True(t, d.Model.Idle())
	}
}
