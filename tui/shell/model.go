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
	screens       []*openScreen // the last is on top
	nextID        int
	firstID       int    // of the operator's screens; those before are of others
	keyConflicts  string // describes the keys with two actions on the screen on top
	savedSession  string // the contents of the session file

	pending   pending.Commands
	input     input.Queue
	typed     input.TypedCode
	alerts    alerts
	dialogs   dialog.Stack
	searching bool // the finder is running
	login     login.Login
	operator  string              // who signed in last, even if signed out
	started   bool                // the routes of the options were opened
	lastOpen  map[string][]string // the routes that each operator left, by name
	approval  *approval           // an action that waits for a supervisor; nil if none

	mouse     bool
	lastCtrlC time.Time
	lastKey   time.Time
	lastScan  time.Time // zero if a key followed it
	handled   int       // the number of keys and scans, for drivers
	settles   bool      // the mark for drivers is painted until the last scan has settled

	lastBurst       time.Time // of text in a form
	lastBurstScreen int       // the screen of that form

	begun time.Time     // by the shell's clock
	drift time.Duration // of the screens' time from the shell's clock, when last checked

	ended    bool
	panicErr error
	send     func(tea.Msg) // to the running program; nil without one
}

// openScreen is a screen on the stack.
type openScreen struct {
	id       int // the address of its answers
	cancel   context.CancelFunc
	env      tui.Env
	screen   tui.Screen
	draft    string // the draft on disk
	hasDraft bool   // whether there is one
	from     string // the operator whom it was taken over from, or ""
}

// New returns a shell. Init opens its screens.
func New(opts Options) *Model {
	opts = opts.filled()
	m := &Model{opts: &opts, alerts: alerts{opts: &opts}, width: 80, height: 24}
	if m.opts.Width > 0 && m.opts.Height > 0 {
		m.width, m.height = m.opts.Width, m.opts.Height
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.t = m.opts.Translator
	m.status = m.opts.Status
	m.lastOpen = map[string][]string{}
	now := m.opts.Clock.Now
	m.pending = pending.New(pending.Options{Clock: opts.Clock, Limit: opts.Limit, Work: opts.Work, Background: opts.Background})
	m.input = input.NewQueue(now)
	m.dialogs = dialog.NewStack(m.t)
	m.login = login.New(m.opts.Login, m.t, now, m.operatorChanged)
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

// open returns the open screen with an ID, or nil.
func (m *Model) open(id int) *openScreen {
	for _, s := range m.screens {
		if s.id == id {
			return s
		}
	}
	return nil
}

// top returns the screen on top, or nil before the first one.
func (m *Model) top() *openScreen {
	if len(m.screens) == 0 {
		return nil
	}
	return m.screens[len(m.screens)-1]
}

// topID returns the ID of the screen on top, or 0.
func (m *Model) topID() int {
	if s := m.top(); s != nil {
		return s.id
	}
	return 0
}

// busy reports whether a screen is submitting.
func (s *openScreen) busy() bool {
	w, ok := s.screen.(tui.Busy)
	return ok && w.Busy()
}

// sending reports whether any screen is submitting in the operator's name.
func (m *Model) sending() bool {
	for _, s := range m.screens {
		if s.busy() {
			return true
		}
	}
	return false
}

// unfinished returns why nobody else can sign in now, or "": the screens still work on the
// operator's input, or would lose it. Anybody can sign in on a terminal that is locked.
func (m *Model) unfinished() string {
	waiting := !m.login.Required()
	if m.sending() || waiting && !m.input.Empty() {
		return m.t.Get("Still sending. Wait a moment")
	}
	for _, s := range m.screens {
		if l, ok := s.screen.(tui.Leaver); ok && waiting {
			if ok, reason := l.CanLeave(); !ok {
				return paint.ShortTitle(s.screen) + ": " + reason
			}
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
	top := m.top()
	return top != nil && !m.login.Required() && !m.alerts.fault.Active() && !m.dialogs.Open() &&
		m.pending.StrongestCause() == pending.None && !top.busy()
}
