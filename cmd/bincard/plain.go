package main

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"bincard/tui/plain"
	"bincard/tui/shell"
)

// runPlain runs a session as a dialogue of lines on standard input and output.
func runPlain(ctx context.Context, cfg config, session shell.Options) error {
	opts := plain.Options{Shell: session, In: os.Stdin, Out: os.Stdout, Width: cfg.width, Echo: plain.EchoLines}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		opts.Interactive, opts.Bells, opts.Echo = true, true, plain.EchoTerminal
		if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 && cfg.width == 0 {
			opts.Width = width
		}
		defer lineMode(os.Stdin)()
	}
	opts.Shell.Restore = session.Restore && opts.Interactive // what comes from a file begins at home
	err := plain.Run(ctx, opts)
	if errors.Is(err, plain.ErrUnacknowledged) {
		return errors.New("input ended with an unacknowledged error")
	}
	return err
}

// isPlain reports whether the terminal runs in line mode.
func (c config) isPlain() bool { return c.plain || os.Getenv("TERM") == "dumb" }
