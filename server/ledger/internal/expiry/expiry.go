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

	"bincard/server/api"
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
func (s *Scheduler) whenNothingIsDue(ctx context.Context, p store.Partition, transact func(now func() (time.Time, error)) error) error {
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

// maxTimer limits how long Run waits: the wall clock may be set, and a machine
// may sleep.
const maxTimer = time.Minute

// sharedTimer is as long where other processes write too: Run then looks for what they have
// created.
const sharedTimer = 10 * time.Second

// Run expires reservations when they fall due, until ctx is done. It must not be
// called concurrently.
func (s *Scheduler) Run(ctx context.Context) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	_, shared := s.Store.(store.Shared)
	for found := s.Instant(ctx); ctx.Err() == nil; {
		wait := s.expireAll(ctx)
		if shared {
			wait = min(wait, sharedTimer)
		}
		timeout := false
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-s.After(wait):
			timeout = true
		}
		if now := s.Instant(ctx); shared && (timeout || now.Sub(found) >= sharedTimer) {
			found = now
			if err := s.find(ctx); err != nil {
				s.Log.Error("cannot find the reservations of other processes", "error", err)
			}
		}
	}
	return nil
}

// find adds the partitions that the store has, and what other processes have reserved.
func (s *Scheduler) find(ctx context.Context) error {
	parts, err := s.Store.Partitions(ctx)
	if err == nil {
		err = store.Refresh(ctx, s.Store, parts...)
	}
	if ctx.Err() != nil {
		return nil
	}
	for _, p := range parts {
		if p != (store.Partition{}) {
			s.schedule(p)
		}
	}
	return err
}

// expireAll expires what is due in all partitions and returns how long to wait
// for the next.
func (s *Scheduler) expireAll(ctx context.Context) time.Duration {
	s.mu.RLock()
	parts := make([]store.Partition, 0, len(s.all))
	for p := range s.all {
		parts = append(parts, p)
	}
	s.mu.RUnlock()
	wait := maxTimer
	for _, p := range parts {
		now, err := s.Now(ctx, p)
		if ctx.Err() != nil {
			return 0
		}
		if err != nil {
			s.Log.Error("reservations cannot expire", "organization", p.Organization, "environment", p.Environment, "error", err)
			wait = min(wait, time.Second)
			continue
		}
		next := api.Instant(time.UnixMilli(min(s.schedule(p).next.Load(), now.Add(maxTimer).UnixMilli())))
		wait = min(wait, max(0, next.Sub(now)))
	}
	return wait
}
