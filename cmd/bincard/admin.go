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
	"bincard/server/archive"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
	"bincard/server/local"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// withLedger runs fn on the ledger in a directory: in this process if no other has the
// directory open, or else through the process that has.
func withLedger(ctx context.Context, dir string, fn func(local.Admin) error) error {
	if c, err := local.Dial(ctx, dir); err == nil {
		defer c.Close()
		return fn(c)
	}
	s, err := openServer(server.Config{Dir: dir})
	var held *store.LockedError
	if errors.As(err, &held) {
		return fmt.Errorf("%w (it accepts no requests from other programs on this machine)", held)
	}
	if err != nil {
		return err
	}
	return errors.Join(fn(localAdmin{s.Ledger, s}), s.Close())
}

// withExistingLedger is withLedger for a ledger that must already exist.
func withExistingLedger(ctx context.Context, dir string, fn func(local.Admin) error) error {
	if err := requireLedger(dir); err != nil {
		return err
	}
	return withLedger(ctx, dir, fn)
}

// requireLedger checks that a directory has a ledger, so that a mistyped directory does
// not get a new one.
func requireLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, boltstore.File)); err != nil {
		return fmt.Errorf("there is no ledger in %s (%w); set --data to a ledger's directory, or restore a backup with 'bincard restore'", dir, err)
	}
	return nil
}

// withServer runs fn on the ledger in a data directory that no other process has open.
func withServer(dir string, fn func(*server.Server) error) error {
	s, err := openServer(server.Config{Dir: dir})
	if err != nil {
		return err
	}
	return errors.Join(fn(s), s.Close())
}

// localAdmin runs admin commands in this process, which has the ledger open.
type localAdmin struct {
	*ledger.Ledger
	server *server.Server
}

func (a localAdmin) Backup(ctx context.Context, w io.Writer, told archive.ProgressFunc) error {
	return archive.Stream(ctx, a.server.Store, w, told)
}

func (a localAdmin) Verify(ctx context.Context, pages bool, told archive.ProgressFunc) (*audit.Result, error) {
	if pages {
		told.Report(archive.Checking, 0, 0)
		if err := a.server.Store.Check(); err != nil {
			return nil, err
		}
	}
	return a.VerifyWithProgress(ctx, func(done, of int64) { told.Report(archive.Verifying, done, of) })
}

// serveAdmin serves admin commands of other local programs while s has the directory
// open. stop ends that; it may be called twice.
func serveAdmin(s *server.Server, dir string, log *slog.Logger) (desk *local.DirectAdmin, stop func()) {
	desk = local.NewDirectAdmin(s, dir, verifyInProcess, log)
	ln, err := local.Listen(dir)
	if err != nil {
		log.Warn("other programs on this machine cannot reach this one", "data", dir, "error", err)
		return desk, func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := local.Serve(ctx, ln, desk, log); err != nil {
			log.Warn("other programs on this machine can no longer reach this one", "data", dir, "error", err)
		}
	}()
	return desk, func() { cancel(); <-ended }
}

// showProgress shows the progress of a long operation on a terminal; done clears the line.
func showProgress(out io.Writer) (told archive.ProgressFunc, done func()) {
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

// formatProgress returns the progress in one line.
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
