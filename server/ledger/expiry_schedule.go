package ledger

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An expirySchedule has the time at which the next reservation of a partition is
// due, or an earlier one: too early costs a read, too late would be wrong.
type expirySchedule struct {
	next     atomic.Int64 // Unix milliseconds; 0 until loaded
	expiring sync.Mutex   // held while expiring

	mu       sync.Mutex
	added    uint64 // number of calls to add
	earliest int64  // the earliest one added before start
}

// due reports whether something may be due at the given time.
func (a *expirySchedule) due(now time.Time) bool { return a.next.Load() <= now.UnixMilli() }

func (a *expirySchedule) loaded() bool { return a.next.Load() != 0 }

// start sets the time read from the store, which must be read after the schedule was created.
func (a *expirySchedule) start(next int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.earliest != 0 {
		next = min(next, a.earliest)
	}
	a.next.Store(next)
}

// add adds a new reservation. Call it before the commit.
func (a *expirySchedule) add(at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.added++
	due := at.UnixMilli()
	switch known := a.next.Load(); {
	case known != 0:
		a.next.Store(min(known, due))
	case a.earliest == 0 || due < a.earliest:
		a.earliest = due
	}
}

func (a *expirySchedule) addedCount() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.added
}

// advance sets the next due time after a committed expiry, unless a reservation
// was added since addedCount returned added; the next check then reads it.
func (a *expirySchedule) advance(next int64, added uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.added == added {
		a.next.Store(next)
	}
}

// expirySchedules are the schedules of all partitions used so far.
type expirySchedules struct {
	mu   sync.RWMutex
	all  map[store.Partition]*expirySchedule
	wake chan struct{} // capacity 1
}

func (l *Ledger) expirySchedule(p store.Partition) *expirySchedule {
	l.expirySchedules.mu.RLock()
	a := l.expirySchedules.all[p]
	l.expirySchedules.mu.RUnlock()
	if a != nil {
		return a
	}
	l.expirySchedules.mu.Lock()
	defer l.expirySchedules.mu.Unlock()
	if a = l.expirySchedules.all[p]; a == nil {
		if l.expirySchedules.all == nil {
			l.expirySchedules.all = map[store.Partition]*expirySchedule{}
		}
		a = &expirySchedule{}
		l.expirySchedules.all[p] = a
	}
	return a
}

// signal wakes Run because something may be due earlier than it expects.
func (s *expirySchedules) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// maxTimer limits how long Run waits: the wall clock may be set, and a machine
// may sleep.
const maxTimer = time.Minute

// Run expires reservations when they fall due, until ctx is done. Without Run they
// expire on the next access to their partition. Run must not be called
// concurrently.
func (l *Ledger) Run(ctx context.Context) error {
	parts, err := l.store.Partitions(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return toAPIError(ctx, err)
	}
	for _, p := range parts {
		if p != (store.Partition{}) {
			l.expirySchedule(p)
		}
	}
	for {
		wait := l.expireAll(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-l.expirySchedules.wake:
		case <-l.after(wait):
		}
	}
}

// expireAll expires what is due in all partitions and returns how long to wait
// for the next.
func (l *Ledger) expireAll(ctx context.Context) time.Duration {
	l.expirySchedules.mu.RLock()
	parts := make([]store.Partition, 0, len(l.expirySchedules.all))
	for p := range l.expirySchedules.all {
		parts = append(parts, p)
	}
	l.expirySchedules.mu.RUnlock()
	wait := maxTimer
	for _, p := range parts {
		now, err := l.nowAfterExpiry(ctx, p)
		if ctx.Err() != nil {
			return 0
		}
		if err != nil {
			l.log.Error("reservations cannot expire", "organization", p.Organization, "environment", p.Environment, "error", err)
			wait = min(wait, time.Second)
			continue
		}
		next := api.Instant(time.UnixMilli(min(l.expirySchedule(p).next.Load(), now.Add(maxTimer).UnixMilli())))
		wait = min(wait, max(0, next.Sub(now)))
	}
	return wait
}
