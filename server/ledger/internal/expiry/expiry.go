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

// errOverdue aborts an update that starts after a reservation is due.
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

// Update runs fn in a write transaction at a time when nothing is due to expire.
func (s *Scheduler) Update(ctx context.Context, p store.Partition, fn func(store.Tx, time.Time) error) error {
	a := s.schedule(p)
	for {
		if _, err := s.Now(ctx, p); err != nil {
			return err
		}
		err := s.Store.Update(ctx, p, func(tx store.Tx) error {
			now := s.Instant(ctx)
			if a.due(now) {
				return errOverdue
			}
			return fn(tx, now)
		})
		if !errors.Is(err, errOverdue) {
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
	next := int64(Never)
	err := s.Store.View(ctx, p, func(r store.Reader) (err error) {
		next, err = s.FirstDue(r)
		return err
	})
	if err == nil {
		a.start(next)
	}
	return err
}

// maxTimer limits how long Run waits: the wall clock may be set, and a machine
// may sleep.
const maxTimer = time.Minute

// Run expires reservations when they fall due, until ctx is done. It must not be
// called concurrently.
func (s *Scheduler) Run(ctx context.Context) error {
	parts, err := s.Store.Partitions(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p != (store.Partition{}) {
			s.schedule(p)
		}
	}
	for {
		wait := s.expireAll(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-s.After(wait):
		}
	}
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
