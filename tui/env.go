package tui

import (
	"context"
	"log/slog"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// Env is what a screen gets from the shell. It is a value: pass it on freely. Its
// commands belong to the screen that it was made for and end with that screen.
type Env struct {
	Theme widget.Theme
	Keys  Keymap
	Clock Clock
	Log   *slog.Logger
	// Supervisor reports whether the operator is a supervisor; nil if everyone is.
	Supervisor func() bool
	// Limited reports whether the operator's role limits a permission to a quantity; nil if
	// none is.
	Limited func(p Permission) bool
	// Allowed reports whether the operator's role covers needs without a supervisor; nil if it
	// covers all.
	Allowed func(needs ...Need) bool
	// Approver returns the supervisor who approved what the screen does now; nil if none can.
	Approver func() string
	// Operator is who uses the screen; "" where nobody signs in.
	Operator string
	T        *i18n.Translator // of the session
	Route    Route
	Drafts   Drafts    // of all routes and operators; the screen's own is Draft
	Presence *Presence // what is open at other terminals; may be nil

	binding *binding
}

// Context returns a context that ends when the screen closes.
func (e Env) Context() context.Context {
	if e.binding == nil {
		return context.Background()
	}
	return e.binding.ctx
}

// IsSupervisor reports whether the operator may do what is for supervisors.
func (e Env) IsSupervisor() bool { return e.Supervisor == nil || e.Supervisor() }

// IsLimited reports whether the operator's role limits a permission to a quantity.
func (e Env) IsLimited(p Permission) bool { return e.Limited != nil && e.Limited(p) }

// Allows reports whether the operator's role covers needs without a supervisor.
func (e Env) Allows(needs ...Need) bool { return e.Allowed == nil || e.Allowed(needs...) }

// ApprovedBy returns the supervisor who approved the action that the screen's turn is part
// of, or "". It is of the writes that the action makes: call it in the turn, not later. The
// Init of a screen that an approved action opens is part of the action.
func (e Env) ApprovedBy() string {
	if e.Approver == nil {
		return ""
	}
	return e.Approver()
}

// Now returns the time to show and to calculate with. It may be the service's.
func (e Env) Now() time.Time { return e.Clock.Now() }

// Draft returns the operator's draft under the screen's route, if any.
func (e Env) Draft() ([]byte, bool) {
	d, ok, err := e.Drafts.Load(e.Route.Path, e.Operator)
	if err != nil {
		e.Log.Error("draft not read", "route", e.Route.Path, "error", err)
	}
	return d.Data, ok && err == nil
}

// Do runs fn outside the screen's turn and sends its message to Update, also while
// other screens cover this one, but not after it has closed. The context ends with the
// screen and after the shell's limit (ten seconds). The shell shows a spinner after
// 150 ms, and an error when the limit passes without an answer. The next scan waits for
// work that OnScan or Init started with Do.
func (e Env) Do(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return e.DoFor(e.binding.limit, fn)
}

// DoFor is Do with another limit, for exports and other long work.
func (e Env) DoFor(limit time.Duration, fn func(ctx context.Context) tea.Msg) tea.Cmd {
	b := e.binding
	return send(WorkMsg{Screen: b.screen, Context: b.ctx, Limit: limit, Run: fn})
}

// Latest is Do where only the newest work of a name counts: new work cancels the older
// context and discards its answer. It is for lists and refreshes; scans do not wait for
// it.
func (e Env) Latest(name string, fn func(ctx context.Context) tea.Msg) tea.Cmd {
	b := e.binding
	ctx, stale := b.latest(name)
	return send(WorkMsg{Screen: b.screen, Context: ctx, Limit: b.limit, Run: fn, Slot: name, Stale: stale})
}

// After sends fn's message to Update after d. It shows no spinner and does not count as
// pending work. Call it again from Update for a repeated tick.
func (e Env) After(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return send(AfterMsg{Delay: d, Msg: fn})
}

// Watch runs fn without a spinner or a limit, for example to wait for changes. Its
// context ends with the screen. Call it again from Update for the next change.
func (e Env) Watch(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	return send(WatchMsg{Run: fn})
}

// A Clock tells the time and waits. Screens and the shell use it in place of package
// time, so that tests and pictures control both.
type Clock interface {
	Now() time.Time
	// Tick returns a command that waits for d and returns fn's message.
	Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd
}
