package ledger

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An expirySchedule knows when the next reservation of a partition is due, or an
// earlier instant: too early costs a look, too late would be wrong.
type expirySchedule struct {
	next     atomic.Int64 // milliseconds; 0 until it is known
	expiring sync.Mutex   // of whoever expires

	mu       sync.Mutex
	added    uint64 // how often a new reservation was noted
	earliest int64  // of those noted before the rest was known
}

// due tells whether something may have to be expired at the instant.
func (a *expirySchedule) due(now time.Time) bool { return a.next.Load() <= now.UnixMilli() }

func (a *expirySchedule) loaded() bool { return a.next.Load() != 0 }

// start sets what is known of the store, which must have been read after the agenda was made.
func (a *expirySchedule) start(next int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.earliest != 0 {
		next = min(next, a.earliest)
	}
	a.next.Store(next)
}

// add notes a new reservation, before it is committed.
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

// advance sets what is due next after a committed expiry, unless a reservation
// was noted since it looked: then the next look will tell.
func (a *expirySchedule) advance(next int64, lowered uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.added == lowered {
		a.next.Store(next)
	}
}

// expirySchedules are those of all partitions that were looked at.
type expirySchedules struct {
	mu   sync.RWMutex
	all  map[store.Partition]*expirySchedule
	wake chan struct{} // has room for one call
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

// signal tells Run that something may be due earlier than it thinks.
func (s *expirySchedules) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// maxTimer is how long Run trusts its timer: the wall clock may be set, and
// a machine may sleep.
const maxTimer = time.Minute

// Run expires reservations when they fall due, until ctx ends. Without it they
// are expired as soon as anybody looks; with it nobody need look. It may run
// once at a time.
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

// expireAll expires what is due in all partitions, and answers how long it is
// until something is again.
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
