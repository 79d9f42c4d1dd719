package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A nodeHandle is a node with its directory, until its end.
type nodeHandle struct {
	*offline.Node
	clock  timekeeper
	dir    string
	caller api.Caller
	log    *slog.Logger
	notes  []string
	close  func() error
}

func openNode(ctx context.Context, cfg config, dir string, access api.Access, upstream api.Service) (*nodeHandle, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", dir, err)
	}
	release, err := offline.Lock(dir)
	if err != nil {
		return nil, err
	}
	log := slog.Default()
	bases, err := offline.OpenReplicas(filepath.Join(dir, "bases"), log)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	w := &nodeHandle{clock: clockOf(upstream), dir: dir, log: log, caller: api.Caller{Organization: access.Organization.ID, Environment: access.Environment,
		Actor: access.Actor, Scopes: access.Scopes, KeyID: access.KeyID, KeyLabel: access.Actor.Label}}
	owner := outbox.Header{Service: cfg.URL, Organization: access.Organization.ID.String(), Environment: string(access.Environment)}
	if cfg.URL == "" {
		owner = outbox.Header{} // whatever is kept there
	}
	n, trouble, err := offline.Open(ctx, offline.Config{
		Upstream: upstream,
		NotSent:  func(err error) bool { return api.AsError(err).Details["outcome"] == apiclient.NotSent },
		Replicas: bases,
		Folder:   journal.Dir(dir),
		Owner:    owner,
		Caller:   w.caller,
		Now:      w.clock.Now,
		Log:      log,
		Requests: int64(cfg.MonthlyRequests),
	})
	if err != nil {
		return nil, errors.Join(err, bases.Close(), release())
	}
	w.Node, w.notes = n, troubleNotes(trouble, dir)
	w.close = sync.OnceValue(func() error { return errors.Join(n.Close(), bases.Close(), release()) })
	return w, nil
}

// run syncs the node in the background until it is closed.
func (w *nodeHandle) run(ctx context.Context) {
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	var ended sync.WaitGroup
	ended.Go(func() { w.Node.Run(run) })
	w.onClose(func() { stop(); ended.Wait() })
}

// awaitData waits until the node has downloaded the service's data.
func (w *nodeHandle) awaitData(ctx context.Context) {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !w.Ready() && ctx.Err() == nil {
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

// serve lets the other programs of this machine come to svc, which stands before
// the node, until its end.
func (w *nodeHandle) serve(svc api.Service, more http.Handler) {
	c, err := openNodeSocket(w.dir, svc, w.clock, w.caller, more, w.log)
	if err != nil {
		w.log.Warn("other programs on this machine cannot reach this one", "data", w.dir, "error", err)
		return
	}
	w.onClose(c.close)
}

// onClose registers fn to run first on close.
func (w *nodeHandle) onClose(fn func()) {
	end := w.close
	w.close = sync.OnceValue(func() error { fn(); return end() })
}

// troubleNotes describes the damage found in the journal.
func troubleNotes(t *offline.JournalDamage, dir string) (notes []string) {
	if t == nil {
		return nil
	}
	file := filepath.Join(dir, offline.JournalName)
	if len(t.Damage) > 0 {
		var where []string
		for _, d := range t.Damage {
			where = append(where, d.String())
		}
		notes = append(notes, fmt.Sprintf("Some offline work is damaged on disk: %s of %s. Compare recent work with the stock, and have the disk checked.",
			strings.Join(where, ", "), file))
	}
	if t.Truncated > 0 {
		notes = append(notes, fmt.Sprintf("The last run stopped during a save: the last %d bytes of %s were cut off. They had not been acknowledged.", t.Truncated, file))
	}
	return notes
}
