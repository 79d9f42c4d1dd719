// Package plain is the other face of the shell: a dialogue of lines for serial
// lines, telnet handhelds and screen readers. The screens, their actions and
// dialogs are the same; they are asked for in words and answered by lines, and
// no escape sequence is ever written.
//
// A line is a scan, a number, a word for an action ("book", "damaged 2"), a
// route in words ("receive PO-2026-118"), or the answer to what is asked.
package plain

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Options are what a dialogue needs.
type Options struct {
	Shell shell.Options // the registry, the drafts and the rest
	In    io.Reader
	Out   io.Writer
	Width int  // of a line: 80 if 0, at least 20
	Rows  int  // of a list that are read out at once: 10 if 0
	Bells bool // write bells
	// Interactive tells that somebody waits at the line: what is merely read anew
	// does not hold up the next answer. A script waits for everything.
	Interactive bool
	Echo        Echo
}

// Echo tells who shows what is typed.
type Echo int

// Who echoes.
const (
	EchoTerminal Echo = iota // the terminal does
	EchoLines                // each line is repeated, so that what is written reads as a dialogue
	EchoRaw                  // nobody does: each character, and lines end in CR LF
)

// How long things may take.
const (
	slowAfter       = 2 * time.Second        // after which a line says that it takes time
	interactiveWait = 700 * time.Millisecond // for what is merely read, where somebody waits
	scriptWait      = 15 * time.Second       // for what is merely read, for a script
)

// ErrUnacknowledged tells that the lines ended while an error stood that nobody had
// acknowledged.
var ErrUnacknowledged = errors.New("the last answer was refused")

// Run speaks until the lines end, the operator quits, or ctx ends. Unsent work
// is kept as a draft in any case.
func Run(ctx context.Context, opts Options) error {
	t := newDialog(opts)
	defer close(t.done)
	heard := make(chan os.Signal, 1)
	if !opts.Shell.NoSignals {
		signal.Notify(heard, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
		defer signal.Stop(heard)
	}
	go readLines(opts.In, t.out.typed, t.lines, t.done)
	t.run(t.headless.Protect(t.headless.Model().Init))
	t.wait(ctx, heard)
	t.output()
	for !t.ended {
		select {
		case <-ctx.Done():
			t.hangup()
		case <-heard:
			t.hangup()
		case msg := <-t.messages:
			t.handle(msg)
			t.outputUnasked()
		case l, ok := <-t.lines:
			if !ok {
				return t.eof(ctx, heard)
			}
			t.input(l)
			t.wait(ctx, heard)
			t.continueLine(ctx, heard)
			t.output()
		}
	}
	return t.headless.Model().Err()
}

// dialog is a dialogue under way. All of it belongs to the goroutine of Run.
type dialog struct {
	opts     Options
	headless *shell.Headless
	out      *printer
	messages chan message
	running  atomic.Int64 // commands that will bring a message soon: not those that wait for a time
	lines    chan line
	done     chan struct{}
	ended    bool

	notices       []shell.Notice
	bells         int
	rest          string      // of a line whose beginning was an action's word
	next          *tui.Action // what follows a number, unless that is refused
	last          lastOutput
	lastInterrupt time.Time // when somebody asked to break off
}

// T translates what the dialog writes.
func (t *dialog) T() *i18n.Translator { return t.opts.Shell.Translator }

func newDialog(opts Options) *dialog {
	t := &dialog{opts: opts, messages: make(chan message, 64), lines: make(chan line, 64), done: make(chan struct{})}
	if t.opts.Rows == 0 {
		t.opts.Rows = 10
	}
	if t.opts.Width == 0 {
		t.opts.Width = 80
	}
	t.out = &printer{to: opts.Out, width: max(20, t.opts.Width), echo: opts.Echo, t: t.T()}
	session := opts.Shell
	session.Silent, session.Output, session.Theme = true, io.Discard, theme.Plain()
	session.Copier = func(text string) (string, error) { t.out.line("copy", text); return "", nil }
	session.OnNotice = func(v shell.Notice) {
		t.bells = max(t.bells, v.Bells)
		if v.Text != "" {
			t.notices = append(t.notices, v)
		}
	}
	if inner := opts.Shell.Program; inner != nil {
		inner(func(msg tea.Msg) {
			select {
			case t.messages <- message{msg: msg}:
			case <-t.done:
			}
		})
		session.Program = nil
	}
	session.Clock = uncountedClock{t, session.Clock}
	session.Background = t.uncounted
	t.headless = shell.NewHeadless(session)
	t.headless.Resize(t.out.width)
	return t
}

// hangup ends the dialogue at once; drafts are kept.
func (t *dialog) hangup() {
	t.headless.Protect(t.headless.Hangup)
	t.ended = true
}

// eof ends the dialogue when the lines end: what is under way is waited for.
func (t *dialog) eof(ctx context.Context, heard <-chan os.Signal) error {
	t.wait(ctx, heard)
	if len(t.notices) > 0 {
		t.output()
	}
	t.out.newLine()
	stands := !t.ended && t.headless.State().Fault != ""
	t.hangup()
	if err := t.headless.Model().Err(); err != nil {
		return err
	}
	if stands {
		return ErrUnacknowledged
	}
	return nil
}
