package shell

import (
	"context"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/input"
	"bincard/tui/shell/internal/login"
	"bincard/tui/shell/internal/paint"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the shell: a stack of screens with everything around them. It is a tea.Model
// that Run runs on a terminal and tuitest drives without one.
type Model struct {
	opts   *Options
	ctx    context.Context
	cancel context.CancelFunc
	t      *i18n.Translator

	width, height int
	status        tui.Status
	screens       screens

	pending   *pending.Commands
	input     input.Queue
	timing    input.Timing
	alerts    *alerts
	dialogs   *dialog.Stack
	searching bool // the finder is running
	login     *login.Login

	mouse   bool
	handled int  // the number of keys and scans, for drivers
	settles bool // the mark for drivers is painted until the last scan has settled

	begun time.Time     // by the shell's clock
	drift time.Duration // of the screens' time from the shell's clock, when last checked

	ended    bool
	panicErr error
	send     func(tea.Msg) // to the running program; nil without one
}

// New returns a shell. Init opens its screens.
func New(opts Options) *Model {
	opts = opts.filled()
	m := &Model{opts: &opts, alerts: &alerts{opts: &opts}, width: 80, height: 24}
	if m.opts.Width > 0 && m.opts.Height > 0 {
		m.width, m.height = m.opts.Width, m.opts.Height
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.t = m.opts.Translator
	m.status = m.opts.Status
	now := m.opts.Clock.Now
	m.pending = pending.New(pending.Options{Clock: opts.Clock, Limit: opts.Limit, Work: opts.Work, Background: opts.Background})
	m.input = input.NewQueue(now)
	m.timing = input.NewTiming(now)
	m.dialogs = dialog.NewStack(m.t)
	m.login = login.New(m.opts.Login, m.t, now)
	m.screens = screens{opts: m.opts, t: m.t, ctx: m.ctx, pending: m.pending, alerts: m.alerts, dialogs: m.dialogs, login: m.login,
		saved: savedWork{opts: m.opts, left: map[string][]string{}}}
	m.begun = now()
	m.drift = m.screenDrift()
	return m
}

// screenDrift returns how far the time of screens is ahead of the shell's clock, which is
// never set.
func (m *Model) screenDrift() time.Duration {
	unset := m.begun.Round(0).Add(m.opts.Clock.Now().Sub(m.begun))
	return m.opts.screenClock().Now().Round(0).Sub(unset)
}

// unfinished returns why nobody else can sign in now, or "": the screens still work on the
// operator's input, or would lose it. Anybody can sign in on a terminal that is locked.
func (m *Model) unfinished() string {
	waiting := !m.login.Required()
	if m.screens.sending() || waiting && !m.input.Empty() {
		return m.t.Get("Still sending. Wait a moment")
	}
	for _, s := range m.screens.list {
		if reason := s.refusal(); waiting && reason != "" {
			return paint.ShortTitle(s.screen) + ": " + reason
		}
	}
	return ""
}

// dialogTakesKeys reports whether a dialog is open that accepts keys. While a login is
// required, only the shell's question whether to quit does.
func (m *Model) dialogTakesKeys() bool {
	return m.dialogs.Open() && (!m.login.Required() || m.dialogs.ShellQuestion())
}

// canTakeScan reports whether the screen on top can take a scan now: it is not busy, and
// the previous scan is done.
func (m *Model) canTakeScan() bool {
	top := m.screens.top()
	return top != nil && !m.login.Required() && !m.alerts.fault.Active() && !m.dialogs.Open() &&
		m.pending.StrongestCause() == pending.None && !top.busy()
}
