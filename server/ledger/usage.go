package ledger

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// The requests made with API keys are counted in memory and written within a
// second: a count of its own for each request would cost more than most
// requests. This process alone has the store, so what it counts is all there is.
// A crash forgets the requests of the last second.

// The partition keeps the month and its requests in one row of a table of its own.
const requestsTable = "requests"

var requestsKey = []byte("month")

const requestsSize = 12

// flushAfter is how long a request may be counted in memory only.
const flushAfter = time.Second

// meters hold a meter for each partition that was asked since the start.
type meters struct {
	byPartition sync.Map // store.Partition → *meter
	loading     sync.Mutex

	mu     sync.Mutex
	dirty  map[store.Partition]*meter // those to be written
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

// meterOf is the meter of the caller's requests; nil for a person at a terminal
// on the ledger itself, whose requests are not the public interface's, and over
// a replica: the service counts what it is asked.
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
	stranger := false
	err := l.store.View(ctx, p, func(r store.Reader) error {
		home, err := ownOrganization.Shared(r, p.Organization[:])
		if stranger = home == nil; stranger || err != nil {
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
	if stranger {
		return nil, nil // nothing is there to ask for, and nothing to count by
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

// admit counts a read, or refuses it.
func (l *Ledger) admit(ctx context.Context, req *api.Request) error {
	m, err := l.meterOf(ctx, req.Caller)
	if err != nil {
		return err
	}
	return m.charge(api.Instant(l.now()))
}

// charge counts one request at an instant, or refuses it.
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

// startMonth begins a new month; a clock that jumps back does not begin an old one again.
func (m *meter) startMonth(now time.Time) {
	if n := monthOf(now); n > m.month {
		m.month, m.count = n, 0
	}
}

// setPlan tells the partition's meter of its new plan.
func (s *meters) setPlan(p store.Partition, now *planRow) {
	if m, ok := s.byPartition.Load(p); ok {
		m := m.(*meter)
		m.mu.Lock()
		m.plan = now
		m.mu.Unlock()
	}
}

// markDirty puts the meter among those to be written.
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

// flush writes the counts down. What cannot be written is tried again with the
// next request.
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

// Close ends what waits for changes and writes down what is counted in memory.
// The store stays open; nothing should be asked of the ledger after.
func (l *Ledger) Close() {
	l.notifier.close()
	l.meters.mu.Lock()
	l.meters.closed = true
	l.meters.mu.Unlock()
	l.flush(context.Background())
}

// usage is what is used of the plan, what is only in memory included.
func (tx *readTx) usage() (api.Usage, error) {
	t, err := tx.usageRow()
	if err != nil {
		return api.Usage{}, err
	}
	now := monthOf(tx.now)
	asked, count, err := requestsOf(tx.r)
	if m, ok := tx.l.meters.byPartition.Load(tx.p); ok {
		m := m.(*meter)
		m.mu.Lock()
		asked, count = m.month, m.count
		m.mu.Unlock()
	}
	if now > asked {
		count = 0
	}
	return api.Usage{Month: max(now, asked, t.Month).String(), APIRequests: count,
		BillableOperations: t.billable(now), ActiveProducts: t.Products}, err
}
