package replicas

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bincard/offline/journal"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// Dir stores replicas in a directory: each in a subdirectory, and a
// file that names the current one. A damaged replica is deleted and downloaded
// again.
type Dir struct {
	dir string
	log *slog.Logger

	mu      sync.Mutex
	current *dirReplica
	next    *dirReplica
}

type dirReplica struct {
	name  string
	store store.Store
}

var _ Set = (*Dir)(nil)

const (
	currentFile   = "current"
	replicaPrefix = "base-"
)

// OpenDir opens the replicas in a directory, which it creates if
// necessary.
func OpenDir(dir string, log *slog.Logger) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", dir, err)
	}

	b := &Dir{dir: dir, log: log}
	name, err := os.ReadFile(filepath.Join(dir, currentFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot read the replica: %w", err)
	}

	if known := string(name); strings.HasPrefix(known, replicaPrefix) && filepath.Base(known) == known {
		st, err := boltstore.Open(filepath.Join(dir, known), boltstore.Options{})
		var locked *store.LockedError
		switch {
		case errors.As(err, &locked):
			return nil, err
		case err != nil:
			log.Warn("the replica is damaged; downloading it again", "error", err)
		default:
			b.current = &dirReplica{known, st}
		}
	}

	return b, b.removeStale()
}

// removeStale removes all replicas but the current one.
func (b *Dir) removeStale() error {
	all, err := filepath.Glob(filepath.Join(b.dir, replicaPrefix+"*"))
	if err != nil {
		return err
	}

	for _, path := range all {
		if b.current == nil || filepath.Base(path) != b.current.name {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}

	return nil
}

// Current returns the current replica, or nil if none was ever complete.
func (b *Dir) Current() store.Store {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current == nil {
		return nil
	}
	return b.current.store
}

// SyncedAt returns when the current replica was last synced: the modification
// time of the file that names it.
func (b *Dir) SyncedAt() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	info, err := os.Stat(filepath.Join(b.dir, currentFile))
	if err != nil || b.current == nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Millisecond)
}

// SetSyncedAt records when the current replica was last synced. If the record
// is lost, the data looks older than it is.
func (b *Dir) SetSyncedAt(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := os.Chtimes(filepath.Join(b.dir, currentFile), time.Time{}, at); err != nil {
		b.log.Warn("cannot record the age of the replica", "error", err)
	}
}

// Stage starts a new replica and discards one that was not finished.
func (b *Dir) Stage() (store.Store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.discard(b.next); err != nil {
		return nil, err
	}

	b.next = nil
	path, err := os.MkdirTemp(b.dir, replicaPrefix)
	if err != nil {
		return nil, fmt.Errorf("there is no space for the replica: %w", err)
	}

	st, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		return nil, err
	}

	b.next = &dirReplica{filepath.Base(path), st}

	return st, nil
}

// Swap makes the staged replica the current one, also for the next start.
func (b *Dir) Swap() (release func() error, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		return nil, errors.New("there is no new replica to swap in")
	}
	if err := journal.ReplaceFile(journal.Dir(b.dir), currentFile, []byte(b.next.name)); err != nil {
		return nil, err
	}

	old := b.current
	b.current, b.next = b.next, nil

	return func() error { return b.discard(old) }, nil
}

// discard closes and removes a replica. Closing waits for its readers.
func (b *Dir) discard(x *dirReplica) error {
	if x == nil {
		return nil
	}
	return errors.Join(x.store.Close(), os.RemoveAll(filepath.Join(b.dir, x.name)))
}

// Close closes the replicas.
func (b *Dir) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.discard(b.next)
	if b.current != nil {
		err = errors.Join(err, b.current.store.Close())
	}
	b.current, b.next = nil, nil
	return err
}

// A Set is the current replica, and a staged one that is being filled to replace
// it. Losing either is harmless.
type Set interface {
	// Current returns the current replica, or nil if none was ever complete.
	Current() store.Store
	// Stage returns a new, empty replica and discards the one staged before.
	Stage() (store.Store, error)
	// Swap makes the staged replica the current one. release closes the old
	// one once nothing reads it.
	Swap() (release func() error, err error)
	// SyncedAt returns the time last passed to SetSyncedAt for the current
	// replica, or zero if unknown. It is saved now and then and may be lost.
	SyncedAt() time.Time
	SetSyncedAt(at time.Time)
}
