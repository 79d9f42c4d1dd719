package shell

import (
	"context"

	"bincard/tui/shell/internal/input"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the shell: a stack of screens with everything around them. It is a tea.Model
// that Run runs on a terminal and tuitest drives without one.
type Model struct {
	parts
	ctx     context.Context
	cancel  context.CancelFunc
	screens *screens
	actions *actions
	frame   *frame
	clock   clockWatch

	handled   int  // the number of keys and scans, for drivers
	settles   bool // the mark for drivers is painted until the last scan has settled
	unchanged bool // the last message changed nothing on the screen

	ended    bool
	panicErr error
	send     func(tea.Msg) // to the running program; nil without one
}

// New returns a shell. Init opens its screens.
func New(opts Options) *Model {
	opts = opts.filled()
	p := newParts(&opts)
	m := &Model{parts: p, clock: clockWatch{opts: &opts, begun: opts.Clock.Now()}}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.screens = &screens{parts: p, ctx: m.ctx, saved: savedWork{opts: &opts, left: map[string][]string{}}}
	m.actions = &actions{parts: p, screens: m.screens}
	m.frame = &frame{parts: p, screens: m.screens, actions: m.actions, width: 80, height: 24, status: opts.Status}
	if opts.Width > 0 && opts.Height > 0 {
		m.frame.width, m.frame.height = opts.Width, opts.Height
	}

	m.clock.set()

	return m
}

// canTakeScan reports whether the screen on top can take a scan now: it is not busy, and
// the previous scan is done.
func (m *Model) canTakeScan() bool {
	top := m.screens.top()
	return top != nil && !m.login.Required() && !m.hasFault() && !m.dialogs.Open() &&
		m.pending.StrongestCause() == input.None && !top.busy()
}
