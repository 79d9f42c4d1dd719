package account

import (
	"context"
	"encoding/binary"
	"time"

	"bincard/server/store"
	"bincard/server/store/wire"
)

// RequestsTable has one row: the month and its request count.
const RequestsTable = "requests"

var requestsKey = []byte("month")

const requestsSize = 12

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

// putRequests writes the requests of a month.
func putRequests(tx store.Tx, month Month, count int64) error {
	old, err := tx.Get(RequestsTable, requestsKey)
	if err != nil {
		return err
	}

	b := binary.BigEndian.AppendUint32(nil, uint32(month))
	b = binary.BigEndian.AppendUint64(b, uint64(count))
	if len(old) > requestsSize {
		b = append(b, old[requestsSize:]...) // the fields that a newer version added
	}

	return tx.Put(RequestsTable, requestsKey, b)
}

// flushAfter is how long a request may be counted only in memory.
const flushAfter = time.Second

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
		if err := m.save(context.Background()); err != nil {
			s.log.Debug("could not save the request count", "organization", p.Organization, "error", err)
		}
	}
}

// save adds the unsaved requests to those in the store.
func (m *Meter) save(ctx context.Context) error {
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	m.dirty = false
	ofMonth, unsaved := m.month, m.unsaved
	m.mu.Unlock()
	if unsaved == 0 {
		return nil
	}

	var month Month
	var count int64
	err := m.all.store.Update(ctx, m.p, func(tx store.Tx) (err error) {
		if month, count, err = requestsOf(tx); err != nil {
			return err
		}
		if month < ofMonth {
			month, count = ofMonth, 0
		}
		count += unsaved
		return putRequests(tx, month, count)
	})
	if err != nil {
		return err
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	if m.month == ofMonth {
		m.unsaved -= unsaved
	}

	m.learn(month, count+m.unsaved)

	return nil
}

// close writes the counts and stops the timer.
func (s *meters) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.flush()
}
