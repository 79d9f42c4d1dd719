package tui

import (
	"context"
	"time"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// The messages to the shell. Screens send them with the functions of this package and
// the methods of Env; a shell handles them.
type (
	// OpenMsg is sent by Open, OpenDraft, Replace and Redirect.
	OpenMsg struct {
		Route    string
		Replace  bool
		Redirect bool
		DraftOf  string // whose draft to open; "" for the operator's own
		Anyway   bool   // although somebody has it open at another terminal
	}
	// BackMsg is sent by Back.
	BackMsg struct{}
	// ToastMsg is sent by Toast and Warn.
	ToastMsg struct {
		Text string
		Warn bool
	}
	// FailMsg is sent by Fail and ConfirmScan.
	FailMsg struct {
		Text    string
		Err     error
		Actions []Action

		ConfirmScan bool
		Code        string // the raw scan that confirms
		OnYes       func() tea.Cmd
	}
	// BellMsg is sent by Bell and Accepted.
	BellMsg struct{ N int }
	// CopyMsg is sent by Copy.
	CopyMsg struct{ Text string }
	// ScannedMsg is sent by Scanned.
	ScannedMsg struct{ Scan scan.Scan }
	// DialogMsg is sent by Confirm, Prompt and Choose. One field is set.
	DialogMsg struct {
		Question *Question
		Request  *Request
		Choice   *Choice
	}
	// PerformMsg is sent by Perform.
	PerformMsg struct{ Action Action }
	// WorkMsg is sent by Env.Do, Env.DoFor and Env.Latest.
	WorkMsg struct {
		Screen  int // the screen that gets the answer
		Context context.Context
		Limit   time.Duration
		Run     func(context.Context) tea.Msg
		Slot    string      // of Env.Latest, or ""
		Stale   func() bool // reports whether the slot has newer work; nil without a slot
	}
	// AfterMsg is sent by Env.After.
	AfterMsg struct {
		Delay time.Duration
		Msg   func(time.Time) tea.Msg
	}
	// WatchMsg is sent by Env.Watch.
	WatchMsg struct {
		Run func(context.Context) tea.Msg
	}
)

// Bind returns a copy of e for the screen with this ID and a function that ends the
// copy's context. A shell binds an Env before it makes the screen, and cancels when the
// screen closes. Work of Env.Do ends after limit.
func (e Env) Bind(ctx context.Context, screen int, limit time.Duration) (Env, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	e.binding = &binding{screen: screen, ctx: ctx, limit: limit, slots: map[string]*slot{}}
	return e, cancel
}

// binding ties an Env to a screen of a shell.
type binding struct {
	screen int
	ctx    context.Context
	limit  time.Duration
	slots  map[string]*slot // of Latest, by name
}

// slot holds the newest work of one name.
type slot struct {
	seq    int
	cancel context.CancelFunc
}

// latest cancels the slot's older work and returns the context of new work and whether
// even newer work has replaced it since.
func (b *binding) latest(name string) (ctx context.Context, stale func() bool) {
	s := b.slots[name]
	if s == nil {
		s = &slot{}
		b.slots[name] = s
	}
	if s.cancel != nil {
		s.cancel()
	}

	ctx, s.cancel = context.WithCancel(b.ctx)
	s.seq++
	seq := s.seq

	return ctx, func() bool { return s.seq != seq }
}
