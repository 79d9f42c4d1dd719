package account

import (
	"context"
	"encoding/binary"
	"log/slog"
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
	store       store.Store
	log         *slog.Logger
	byPartition sync.Map // store.Partition → *Meter
	loading     sync.Mutex

	mu     sync.Mutex
	dirty  map[store.Partition]*Meter // to be written
	timer  *time.Timer
	closed bool
}

// A Meter counts the requests of one partition.
type Meter struct {
	all *meters
	p   store.Partition

	mu    sync.Mutex
	plan  *PlanRow
	month Month
	count int64
	dirty bool
}

// of returns the meter of a partition, or nil if its organization is unknown.
func (s *meters) of(ctx context.Context, p store.Partition) (*Meter, error) {
	if m, ok := s.byPartition.Load(p); ok {
		return m.(*Meter), nil
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if m, ok := s.byPartition.Load(p); ok {
		return m.(*Meter), nil
	}
	m := &Meter{all: s, p: p}
	unknown := false
	err := s.store.View(ctx, p, func(r store.Reader) error {
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
	s.byPartition.Store(p, m)
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
		m.all.markDirty(m)
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
		s.timer = time.AfterFunc(flushAfter, s.flush)
	}
}

// flush writes the counts. After an error the next request schedules another flush.
func (s *meters) flush() {
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
		err := s.store.Update(context.Background(), p, func(tx store.Tx) error {
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
			s.log.Debug("could not save the request count", "organization", p.Organization, "error", err)
		}
	}
}

// close writes the counts and stops the timer.
func (s *meters) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.flush()
}
