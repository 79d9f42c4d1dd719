package replicas

import (
	"context"
	"log/slog"
	"sync/atomic"

	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A Tracker reads and updates the replicas of one partition.
type Tracker struct {
	Set
	partition store.Partition
	log       *slog.Logger
	polled    atomic.Bool
	changes   changes // in the current replica
	release   func() error
}

// NewTracker returns a Tracker of the replicas in set.
func NewTracker(set Set, p store.Partition, log *slog.Logger) *Tracker {
	return &Tracker{Set: set, partition: p, log: log}
}

// Polled reports whether the current replica was filled with the documented
// operations alone.
func (t *Tracker) Polled() bool { return t.polled.Load() }

// SetPolled sets what Polled reports.
func (t *Tracker) SetPolled(is bool) { t.polled.Store(is) }

// Position returns how far a replica is filled, or zero if it is nil.
func (t *Tracker) Position(ctx context.Context, target store.Store) (at replica.Position, err error) {
	if target == nil {
		return at, nil
	}
	return replica.ReadPosition(ctx, target, t.partition)
}

// View reads a replica.
func (t *Tracker) View(ctx context.Context, target store.Store, fn func(*replica.Tx) error) error {
	return replica.View(ctx, target, t.partition, fn)
}

// Update updates a replica.
func (t *Tracker) Update(ctx context.Context, target store.Store, fn func(*replica.Tx) error) error {
	before, err := t.Position(ctx, target)
	if err != nil {
		return err
	}

	w := recordingStore{Store: target}
	if err := replica.Update(ctx, &w, t.partition, fn); err != nil || target != t.Current() {
		return err
	}

	after, err := t.Position(ctx, target)
	if err != nil {
		return err
	}

	t.changes.add(before.Stamp, after.Stamp, w.rows)

	return nil
}

// ChangedSince returns the rows of the current replica that changed between a
// revision and now, its present one; false if that is not known.
func (t *Tracker) ChangedSince(revision, now string) (RowSet, bool) {
	return t.changes.since(revision, now)
}

// ForgetChanges forgets the rows that changed before a revision of the current
// replica.
func (t *Tracker) ForgetChanges(revision string) {
	t.changes = changes{from: revision, to: revision, rows: RowSet{}}
}

// Replace makes the staged replica the current one. The old one remains open
// until Release.
func (t *Tracker) Replace(polled bool) error {
	release, err := t.Swap()
	if err != nil {
		return err
	}
	t.Release()
	t.release = release
	t.polled.Store(polled)
	return nil
}

// Release removes a replica that was replaced, once nothing reads it.
func (t *Tracker) Release() {
	if t.release == nil {
		return
	}
	if err := t.release(); err != nil {
		t.log.Warn("cannot remove the old replica", "error", err)
	}
	t.release = nil
}
