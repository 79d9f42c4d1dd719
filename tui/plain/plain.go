// Package plain is the other face of the shell: a dialogue of lines for serial
// lines, telnet handhelds and screen readers. The screens, their actions and
// dialogs are the same; they are asked for in words and answered by lines, and
// no escape sequence is ever written.
//
// A line is a scan, a number, a word for an action ("book", "damaged 2"), a
// route in words ("receive PO-2026-118"), or the answer to what is asked.
package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"bincard/tui"
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Options are what a dialogue needs.
type Options struct {
	Shell tui.Options // the registry, the drafts and the rest
	In    io.Reader
	Out   io.Writer
	Width int  // of a line: 80 if 0, at least 20
	Rows  int  // of a list that are read out at once: 10 if 0
	Bells bool // write bells
	// Person tells that somebody waits at the line: what is merely read anew
	// does not hold up the next answer. A script waits for everything.
	Person bool
	Echo   Echo
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
	saysWait = 2 * time.Second        // after which a line says that it takes time
	enough   = 700 * time.Millisecond // for what is merely read, where somebody waits
	atMost   = 15 * time.Second       // for what is merely read, for a script
)

// ErrStands tells that the lines ended while an error stood that nobody had
// acknowledged.
var ErrStands = errors.New("the last answer was refused")

// Run speaks until the lines end, the operator quits, or ctx ends. Unsent work
// is kept as a draft in any case.
func Run(ctx context.Context, opts Options) error {
	t := newTalk(opts)
	defer close(t.over)
	heard := make(chan os.Signal, 1)
	if !opts.Shell.NoSignals {
		signal.Notify(heard, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
		defer signal.Stop(heard)
	}
	go listen(opts.In, t.out.typed, t.lines, t.over)
	t.run(t.face.Turn(t.face.Model().Init))
	t.settle(ctx, heard)
	t.tell()
	for !t.ended {
		select {
		case <-ctx.Done():
			t.hangup()
		case <-heard:
			t.hangup()
		case msg := <-t.messages:
			t.take(msg)
			t.late()
		case l, ok := <-t.lines:
			if !ok {
				return t.eof(ctx, heard)
			}
			t.hear(l)
			t.settle(ctx, heard)
			t.again(ctx, heard)
			t.tell()
		}
	}
	return t.face.Model().Err()
}

// talk is a dialogue under way. All of it belongs to the goroutine of Run.
type talk struct {
	opts     Options
	face     *tui.Face
	out      *printer
	messages chan message
	running  atomic.Int64 // commands that will bring a message soon: not those that wait for a time
	lines    chan line
	over     chan struct{}
	ended    bool

	verdicts []tui.Verdict
	bells    int
	rest     string      // of a line whose beginning was an action's word
	then     *tui.Action // what follows a number, unless that is refused
	shown    shown
	broke    time.Time // when somebody asked to break off
}

func newTalk(opts Options) *talk {
	t := &talk{opts: opts, messages: make(chan message, 64), lines: make(chan line, 64), over: make(chan struct{})}
	if t.opts.Rows == 0 {
		t.opts.Rows = 10
	}
	if t.opts.Width == 0 {
		t.opts.Width = 80
	}
	t.out = &printer{to: opts.Out, width: max(20, t.opts.Width), echo: opts.Echo}
	shell := opts.Shell
	shell.Silent, shell.Output, shell.Theme = true, io.Discard, theme.Plain()
	shell.Copier = func(text string) (string, error) { t.out.line("copy", text); return "", nil }
	shell.Witness = func(v tui.Verdict) {
		t.bells = max(t.bells, v.Bells)
		if v.Text != "" {
			t.verdicts = append(t.verdicts, v)
		}
	}
	if inner := opts.Shell.Program; inner != nil {
		inner(func(msg tea.Msg) {
			select {
			case t.messages <- message{msg: msg}:
			case <-t.over:
			}
		})
		shell.Program = nil
	}
	shell.Clock = patient{t, shell.Clock}
	shell.Background = t.aside
	t.face = tui.NewFace(shell)
	t.face.Resize(t.out.width)
	return t
}

// hangup ends the dialogue at once; drafts are kept.
func (t *talk) hangup() {
	t.face.Turn(t.face.Hangup)
	t.ended = true
}

// eof ends the dialogue when the lines end: what is under way is waited for.
func (t *talk) eof(ctx context.Context, heard <-chan os.Signal) error {
	t.settle(ctx, heard)
	if len(t.verdicts) > 0 {
		t.tell()
	}
	t.out.fresh()
	stands := !t.ended && t.face.Standing().Fault != ""
	t.hangup()
	if err := t.face.Model().Err(); err != nil {
		return err
	}
	if stands {
		return ErrStands
	}
	return nil
}
