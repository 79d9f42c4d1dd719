package tuitest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// patience is how long a Program waits for a fact before the test fails.
const patience = 60 * time.Second

// A Program is the real program on pipes, with the machine's own clock.
type Program struct {
	t    testing.TB
	in   *io.PipeWriter
	send func(tea.Msg)
	done chan struct{}
	err  error
}

// Start runs a session at 80x24 until the test ends.
func Start(t testing.TB, opts shell.Options) *Program {
	t.Helper()
	in, keys := io.Pipe()
	ready := make(chan func(tea.Msg), 1)
	opts.Input = in
	if opts.Output == nil {
		opts.Output = io.Discard
	}
	opts.NoSignals = true
	opts.Program = func(send func(tea.Msg)) { ready <- send }
	ctx, cancel := context.WithCancel(context.Background())
	p := &Program{t: t, in: keys, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = shell.Run(ctx, opts)
	}()
	p.send = <-ready
	t.Cleanup(func() {
		cancel()
		_ = keys.Close()
		<-p.done
	})
	p.Size(80, 24)
	return p
}

// Send hands the program a message from outside.
func (p *Program) Send(msg tea.Msg) { p.send(msg) }

// Size changes the size of the terminal.
func (p *Program) Size(width, height int) { p.send(tea.WindowSizeMsg{Width: width, Height: height}) }

// Input writes bytes as the terminal sends them: "\r" is enter, "\x1bOS" F4.
func (p *Program) Input(bytes string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, bytes)
	require.NoError(p.t, err)
}

// Capture asks the program what it shows; ok is false once it has ended.
func (p *Program) Capture() (look shell.Capture, ok bool) {
	reply := make(chan shell.Capture, 1)
	go p.send(shell.CaptureTo(reply))
	select {
	case look = <-reply:
		look.View = ansi.Strip(look.View)
		return look, true
	case <-p.done:
		return look, false
	}
}

// WaitFor waits until the view shows the text.
func (p *Program) WaitFor(text string) shell.Capture {
	p.t.Helper()
	return p.Until(fmt.Sprintf("shows %q", text), func(l shell.Capture) bool { return strings.Contains(l.View, text) })
}

// WaitIdle waits until nothing is under way.
func (p *Program) WaitIdle() shell.Capture {
	p.t.Helper()
	return p.Until("is idle", func(l shell.Capture) bool { return l.Idle })
}

// Until waits until the fact holds.
func (p *Program) Until(fact string, holds func(shell.Capture) bool) shell.Capture {
	p.t.Helper()
	var last shell.Capture
	for end := time.Now().Add(patience); time.Now().Before(end); {
		look, ok := p.Capture()
		if !ok {
			require.Failf(p.t, "the program ended", "before it %s: %v\n%s", fact, p.err, last.View)
		}
		if holds(look) {
			return look
		}
		last = look
		time.Sleep(2 * time.Millisecond) // between two looks, not for a fact
	}
	require.Failf(p.t, "it never came true", "%s\n%s", fact, last.View)
	return last
}

// WaitEnd waits until the program has ended and returns why.
func (p *Program) WaitEnd() error {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		require.Fail(p.t, "the program did not end")
	}
	return p.err
}
