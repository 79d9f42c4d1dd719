// Package plain is line mode: it runs the shell as a dialog of text lines for serial
// lines, telnet handhelds and screen readers. It has the same screens, actions and dialogs
// as the terminal and never writes an escape sequence.
//
// A line of input is a scan, a number, a word for an action ("book", "damaged 2"), a route
// in words ("receive PO-2026-118"), or the answer to a prompt. A splitter turns bytes into
// lines, dialog.input acts on a line, dialog.output writes what changed, and a printer
// fits it to the width.
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

// Options configures Run.
type Options struct {
	Shell shell.Options // the registry, the drafts and the rest
	In    io.Reader
	Out   io.Writer
	Width int  // of a line: 80 if 0, at least 20
	Rows  int  // the most rows of a list to write at once: 10 if 0
	Bells bool // write bells
	// Interactive says that a person is waiting: refreshes delay the next answer only
	// briefly. A script waits for all work.
	Interactive bool
	Echo        Echo
}

// Echo says how the input is echoed.
type Echo int

// The ways to echo.
const (
	EchoTerminal Echo = iota // the terminal echoes
	EchoLines                // echo whole lines, so that the output reads as a dialog
	EchoRaw                  // echo each character, and end lines with CR LF
)

const (
	slowAfter       = 2 * time.Second        // then a line says that the work takes time
	interactiveWait = 700 * time.Millisecond // the longest wait for refreshes if Interactive
	scriptWait      = 15 * time.Second       // the longest wait for refreshes otherwise
)

// ErrUnacknowledged is the error of Run if the input ended with an unacknowledged error.
var ErrUnacknowledged = errors.New("the last answer was refused")

// Run runs the dialog until the input ends, the operator quits, or ctx ends. Unsent work is
// always saved as a draft.
func Run(ctx context.Context, opts Options) error {
	t := newDialog(opts)
	defer close(t.done)
	signals := make(chan os.Signal, 1)
	if !opts.Shell.NoSignals {
		signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
		defer signal.Stop(signals)
	}
	go readLines(opts.In, t.out.typed, t.lines, t.done)
	t.run(t.headless.Protect(t.headless.Model().Init))
	t.wait(ctx, signals)
	t.output()
	for !t.ended {
		select {
		case <-ctx.Done():
			t.hangup()
		case <-signals:
			t.hangup()
		case msg := <-t.messages:
			t.handle(msg)
			t.outputUnasked()
		case l, ok := <-t.lines:
			if !ok {
				return t.eof(ctx, signals)
			}
			t.input(l)
			t.wait(ctx, signals)
			t.continueLine(ctx, signals)
			t.output()
		}
	}
	return t.headless.Model().Err()
}

// dialog is the state of Run. Only the goroutine of Run uses it.
type dialog struct {
	opts     Options
	headless *shell.Headless
	out      *printer
	messages chan message
	running  atomic.Int64 // commands that will send a message soon, without timers and watches
	lines    chan line
	done     chan struct{}
	ended    bool

	notices       []shell.Notice
	bells         int
	rest          string      // the rest of a line that began with an action's word
	next          *tui.Action // runs after a number, unless that is refused
	last          lastOutput
	lastInterrupt time.Time // of ctrl+c
}

// T returns the translator of the dialog's texts.
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

// hangup ends the dialog at once and saves drafts.
func (t *dialog) hangup() {
	t.headless.Protect(t.headless.Hangup)
	t.ended = true
}

// eof ends the dialog at the end of the input, after pending work.
func (t *dialog) eof(ctx context.Context, signals <-chan os.Signal) error {
	t.wait(ctx, signals)
	if len(t.notices) > 0 {
		t.output()
	}
	t.out.newLine()
	unacknowledged := !t.ended && t.headless.State().Fault != ""
	t.hangup()
	if err := t.headless.Model().Err(); err != nil {
		return err
	}
	if unacknowledged {
		return ErrUnacknowledged
	}
	return nil
}
