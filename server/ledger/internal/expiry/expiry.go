// Package expiry expires reservations exactly on time: before a partition is read or
// written, its due reservations are expired.
//
// A Scheduler keeps in memory when the next reservation of each partition is due, so
// that most requests need no extra read. Now and Update expire on access, Run when the
// time comes. What it means to expire a reservation is the ledger's business.
package expiry

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"bincard/server/store"
)

// Never means that nothing is due.
const Never = math.MaxInt64

// A Scheduler expires the reservations of a store.
type Scheduler struct {
	Config
	mu   sync.RWMutex
	all  map[store.Partition]*schedule // of the partitions used so far
	wake chan struct{}                 // capacity 1
}

// Config of a Scheduler; everything is required.
type Config struct {
	Store store.Store
	// Instant returns the time of a request.
	Instant func(context.Context) time.Time
	// After is the timer of Run.
	After func(time.Duration) <-chan time.Time
	Log   *slog.Logger
	// FirstDue returns when the first reservation of a partition is due, in Unix
	// milliseconds, or Never.
	FirstDue func(store.Reader) (int64, error)
	// Expire expires at least one due reservation and returns when the next is due.
	Expire func(ctx context.Context, tx store.Tx, p store.Partition) (next int64, err error)
	// Expired is called after an expiry is committed.
	Expired func(store.Partition)
}

// New returns a scheduler that has read nothing yet.
func New(c Config) *Scheduler {
	return &Scheduler{Config: c, all: map[store.Partition]*schedule{}, wake: make(chan struct{}, 1)}
}

// errOverdue aborts a transaction that starts after a reservation is due.
var errOverdue = errors.New("a reservation is due to expire")

// Now expires what is due in a partition and returns the current time, at which
// nothing else is due.
func (s *Scheduler) Now(ctx context.Context, p store.Partition) (time.Time, error) {
	a := s.schedule(p)
	for {
		now := s.Instant(ctx)
		if !a.due(now) {
			return now, nil
		}
		if err := s.expire(ctx, p, a); err != nil {
			return now, err
		}
	}
}

// View runs fn in a read transaction at a time when nothing is due to expire.
func (s *Scheduler) View(ctx context.Context, p store.Partition, fn func(store.Reader, time.Time) error) error {
	return s.whenNothingIsDue(ctx, p, func(now func() (time.Time, error)) error {
		return s.Store.View(ctx, p, func(r store.Reader) error {
			at, err := now()
			if err != nil {
				return err
			}
			return fn(r, at)
		})
	})
}

// Update runs fn in a write transaction at a time when nothing is due to expire.
func (s *Scheduler) Update(ctx context.Context, p store.Partition, fn func(store.Tx, time.Time) error) error {
	return s.whenNothingIsDue(ctx, p, func(now func() (time.Time, error)) error {
		return s.Store.Update(ctx, p, func(tx store.Tx) error {
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
func (s *Scheduler) whenNothingIsDue(
	ctx context.Context,
	p store.Partition,
	transact func(now func() (time.Time, error)) error,
) error {
	a := s.schedule(p)
	now := func() (time.Time, error) {
		at := s.Instant(ctx)
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
func (s *Scheduler) Add(p store.Partition, at time.Time) {
	s.schedule(p).add(at)
	select {
	case s.wake <- struct{}{}: // Run may expect the next one later
	default:
	}
}

// Reload reads the schedule of a partition again after its store was changed from
// outside the ledger.
func (s *Scheduler) Reload(p store.Partition) { s.schedule(p).invalidate() }

func (s *Scheduler) schedule(p store.Partition) *schedule {
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
func (s *Scheduler) expire(ctx context.Context, p store.Partition, a *schedule) error {
	a.expiring.Lock()
	defer a.expiring.Unlock()
	if !a.loaded() {
		return s.load(ctx, p, a)
	}
	for a.due(s.Instant(ctx)) {
		var next int64
		var added uint64
		err := s.Store.Update(ctx, p, func(tx store.Tx) (err error) {
			added = a.addedCount()
			next, err = s.Expire(ctx, tx, p)
			return err
		})
		if err != nil {
			return err
		}
		a.advance(next, added)
		s.Expired(p)
	}
	return nil
}

// load reads when the first reservation of a partition is due.
func (s *Scheduler) load(ctx context.Context, p store.Partition, a *schedule) error {
	next, reloads := int64(Never), a.reloadCount()
	err := s.Store.View(ctx, p, func(r store.Reader) (err error) {
		next, err = s.FirstDue(r)
		return err
	})
	if err == nil {
		a.start(next, reloads)
	}
	return err
}
