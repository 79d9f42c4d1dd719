package ledger

import (
	"sync"
	"sync/atomic"
	"time"
)

// A schedule has the time at which the next reservation of a partition is
// due, or an earlier one: too early costs a read, too late would be wrong.
type schedule struct {
	next     atomic.Int64 // Unix milliseconds; 0 until loaded
	expiring sync.Mutex   // held while expiring

	mu       sync.Mutex
	added    uint64 // number of calls to add
	earliest int64  // the earliest one added before start
	reloads  int    // number of calls to invalidate
}

// due reports whether something may be due at the given time.
func (s *schedule) due(now time.Time) bool { return s.next.Load() <= now.UnixMilli() }

func (s *schedule) loaded() bool { return s.next.Load() != 0 }

// start sets the time read from the store after reloadCount returned reloads, unless it must
// be read again.
func (s *schedule) start(next int64, reloads int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reloads != reloads {
		return
	}
	if s.earliest != 0 {
		next = min(next, s.earliest)
	}

	s.next.Store(next)
}

// add adds a new reservation. Call it before the commit.
func (s *schedule) add(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added++
	due := at.UnixMilli()
	switch known := s.next.Load(); {
	case known != 0:
		s.next.Store(min(known, due))
	case s.earliest == 0 || due < s.earliest:
		s.earliest = due
	}
}

// invalidate makes the next access read the time from the store.
func (s *schedule) invalidate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added++ // invalidates an expiry in progress
	s.reloads++
	s.earliest = 0
	s.next.Store(0)
}

func (s *schedule) addedCount() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.added
}

func (s *schedule) reloadCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reloads
}

// advance sets the next due time after a committed expiry, unless a reservation
// was added since addedCount returned added; the next check then reads it.
func (s *schedule) advance(next int64, added uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.added == added {
		s.next.Store(next)
	}
}
