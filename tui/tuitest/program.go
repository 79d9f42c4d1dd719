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

// waitLimit is how long a Program waits for a condition before the test fails.
const waitLimit = 60 * time.Second

// A Program is the actual program on pipes, with the machine's clock.
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

// Size changes the size of the terminal.
func (p *Program) Size(width, height int) { p.send(tea.WindowSizeMsg{Width: width, Height: height}) }

// Input writes bytes as the terminal sends them: "\r" is enter, "\x1bOS" F4.
func (p *Program) Input(bytes string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, bytes)
	require.NoError(p.t, err)
}

// Capture returns the present view of the program; ok is false after it has ended.
func (p *Program) Capture() (c shell.Capture, ok bool) {
	reply := make(chan shell.Capture, 1)
	go p.send(shell.CaptureTo(reply))
	select {
	case c = <-reply:
		c.View = ansi.Strip(c.View)
		return c, true
	case <-p.done:
		return c, false
	}
}

// WaitFor waits until the view shows the text.
func (p *Program) WaitFor(text string) shell.Capture {
	p.t.Helper()
	return p.Until(fmt.Sprintf("shows %q", text), func(l shell.Capture) bool { return strings.Contains(l.View, text) })
}

// WaitIdle waits until no work is pending.
func (p *Program) WaitIdle() shell.Capture {
	p.t.Helper()
	return p.Until("is idle", func(l shell.Capture) bool { return l.Idle })
}

// Until waits until a condition holds. condition names it for the failure message.
func (p *Program) Until(condition string, holds func(shell.Capture) bool) shell.Capture {
	p.t.Helper()
	var last shell.Capture
	timeout := time.After(waitLimit)
	next := time.NewTicker(2 * time.Millisecond)
	defer next.Stop()

	for {
		c, ok := p.Capture()
		if !ok {
			require.Failf(p.t, "the program ended", "before it %s: %v\n%s", condition, p.err, last.View)
		}
		if holds(c) {
			return c
		}

		last = c

		select {
		case <-timeout:
			require.Failf(p.t, "timeout", "%s\n%s", condition, last.View)
		case <-next.C:
		}
	}
}

// WaitEnd waits until the program has ended and returns its error.
func (p *Program) WaitEnd() error {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(waitLimit):
		require.Fail(p.t, "the program did not end")
	}

	return p.err
}
