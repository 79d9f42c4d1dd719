package tui

import (
	"bincard/tui/i18n"
	"context"
	"log/slog"
	"time"

	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Env is what a screen gets from the shell. It is a value to pass on freely;
// its commands belong to the screen it was made for and end with it.
type Env struct {
	Theme  theme.Theme
	Keys   Keymap
	Clock  Clock
	Log    *slog.Logger
	Role   string           // what the operator may do, as cmd names it; "" is everything
	T      *i18n.Translator // of the session
	Route  Route
	Drafts Drafts // of any route; the screen's own is Draft

	owner *owner
}

// owner is a screen's identity in the shell: what its answers are addressed to.
type owner struct {
	id     int
	ctx    context.Context
	cancel context.CancelFunc
	limit  time.Duration
	slots  map[string]*slot
}

// slot is a place for one answer: a newer question makes an older one stale.
type slot struct {
	seq    int
	cancel context.CancelFunc
}

// Context ends when the screen closes.
func (e Env) Context() context.Context {
	if e.owner == nil {
		return context.Background()
	}
	return e.owner.ctx
}

// Now is the time to show and to go by, which may be the service's.
func (e Env) Now() time.Time { return e.Clock.Now() }

// Draft is the work kept under the screen's route by a Keeper, if there is any.
func (e Env) Draft() ([]byte, bool) {
	data, ok, err := e.Drafts.Load(e.Route.Path)
	if err != nil {
		e.Log.Error("draft not read", "route", e.Route.Path, "error", err)
	}
	return data, ok && err == nil
}

// Do runs fn outside the screen's turn and brings its message to Update, even
// when the screen is covered by then; not when it is closed. The context ends
// with the screen, and after ten seconds; the shell shows a spinner after 150 ms
// and says so when ten seconds bring no answer. What OnScan or Init asks with Do
// belongs to it: the next scan waits for the answer.
func (e Env) Do(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return e.DoFor(e.owner.limit, fn)
}

// DoFor is Do with another limit, for exports and other long work.
func (e Env) DoFor(limit time.Duration, fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return msgCmd(workMsg{screen: e.owner.id, ctx: e.owner.ctx, limit: limit, fn: fn})
}

// Latest is Do where only the newest question of a slot counts: asking again
// ends the context of the one before and drops its answer. For lists and
// refreshes: no scan waits for it.
func (e Env) Latest(name string, fn func(ctx context.Context) tea.Msg) tea.Cmd {
	o := e.owner
	s := o.slots[name]
	if s == nil {
		s = &slot{}
		o.slots[name] = s
	}
	if s.cancel != nil {
		s.cancel()
	}
	ctx, cancel := context.WithCancel(o.ctx)
	s.seq++
	s.cancel = cancel
	return msgCmd(workMsg{screen: o.id, ctx: ctx, limit: o.limit, fn: fn, slot: name, seq: s.seq})
}

// After brings fn's message to Update after d. It does not count as work under
// way: no spinner, and an idle shell stays idle. Repeat it from Update for a tick.
func (e Env) After(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return afterMsg{d: d, fn: fn} }
}

// Watch runs fn as long as it takes, like a wait for news, without a spinner or
// a limit; its context ends with the screen. Ask again from Update for more.
func (e Env) Watch(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg { return watchMsg{fn: fn} }
}
