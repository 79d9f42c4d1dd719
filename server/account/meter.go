package account

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// Requests made with API keys are counted in memory and written within a second,
// because a write for each would cost more than most requests. A crash loses the last
// second's requests.
//
// Where other processes count too, a plan with a limit is different: each request is counted
// in the store, so that the last one of the plan goes to one process.

// meters has a meter for each partition used since the start.
type meters struct {
	store       store.Store
	shared      bool // with other processes
	log         *slog.Logger
	byPartition sync.Map // store.Partition → *Meter

	mu     sync.Mutex
	dirty  map[store.Partition]*Meter // to be written
	timer  *time.Timer
	closed bool
}

// A Meter counts the requests of one partition.
type Meter struct {
	all *meters
	p   store.Partition

	saving  sync.Mutex
	mu      sync.Mutex
	plan    *PlanRow // nil if it must be read
	changes int      // of the plan; one read before a change is not kept after it
	month   Month
	count   int64 // requests in the month, those of other processes as far as known
	unsaved int64 // how many of them are not in the store
	dirty   bool
}

// of returns the meter of a partition, or nil if its organization is unknown.
func (s *meters) of(ctx context.Context, p store.Partition) (*Meter, error) {
	found, known := s.byPartition.Load(p)
	if !known {
		found, _ = s.byPartition.LoadOrStore(p, &Meter{all: s, p: p})
	}

	m, err := found.(*Meter).load(ctx)
	if m == nil || err != nil || !m.mustSave() {
		return m, err
	}

	return m, m.save(ctx)
}

// mustSave reports whether requests were counted in memory that must be in the store, because
// the plan has a limit since.
func (m *Meter) mustSave() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all.shared && m.unsaved > 0 && m.plan != nil && m.plan.Limits.APIRequests != nil
}

// load reads the plan, and the requests in the store, unless it knows them. It returns nil
// for an unknown organization: there is nothing to read, and no plan.
func (m *Meter) load(ctx context.Context) (*Meter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.plan == nil {
		changes := m.changes
		m.mu.Unlock()
		var plan *PlanRow
		var month Month
		var count int64
		err := m.all.store.View(ctx, m.p, func(r store.Reader) error {
			org, err := Own.Shared(r, m.p.Organization[:])
			if org == nil || err != nil {
				return err
			}
			if plan, err = PlanOf(r); err != nil {
				return err
			}

			month, count, err = requestsOf(r)

			return err
		})

		m.mu.Lock()
		if plan == nil || err != nil {
			return nil, err
		}
		if m.changes == changes {
			m.plan = plan
			m.learn(month, count)
		}
	}

	return m, nil
}

// learn notes what the store has. The caller holds m.mu.
func (m *Meter) learn(month Month, count int64) {
	switch {
	case month > m.month:
		m.month, m.count = month, count+m.unsaved
	case month == m.month:
		m.count = max(m.count, count)
	}
}

// Charge counts a request outside a transaction, or rejects it if the limit is reached.
func (m *Meter) Charge(ctx context.Context, now time.Time) error {
	if m == nil {
		return nil
	}
	if counted, err := m.chargeInMemory(now); counted || err != nil {
		return err
	}

	return m.all.store.Update(ctx, m.p, func(tx store.Tx) error {
		_, err := m.ChargeIn(tx, now)
		return err
	})
}

// ChargeIn counts a request in a transaction. stored reports whether it is counted only if
// the transaction commits.
func (m *Meter) ChargeIn(tx store.Tx, now time.Time) (stored bool, err error) {
	if m == nil {
		return false, nil
	}
	if counted, err := m.chargeInMemory(now); counted || err != nil {
		return false, err
	}

	plan, err := PlanOf(tx)
	if err != nil {
		return false, err
	}

	month, count, err := requestsOf(tx)
	if err != nil {
		return false, err
	}
	if n := MonthOf(now); n > month {
		month, count = n, 0
	}
	if limit := plan.Limits.APIRequests; limit != nil && count >= *limit {
		return false, m.exceeded(plan, count)
	}

	return true, putRequests(tx, month, count+1)
}

// chargeInMemory counts a request in memory. It reports false if it must be counted in the
// store.
func (m *Meter) chargeInMemory(now time.Time) (counted bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.plan == nil {
		return false, nil
	}

	m.startMonth(now)
	if limit := m.plan.Limits.APIRequests; limit != nil {
		switch {
		case m.all.shared:
			return false, nil
		case m.count >= *limit:
			return false, m.exceeded(m.plan, m.count)
		}
	}

	m.count++
	m.unsaved++
	if !m.dirty {
		m.dirty = true
		m.all.markDirty(m)
	}

	return true, nil
}

func (m *Meter) exceeded(plan *PlanRow, count int64) error {
	return api.ExceedsPlan(api.APIRequests, api.Environment(m.p.Environment), plan.Plan, plan.Limits.APIRequests, count,
		1)
}

// startMonth starts a new month. A clock that goes back does not restart an old one.
func (m *Meter) startMonth(now time.Time) {
	if n := MonthOf(now); n > m.month {
		m.month, m.count, m.unsaved = n, 0, 0
	}
}

// planChanged makes the partition's meter read its plan again.
func (s *meters) planChanged(p store.Partition) {
	if m, ok := s.byPartition.Load(p); ok {
		m := m.(*Meter)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.plan = nil
		m.changes++
	}
}
