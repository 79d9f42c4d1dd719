package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// readyInterval is how often AwaitReady looks.
const readyInterval = 20 * time.Millisecond

// heartbeat is how long the connection may be silent before it is checked.
// With the probe's timeout, a dead connection shows within ten seconds.
const heartbeat = 5 * time.Second

// A Clock follows the service's clock.
type Clock interface {
	// Now is the service's time as far as it is known, else this machine's.
	Now() time.Time
	// ClockOffset is by how much the service's clock is ahead of this machine's.
	ClockOffset() time.Duration
}

// Config of Open.
type Config struct {
	Dir    string
	Access api.Access // of the key; names the organization and environment
	Clock  Clock

	// Upstream is the service behind the node; nil for a process that only
	// resolves what is stored, and sends nothing.
	Upstream api.Service
	// URL is the service's. It must match the journal's, unless it is empty.
	URL string
	// MonthlyRequests is the service's quota; 0 is none.
	MonthlyRequests uint32

	// Mirror is the directory of the journal's second copy; the one so far if empty, none
	// if NoMirror.
	Mirror string
	// Locations are those to which the node is limited; none means all, and nil the same
	// as at the last start.
	Locations []api.PlaceRef
	// Label names the node at the service.
	Label string
	// Kind is the kind of program that the node runs in.
	Kind api.NodeKind
	// Version is the version of the program.
	Version string

	// ask returns what the service says about the key.
	ask func(context.Context) (api.Access, error)
	// watchKey calls changed when Upstream has another key; it may be nil.
	watchKey func(ctx context.Context, changed func())
}

// A Node is an offline node that this process owns, with its directory.
type Node struct {
	*offline.Node
	dir      string
	clock    Clock
	upstream *checkedService
	access   atomic.Pointer[api.Access] // of the key
	caller   atomic.Pointer[api.Caller] // who has the key
	onAccess []func(api.Access)         // called when the access is read
	watchKey func(ctx context.Context, changed func())
	log      *slog.Logger
	notes    []string
	// allLocations means that the start named all locations.
	allLocations bool
	close        func() error
}

// Open locks the directory, creating it if needed, and opens the node in it. The
// error is a *LockedError if another process has it.
func Open(ctx context.Context, cfg Config) (*Node, error) {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", cfg.Dir, err)
	}

	release, err := Lock(cfg.Dir)
	if err != nil {
		return nil, err
	}

	mirror, err := mirrorFolder(cfg.Dir, cfg.Mirror)
	if err != nil {
		return nil, errors.Join(err, release())
	}

	before, err := savedLocations(cfg.Dir)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	if cfg.Locations == nil {
		cfg.Locations = before
	}

	log := slog.Default()
	set, err := replicas.OpenDir(filepath.Join(cfg.Dir, replicasDir), log)
	if err != nil {
		return nil, errors.Join(err, release())
	}

	notes := filepath.Join(cfg.Dir, noteDir)
	if err := os.MkdirAll(notes, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot create the directory %s: %w", notes, err), set.Close(), release())
	}

	access := cfg.Access
	caller := api.Caller{Organization: access.Organization.ID, Environment: access.Environment,
		Actor: access.Actor, Scopes: access.Scopes, KeyID: access.KeyID, KeyLabel: access.Actor.Label}
	bindCaller(&caller, &access)

	h := &Node{clock: cfg.Clock, dir: cfg.Dir, log: log, watchKey: cfg.watchKey,
		allLocations: cfg.Locations != nil && len(cfg.Locations) == 0}
	h.access.Store(&access)
	h.caller.Store(&caller)
	var owner outbox.Header // whoever's the journal is
	if cfg.URL != "" {
		owner = outbox.Header{
			Service:      cfg.URL,
			Organization: access.Organization.ID.String(),
			Environment:  string(access.Environment),
		}
	}

	h.upstream = &checkedService{svc: cfg.Upstream, ask: cfg.ask, onAccess: h.setAccess, checked: cfg.ask == nil}
	if cfg.Upstream == nil {
		h.upstream.svc = nullService{}
	}

	node, damage, err := offline.Open(ctx, offline.Config{
		Upstream:    h.upstream,
		NotSent:     func(err error) bool { return api.AsError(err).Details["outcome"] == apiclient.NotSent },
		Replicas:    set,
		Folder:      journal.Dir(cfg.Dir),
		Mirror:      mirror,
		NoteFolder:  journal.Dir(notes),
		Owner:       owner,
		Caller:      caller,
		Now:         cfg.Clock.Now,
		ClockOffset: cfg.Clock.ClockOffset,
		Outbox:      outbox.Options{Heartbeat: heartbeat},
		Log:         log,
		Requests:    int64(cfg.MonthlyRequests),
		Locations:   cfg.Locations,
		Label:       cfg.Label,
		Kind:        cfg.Kind,
		Version:     cfg.Version,
	})
	if err != nil {
		return nil, errors.Join(mirrorAdvice(err, cfg.Dir, mirror), set.Close(), release())
	}

	h.Node, h.notes = node, damageNotes(damage, cfg.Dir)
	h.close = sync.OnceValue(func() error { return errors.Join(node.Close(), set.Close(), release()) })
	if !slices.Equal(cfg.Locations, before) {
		if err := saveLocations(cfg.Dir, cfg.Locations); err != nil {
			return nil, errors.Join(fmt.Errorf("cannot save the node's locations: %w", err), h.close())
		}
	}

	return h, nil
}

// replicasDir is the subdirectory of the replicas.
const replicasDir = "bases"

// noteDir is the subdirectory of the note of the journal's length.
const noteDir = "check"

// hasReplica reports whether a node has downloaded the service's data before.
func hasReplica(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, replicasDir, "current"))
	return err == nil
}

// HasJournal reports whether a directory is a node's, even if its journal was deleted.
func HasJournal(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, offline.JournalName))
	_, known := LoadAccess(dir)
	return err == nil || known
}

// Notes are what a person must know about the stored data.
func (h *Node) Notes() []string { return h.notes }

// Start syncs the node in the background until it is closed.
func (h *Node) Start(ctx context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var ended sync.WaitGroup
	ended.Go(func() { h.Run(ctx) })
	ended.Go(func() { h.keepAccess(ctx) })
	ended.Go(func() { watchNetwork(ctx, h.NetworkChanged) })
	if h.watchKey != nil {
		ended.Go(func() { h.watchKey(ctx, h.keyReplaced) })
	}

	h.onClose(func() { cancel(); ended.Wait() })
}

// AwaitReady waits until the node has downloaded the service's data, or the service refuses
// to give it, or ctx ends.
func (h *Node) AwaitReady(ctx context.Context) {
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for !h.Ready() && h.Sync().Why == nil && ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Close stops serving and syncing, and releases the directory. It may be called
// twice.
func (h *Node) Close() error { return h.close() }

// onClose registers fn to run first on Close.
func (h *Node) onClose(fn func()) {
	end := h.close
	h.close = sync.OnceValue(func() error { fn(); return end() })
}

// damageNotes describes the damage found in the journal.
func damageNotes(t *offline.JournalDamage, dir string) (notes []string) {
	if t == nil {
		return nil
	}

	file := filepath.Join(dir, offline.JournalName)
	if len(t.Damage) > 0 {
		var where []string
		for _, d := range t.Damage {
			where = append(where, d.String())
		}

		notes = append(
			notes,
			api.Textf(
				"Some offline entries are damaged on disk: %v of %s. These may be saved entries. Compare recent entries with the stock, have the disk checked, and run 'bincard outbox acknowledge'.",
				strings.Join(where, ", "),
				file,
			),
		)
	}

	if t.Missing != nil {
		notes = append(
			notes,
			api.Textf(
				"The end of %s is gone: %v. Compare recent entries with the stock, and run 'bincard outbox acknowledge'.",
				file,
				t.Missing,
			),
		)
	}

	if t.Truncated > 0 {
		notes = append(notes, api.Textf(
			"A save did not finish: the last %d bytes of %s were cut off. Unless the program or the power stopped at that moment, compare recent entries with the stock.",
			t.Truncated,
			file,
		))
	}

	return notes
}

// nullService is the upstream of a process that sends nothing.
type nullService struct{}

func (nullService) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, api.Fail(api.Unavailable, nil, "The service is not available here.")
}
