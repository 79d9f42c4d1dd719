package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"bincard/server"
	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/store/boltstore"
)

// withLedger runs fn on the ledger in dir. If another process has it open, fn runs there.
func withLedger(ctx context.Context, dir string, fn func(admin.Admin) error) error {
	return admin.Do(ctx, withClock(server.Config{Dir: dir}), fn)
}

// withExistingLedger is withLedger for a ledger that must already exist.
func withExistingLedger(ctx context.Context, dir string, fn func(admin.Admin) error) error {
	if err := requireLedger(dir); err != nil {
		return err
	}
	return withLedger(ctx, dir, fn)
}

// requireLedger returns an error if dir has no ledger, so that a mistyped directory is
// not initialized.
func requireLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, boltstore.File)); err != nil {
		return fmt.Errorf("there is no ledger in %s (%w); set --data to a ledger's directory, or restore a backup with 'bincard restore'", dir, err)
	}
	return nil
}

// withServer opens the ledger in dir and runs fn on it. No other process may have it
// open.
func withServer(dir string, fn func(*server.Server) error) error {
	s, err := openServer(server.Config{Dir: dir})
	if err != nil {
		return err
	}
	return errors.Join(fn(s), s.Close())
}

// serveAdmin serves admin commands of other local processes while s has dir open. stop is
// safe to call more than once.
func serveAdmin(s *server.Server, dir string, log *slog.Logger) (a *admin.DirectAdmin, stop func()) {
	a = admin.NewDirectAdmin(s, dir, verifyInProcess, log)
	return a, admin.Serve(dir, a, log)
}

// verifyInProcess verifies a ledger in a child process.
var verifyInProcess = admin.ProcessVerifier("verify", "--pages", "--lines", "--data")

// showProgress returns a callback that shows progress if out is a terminal, else nil.
// done clears the line.
func showProgress(out io.Writer) (progress archive.ProgressFunc, done func()) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	clear := func() { fmt.Fprint(out, "\r\x1b[K") }
	began, shown := time.Now(), archive.Progress{}
	last := time.Time{}
	return func(p archive.Progress) {
		if p.Stage == shown.Stage && time.Since(last) < 200*time.Millisecond {
			return
		}
		shown, last = p, time.Now()
		clear()
		fmt.Fprint(out, formatProgress(p, time.Since(began)))
	}, clear
}

// formatProgress formats p as one line.
func formatProgress(p archive.Progress, took time.Duration) string {
	words := map[archive.Stage]string{archive.Waiting: "waiting for another backup or verification", archive.Copying: "copying",
		archive.Checking: "checking pages", archive.Verifying: "verifying"}[p.Stage]
	if words == "" {
		words = string(p.Stage)
	}
	if p.Total > 0 {
		words += fmt.Sprintf(" %d %%", 100*p.Done/p.Total)
	}
	switch {
	case p.Total > 0 && p.Stage == archive.Copying:
		words += fmt.Sprintf(" of %.1f MB", float64(p.Total)/1e6)
	case p.Total > 0 && p.Stage == archive.Verifying:
		words += fmt.Sprintf(" of %d entries", p.Total)
	}
	return strings.TrimSpace(words) + fmt.Sprintf(", %s", took.Round(time.Second))
}
