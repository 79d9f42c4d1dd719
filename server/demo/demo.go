// Package demo creates the data of a sample company: products, locations,
// documents in every status and a month of movements. It uses the service's
// own operations with a simulated clock, so the ledger passes verification.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"bincard/server"
	"bincard/server/api"
)

// Marker is the file that marks a directory as a complete demo.
const Marker = "demo.txt"

// Make creates the demo in dir as of now, in both environments, unless it
// exists. It builds the demo in a temporary directory, so that an interruption
// leaves nothing incomplete.
func Make(ctx context.Context, dir string, now time.Time) error {
	if _, err := os.Stat(filepath.Join(dir, Marker)); err == nil {
		return nil
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not a demo directory; choose another one with --data", dir)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("cannot create %s: %w", filepath.Dir(dir), err)
	}

	work, err := os.MkdirTemp(filepath.Dir(dir), ".demo-")
	if err != nil {
		return fmt.Errorf("cannot create a directory for the demo: %w", err)
	}

	defer os.RemoveAll(work)
	if err := fill(ctx, work, now); err != nil {
		return fmt.Errorf("cannot create the demo: %w", err)
	}

	_ = os.Remove(dir)
	if err := os.Rename(work, dir); err != nil {
		if _, lost := os.Stat(filepath.Join(dir, Marker)); lost == nil { // another process was first
			return nil
		}
		return fmt.Errorf("cannot put the demo in place: %w", err)
	}

	return nil
}

// MoveAside renames a demo, so that Make creates a new one. It removes the one
// renamed before.
func MoveAside(dir string) (to string, err error) {
	if _, err := os.Stat(filepath.Join(dir, Marker)); err != nil {
		return "", fmt.Errorf("there is no demo in %s: %w", dir, err)
	}

	to = dir + ".earlier"
	if err := os.RemoveAll(to); err != nil {
		return "", fmt.Errorf("cannot move the old demo aside: %w", err)
	}
	if err := os.Rename(dir, to); err != nil {
		return "", fmt.Errorf("cannot move the old demo aside: %w", err)
	}

	return to, nil
}

// BarcodeSheet returns the page of sample scans of a demo.
func BarcodeSheet(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, Marker))
	return string(data), err
}

func fill(ctx context.Context, dir string, now time.Time) error {
	clock := &clock{now: now.AddDate(0, 0, -Days-1)}
	// Flushed at the end, in finish.
	s, err := server.Open(server.Config{Dir: dir, Now: clock.read, NoSync: true})
	if err != nil {
		return err
	}

	sheet, err := build(ctx, s, clock, now)
	if closed := s.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}

	return finish(dir, sheet)
}

// finish flushes the files and adds the marker last.
func finish(dir, sheet string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}

	for _, e := range entries {
		f, err := os.OpenFile(filepath.Join(dir, e.Name()), os.O_RDWR, 0)
		if err != nil {
			return err
		}

		err = f.Sync()
		f.Close()
		if err != nil {
			return err
		}
	}

	return os.WriteFile(filepath.Join(dir, Marker), []byte(sheet), 0o600)
}

func build(ctx context.Context, s *server.Server, clock *clock, now time.Time) (string, error) {
	org, err := s.Ledger.CreateOrganization(ctx, Company)
	if err != nil {
		return "", err
	}

	start, sheet := clock.now, ""
	for _, env := range []api.Environment{api.Live, api.Test} {
		clock.now = start
		caller := api.Caller{Organization: org.ID, Environment: env, Scopes: api.Scopes,
			Actor: api.Actor{Type: api.User, Label: "Ada"}}
		w := &generator{ctx: ctx, svc: api.As(s.Ledger, caller, ""), clock: clock, now: now, env: env,
			rng: rand.New(rand.NewPCG(9, 52))}
		if err := w.run(); err != nil {
			return "", err
		}

		sheet = w.barcodeSheet()
	}

	return sheet, nil
}

func (w *generator) run() error {
	w.places()
	w.catalogue()
	for day := Days; day > 0 && w.err == nil; day-- {
		w.day(day)
	}
	w.documents()
	return w.err
}
