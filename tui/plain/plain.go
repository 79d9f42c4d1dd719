// Package plain is line mode: it runs the shell as a dialog of text lines for serial
// lines, telnet handhelds and screen readers. It has the same screens, actions and dialogs
// as the terminal and never writes an escape sequence.
//
// A line of input is a scan, a number, a word for an action ("receive", "damaged 2"), a route
// in words ("receive PO-2026-118"), or the answer to a prompt. A splitter turns bytes into
// lines, dialog.input acts on a line, dialog.output writes what changed, and a printer
// fits it to the width.
package plain

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"syscall"
	"time"

	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
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

	go readLines(opts.In, t.out.typed, t.now, t.lines, t.done)
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

			t.arrived = l.at
			t.input(l)
			t.arrived = time.Time{}
			t.wait(ctx, signals)
			t.continueLine(ctx, signals)
			t.output()
		}
	}

	return t.headless.Model().Err()
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

// handle passes a message to the shell and runs the command that it returns.
func (t *dialog) handle(m message) {
	if m.counted {
		defer t.running.Add(-1)
	}

	msg := m.msg
	if msg == nil || t.ended {
		return
	}

	if cmds, ok := commands(msg); ok {
		for _, c := range cmds {
			t.run(c)
		}
		return
	}

	if _, quit := msg.(tea.QuitMsg); quit {
		t.ended = true
		return
	}

	_, cmd := t.headless.Model().Update(msg)
	t.run(cmd)
	t.ended = t.ended || t.headless.Ended()
}

// commands returns the commands of a batch or sequence of Bubble Tea.
func commands(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}

	var group []tea.Cmd
	for i := range v.Len() {
		group = append(group, v.Index(i).Interface().(tea.Cmd))
	}

	return group, true
}

// wait waits until the work that the last line started is done. Later lines stay in the
// channel.
func (t *dialog) wait(ctx context.Context, signals <-chan os.Signal) {
	start, noted := time.Now(), false
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	t.ended = t.ended || t.headless.Ended()
	for !t.ended && !t.idle(time.Since(start)) {
		select {
		case msg := <-t.messages:
			t.handle(msg)
		case <-tick.C:
			if !noted && time.Since(start) > slowAfter {
				noted = true
				t.out.line("", t.T().Get("wait…"))
			}
		case <-signals:
			t.hangup()
		case <-ctx.Done():
			t.hangup()
		}
	}
}

// idle reports whether no work is pending that the next prompt waits for, after waiting
// this long.
func (t *dialog) idle(waited time.Duration) bool {
	if len(t.messages) > 0 {
		return false
	}
	limit := scriptWait
	if t.opts.Interactive {
		limit = interactiveWait
	}
	return t.running.Load() == 0 && t.headless.Model().Idle() || waited > limit && !t.headless.Busy()
}

// continueLine runs the rest of a line whose beginning has run: the next action, or the
// answer to what the beginning asks for.
func (t *dialog) continueLine(ctx context.Context, signals <-chan os.Signal) {
	rest, next := t.rest, t.next
	t.rest, t.next = "", nil
	if rest == "" && next == nil || t.ended {
		return
	}

	s := t.headless.State()
	if s.Fault != "" || t.refused() {
		return
	}
	if next != nil {
		t.run(t.headless.Protect(func() tea.Cmd { return t.headless.Do(*next) }))
		t.wait(ctx, signals)
		return
	}

	if s.Dialog == nil && !s.Typing && s.Speech.Form == nil {
		t.out.line("!", t.T().Get("Ignored: %s", rest))
		return
	}

	t.input(line{text: rest})
	t.wait(ctx, signals)
	if d := t.headless.State().Dialog; d.Same(s.Dialog) && d.Problem != "" { // the line is refused as a whole
		t.notices = append(t.notices, shell.Notice{Kind: shell.NoticeFault, Text: d.Problem})
		t.run(t.headless.Protect(t.headless.CloseDialog))
		t.wait(ctx, signals)
	}
}

// refused reports whether the shell refused the beginning of a line.
func (t *dialog) refused() bool {
	return slices.ContainsFunc(t.notices, func(v shell.Notice) bool { return v.Kind == shell.NoticeWarning })
}
