package account

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// Requests made with API keys are counted in memory and written within a second,
// because a write for each would cost more than most requests. Only this process opens
// the store, so its counts are complete. A crash loses the last second's requests.

// RequestsTable has one row: the month and its request count.
const RequestsTable = "requests"

var requestsKey = []byte("month")

const requestsSize = 12

// flushAfter is how long a request may be counted only in memory.
const flushAfter = time.Second

// meters has a meter for each partition used since the start.
type meters struct {
	byPartition sync.Map // store.Partition → *Meter
	loading     sync.Mutex

	mu     sync.Mutex
	dirty  map[store.Partition]*Meter // to be written
	timer  *time.Timer
	closed bool
}

// A Meter counts the requests of one partition.
type Meter struct {
	a *Accounts
	p store.Partition

	mu    sync.Mutex
	plan  *PlanRow
	month Month
	count int64
	dirty bool
}

// Meter returns the meter for the caller's requests. It returns nil, which counts
// nothing, for terminals on the ledger itself and for replicas.
func (a *Accounts) Meter(ctx context.Context, c *api.Caller) (*Meter, error) {
	if c.Actor.Type != api.APIKey || !a.metered {
		return nil, nil
	}
	p := store.Partition{Organization: c.Organization, Environment: string(c.Environment)}
	if m, ok := a.meters.byPartition.Load(p); ok {
		return m.(*Meter), nil
	}
	a.meters.loading.Lock()
	defer a.meters.loading.Unlock()
	if m, ok := a.meters.byPartition.Load(p); ok {
		return m.(*Meter), nil
	}
	m := &Meter{a: a, p: p}
	unknown := false
	err := a.store.View(ctx, p, func(r store.Reader) error {
		org, err := Own.Shared(r, p.Organization[:])
		if unknown = org == nil; unknown || err != nil {
			return err
		}
		if m.plan, err = PlanOf(r); err != nil {
			return err
		}
		m.month, m.count, err = requestsOf(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	if unknown {
		return nil, nil // there is nothing to read, and no plan
	}
	a.meters.byPartition.Store(p, m)
	return m, nil
}

func requestsOf(r store.Reader) (Month, int64, error) {
	data, err := r.Get(RequestsTable, requestsKey)
	if err != nil || data == nil {
		return 0, 0, err
	}
	if len(data) < requestsSize {
		return 0, 0, wire.ErrTruncated
	}
	return Month(binary.BigEndian.Uint32(data)), int64(binary.BigEndian.Uint64(data[4:])), nil
}

// Charge counts a request, or rejects it if the limit is reached.
func (m *Meter) Charge(now time.Time) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.startMonth(now)
	if limit := m.plan.Limits.APIRequests; limit != nil && m.count >= *limit {
		return api.ExceedsPlan(api.APIRequests, api.Environment(m.p.Environment), m.plan.Plan, limit, m.count, 1)
	}
	m.count++
	if !m.dirty {
		m.dirty = true
		m.a.meters.markDirty(m)
	}
	return nil
}

// startMonth starts a new month. A clock that goes back does not restart an old one.
func (m *Meter) startMonth(now time.Time) {
	if n := MonthOf(now); n > m.month {
		m.month, m.count = n, 0
	}
}

// setPlan updates the plan of the partition's meter.
func (s *meters) setPlan(p store.Partition, plan *PlanRow) {
	if m, ok := s.byPartition.Load(p); ok {
		m := m.(*Meter)
		m.mu.Lock()
		m.plan = plan
		m.mu.Unlock()
	}
}

// markDirty schedules a meter to be written.
func (s *meters) markDirty(m *Meter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirty == nil {
		s.dirty = map[store.Partition]*Meter{}
	}
	s.dirty[m.p] = m
	if s.timer == nil && !s.closed {
		s.timer = time.AfterFunc(flushAfter, func() { m.a.flush() })
	}
}

// flush writes the counts. After an error the next request schedules another flush.
func (a *Accounts) flush() {
	ctx, s := context.Background(), &a.meters
	s.mu.Lock()
	if s.timer != nil {
		s.timer.Stop()
	}
	list := s.dirty
	s.dirty, s.timer = nil, nil
	s.mu.Unlock()
	for p, m := range list {
		m.mu.Lock()
		m.dirty = false
		m.mu.Unlock()
		err := a.store.Update(ctx, p, func(tx store.Tx) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			old, err := tx.Get(RequestsTable, requestsKey)
			if err != nil {
				return err
			}
			b := binary.BigEndian.AppendUint32(nil, uint32(m.month))
			b = binary.BigEndian.AppendUint64(b, uint64(m.count))
			if len(old) > requestsSize {
				b = append(b, old[requestsSize:]...) // the fields that a newer version added
			}
			return tx.Put(RequestsTable, requestsKey, b)
		})
		if err != nil {
			a.log.Debug("could not save the request count", "organization", p.Organization, "error", err)
		}
	}
}

func (s *meters) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// Usage returns the usage of the plan in a partition, including counts only in memory.
func (a *Accounts) Usage(r store.Reader, p store.Partition, now time.Time) (api.Usage, error) {
	row, err := ReadUsage(r)
	if err != nil {
		return api.Usage{}, err
	}
	current := MonthOf(now)
	counted, count, err := requestsOf(r)
	if m, ok := a.meters.byPartition.Load(p); ok {
		m := m.(*Meter)
		m.mu.Lock()
		counted, count = m.month, m.count
		m.mu.Unlock()
	}
	if current > counted {
		count = 0
	}
	return api.Usage{Month: max(current, counted, row.Month).String(), APIRequests: count,
		BillableOperations: row.billable(current), ActiveProducts: row.Products}, err
}
