package ledger

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An agenda knows when the next reservation of a partition is due, or an
// earlier instant: too early costs a look, too late would be wrong.
type agenda struct {
	next atomic.Int64 // milliseconds; 0 until it is known
	turn sync.Mutex   // of whoever expires

	mu      sync.Mutex
	lowered uint64 // how often a new reservation was noted
	least   int64  // of those noted before the rest was known
}

// due tells whether something may have to be expired at the instant.
func (a *agenda) due(now time.Time) bool { return a.next.Load() <= now.UnixMilli() }

func (a *agenda) loaded() bool { return a.next.Load() != 0 }

// open sets what is known of the store, which must have been read after the agenda was made.
func (a *agenda) open(next int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.least != 0 {
		next = min(next, a.least)
	}
	a.next.Store(next)
}

// lower notes a new reservation, before it is committed.
func (a *agenda) lower(at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lowered++
	due := at.UnixMilli()
	switch known := a.next.Load(); {
	case known != 0:
		a.next.Store(min(known, due))
	case a.least == 0 || due < a.least:
		a.least = due
	}
}

func (a *agenda) lowerings() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lowered
}

// raise sets what is due next after a committed expiry, unless a reservation
// was noted since it looked: then the next look will tell.
func (a *agenda) raise(next int64, lowered uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lowered == lowered {
		a.next.Store(next)
	}
}

// agendas are those of all partitions that were looked at.
type agendas struct {
	mu   sync.RWMutex
	all  map[store.Partition]*agenda
	wake chan struct{} // has room for one call
}

func (l *Ledger) agenda(p store.Partition) *agenda {
	l.agendas.mu.RLock()
	a := l.agendas.all[p]
	l.agendas.mu.RUnlock()
	if a != nil {
		return a
	}
	l.agendas.mu.Lock()
	defer l.agendas.mu.Unlock()
	if a = l.agendas.all[p]; a == nil {
		if l.agendas.all == nil {
			l.agendas.all = map[store.Partition]*agenda{}
		}
		a = &agenda{}
		l.agendas.all[p] = a
	}
	return a
}

// rouse tells Run that something may be due earlier than it thinks.
func (s *agendas) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// longest is how long Run trusts its timer: the wall clock may be set, and
// a machine may sleep.
const longest = time.Minute

// Run expires reservations when they fall due, until ctx ends. Without it they
// are expired as soon as anybody looks; with it nobody need look. It may run
// once at a time.
func (l *Ledger) Run(ctx context.Context) error {
	parts, err := l.store.Partitions(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return failure(ctx, err)
	}
	for _, p := range parts {
		if p != (store.Partition{}) {
			l.agenda(p)
		}
	}
	for {
		wait := l.expireAll(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-l.agendas.wake:
		case <-l.after(wait):
		}
	}
}

// expireAll expires what is due in all partitions, and answers how long it is
// until something is again.
func (l *Ledger) expireAll(ctx context.Context) time.Duration {
	l.agendas.mu.RLock()
	parts := make([]store.Partition, 0, len(l.agendas.all))
	for p := range l.agendas.all {
		parts = append(parts, p)
	}
	l.agendas.mu.RUnlock()
	wait := longest
	for _, p := range parts {
		now, err := l.present(ctx, p)
		if ctx.Err() != nil {
			return 0
		}
		if err != nil {
			l.log.Error("reservations cannot expire", "organization", p.Organization, "environment", p.Environment, "error", err)
			wait = min(wait, time.Second)
			continue
		}
		next := api.Instant(time.UnixMilli(min(l.agenda(p).next.Load(), now.Add(longest).UnixMilli())))
		wait = min(wait, max(0, next.Sub(now)))
	}
	return wait
}
