package ledger

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"bincard/server/store"
)

// neverDue means that nothing is due.
const neverDue = math.MaxInt64

// A scheduler expires reservations exactly on time: before a partition is read or written,
// its due reservations are expired. It keeps in memory when the next reservation of each
// partition is due, so that most requests need no extra read. Now, View and Update expire
// on access, Run when the time comes.
type scheduler struct {
	l    *Ledger
	mu   sync.RWMutex
	all  map[store.Partition]*schedule // of the partitions used so far
	wake chan struct{}                 // capacity 1
}

// newScheduler returns a scheduler that has read nothing yet.
func newScheduler(l *Ledger) *scheduler {
	return &scheduler{l: l, all: map[store.Partition]*schedule{}, wake: make(chan struct{}, 1)}
}

// errOverdue aborts a transaction that starts after a reservation is due.
var errOverdue = errors.New("a reservation is due to expire")

// Now expires what is due in a partition and returns the current time, at which
// nothing else is due.
func (s *scheduler) Now(ctx context.Context, p store.Partition) (time.Time, error) {
	a := s.schedule(p)
	for {
		now := s.l.instant(ctx)
		if !a.due(now) {
			return now, nil
		}
		if err := s.expire(ctx, p, a); err != nil {
			return now, err
		}
	}
}

// View runs fn in a read transaction at a time when nothing is due to expire.
func (s *scheduler) View(ctx context.Context, p store.Partition, fn func(store.Reader, time.Time) error) error {
	return s.whenNothingIsDue(ctx, p, func(now func() (time.Time, error)) error {
		return s.l.store.View(ctx, p, func(r store.Reader) error {
			at, err := now()
			if err != nil {
				return err
			}
			return fn(r, at)
		})
	})
}

// Update runs fn in a write transaction at a time when nothing is due to expire.
func (s *scheduler) Update(ctx context.Context, p store.Partition, fn func(store.Tx, time.Time) error) error {
	return s.whenNothingIsDue(ctx, p, func(now func() (time.Time, error)) error {
		return s.l.store.Update(ctx, p, func(tx store.Tx) error {
			at, err := now()
			if err != nil {
				return err
			}
			return fn(tx, at)
		})
	})
}

// whenNothingIsDue calls transact, which calls now in its transaction, until nothing is due
// at that time.
func (s *scheduler) whenNothingIsDue(
	ctx context.Context,
	p store.Partition,
	transact func(now func() (time.Time, error)) error,
) error {
	a := s.schedule(p)
	now := func() (time.Time, error) {
		at := s.l.instant(ctx)
		if a.due(at) {
			return at, errOverdue
		}
		return at, nil
	}

	for {
		if _, err := s.Now(ctx, p); err != nil {
			return err
		}
		if err := transact(now); !errors.Is(err, errOverdue) {
			return err
		}
	}
}

// Add adds a new reservation. Call it before the commit makes the reservation visible.
// If the commit fails, the only effect is one unnecessary check.
func (s *scheduler) Add(p store.Partition, at time.Time) {
	s.schedule(p).add(at)
	select {
	case s.wake <- struct{}{}: // Run may expect the next one later
	default:
	}
}

// Reload reads the schedule of a partition again after its store was changed from
// outside the ledger.
func (s *scheduler) Reload(p store.Partition) { s.schedule(p).invalidate() }

func (s *scheduler) schedule(p store.Partition) *schedule {
	s.mu.RLock()
	a := s.all[p]
	s.mu.RUnlock()
	if a != nil {
		return a
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if a = s.all[p]; a == nil {
		a = &schedule{}
		s.all[p] = a
	}

	return a
}

// expire expires everything that is due in a partition.
func (s *scheduler) expire(ctx context.Context, p store.Partition, a *schedule) error {
	a.expiring.Lock()
	defer a.expiring.Unlock()
	if !a.loaded() {
		return s.load(ctx, p, a)
	}

	for a.due(s.l.instant(ctx)) {
		var next int64
		var added uint64
		err := s.l.store.Update(ctx, p, func(tx store.Tx) (err error) {
			added = a.addedCount()
			next, err = s.l.expireDue(ctx, tx, p)
			return err
		})
		if err != nil {
			return err
		}

		a.advance(next, added)
		s.l.feed.Notify(p)
	}

	return nil
}

// load reads when the first reservation of a partition is due.
func (s *scheduler) load(ctx context.Context, p store.Partition, a *schedule) error {
	next, reloads := int64(neverDue), a.reloadCount()
	err := s.l.store.View(ctx, p, func(r store.Reader) (err error) {
		next, err = firstDue(r)
		return err
	})
	if err == nil {
		a.start(next, reloads)
	}

	return err
}
