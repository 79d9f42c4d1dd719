package ledger

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// Requests made with API keys are counted in memory and written within a second,
// because a write for each would cost more than most requests. Only this process opens
// the store, so its counts are complete. A crash loses the last second's requests.

// requestsTable has one row: the month and its request count.
const requestsTable = "requests"

var requestsKey = []byte("month")

const requestsSize = 12

// flushAfter is how long a request may be counted only in memory.
const flushAfter = time.Second

// meters has a meter for each partition used since the start.
type meters struct {
	byPartition sync.Map // store.Partition → *meter
	loading     sync.Mutex

	mu     sync.Mutex
	dirty  map[store.Partition]*meter // to be written
	timer  *time.Timer
	closed bool
}

// A meter counts the requests of one partition.
type meter struct {
	l *Ledger
	p store.Partition

	mu    sync.Mutex
	plan  *planRow
	month month
	count int64
	dirty bool
}

// meterOf returns the meter for the caller's requests. It returns nil for terminals on
// the ledger itself, whose requests do not count, and for replicas, where the service
// counts.
func (l *Ledger) meterOf(ctx context.Context, c *api.Caller) (*meter, error) {
	if c.Actor.Type != api.APIKey || l.localWrites {
		return nil, nil
	}
	p := partition(c)
	if m, ok := l.meters.byPartition.Load(p); ok {
		return m.(*meter), nil
	}
	l.meters.loading.Lock()
	defer l.meters.loading.Unlock()
	if m, ok := l.meters.byPartition.Load(p); ok {
		return m.(*meter), nil
	}
	m := &meter{l: l, p: p}
	unknown := false
	err := l.store.View(ctx, p, func(r store.Reader) error {
		org, err := ownOrganization.Shared(r, p.Organization[:])
		if unknown = org == nil; unknown || err != nil {
			return err
		}
		if m.plan, err = planOf(r); err != nil {
			return err
		}
		m.month, m.count, err = requestsOf(r)
		return err
	})
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	if unknown {
		return nil, nil // there is nothing to read, and no plan
	}
	l.meters.byPartition.Store(p, m)
	return m, nil
}

func requestsOf(r store.Reader) (month, int64, error) {
	data, err := r.Get(requestsTable, requestsKey)
	if err != nil || data == nil {
		return 0, 0, err
	}
	if len(data) < requestsSize {
		return 0, 0, errTruncated
	}
	return month(binary.BigEndian.Uint32(data)), int64(binary.BigEndian.Uint64(data[4:])), nil
}

// admit counts a read, or rejects it if the request limit is reached.
func (l *Ledger) admit(ctx context.Context, req *api.Request) error {
	m, err := l.meterOf(ctx, req.Caller)
	if err != nil {
		return err
	}
	return m.charge(api.Instant(l.now()))
}

// charge counts a request, or rejects it if the limit is reached.
func (m *meter) charge(now time.Time) error {
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
		m.l.meters.markDirty(m)
	}
	return nil
}

// startMonth starts a new month. A clock that goes back does not restart an old one.
func (m *meter) startMonth(now time.Time) {
	if n := monthOf(now); n > m.month {
		m.month, m.count = n, 0
	}
}

// setPlan updates the plan of the partition's meter.
func (s *meters) setPlan(p store.Partition, plan *planRow) {
	if m, ok := s.byPartition.Load(p); ok {
		m := m.(*meter)
		m.mu.Lock()
		m.plan = plan
		m.mu.Unlock()
	}
}

// markDirty schedules a meter to be written.
func (s *meters) markDirty(m *meter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirty == nil {
		s.dirty = map[store.Partition]*meter{}
	}
	s.dirty[m.p] = m
	if s.timer == nil && !s.closed {
		s.timer = time.AfterFunc(flushAfter, func() { m.l.flush(context.Background()) })
	}
}

// flush writes the counts. After an error the next request schedules another flush.
func (l *Ledger) flush(ctx context.Context) {
	s := &l.meters
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
		err := l.store.Update(ctx, p, func(tx store.Tx) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			old, err := tx.Get(requestsTable, requestsKey)
			if err != nil {
				return err
			}
			b := binary.BigEndian.AppendUint32(nil, uint32(m.month))
			b = binary.BigEndian.AppendUint64(b, uint64(m.count))
			if len(old) > requestsSize {
				b = append(b, old[requestsSize:]...) // the fields that a newer version added
			}
			return tx.Put(requestsTable, requestsKey, b)
		})
		if err != nil {
			l.log.Debug("could not save the request count", "organization", p.Organization, "error", err)
		}
	}
}

// Close ends waits for changes and writes the counts. The store stays open. The ledger
// must not be used afterwards.
func (l *Ledger) Close() {
	l.notifier.close()
	l.meters.mu.Lock()
	l.meters.closed = true
	l.meters.mu.Unlock()
	l.flush(context.Background())
}

// usage returns the usage of the plan, including counts only in memory.
func (tx *readTx) usage() (api.Usage, error) {
	row, err := tx.usageRow()
	if err != nil {
		return api.Usage{}, err
	}
	current := monthOf(tx.now)
	counted, count, err := requestsOf(tx.r)
	if m, ok := tx.l.meters.byPartition.Load(tx.p); ok {
		m := m.(*meter)
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
