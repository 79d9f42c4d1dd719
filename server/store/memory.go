package store

import (
	"context"
	"slices"
	"sync"
)

// Memory is a Store that forgets everything when it ends, for trials and
// tests. A View holds up the commits, so it must be short.
type Memory struct {
	mu     sync.RWMutex
	parts  map[Partition]*Overlay // each over nothing, sealed between commits
	closed bool
	writer *Writer
}

var _ Store = (*Memory)(nil)

// NewMemory makes an empty store.
func NewMemory() *Memory {
	m := &Memory{parts: make(map[Partition]*Overlay)}
	m.writer = NewWriter(memoryBackend{m})
	return m
}

// View runs fn while nothing is committed.
func (m *Memory) View(ctx context.Context, p Partition, fn func(Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	return fn(m.reader(p))
}

// Update runs fn among others; see Writer.
func (m *Memory) Update(ctx context.Context, p Partition, fn func(Tx) error) error {
	return m.writer.Update(ctx, p, fn)
}

// Partitions lists the partitions that hold at least one row.
func (m *Memory) Partitions(ctx context.Context) ([]Partition, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	var list []Partition
	for p, rows := range m.parts {
		if rows.live() {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, Partition.compare)
	return list, nil
}

// Close finishes the updates that wait; a second Close does nothing.
func (m *Memory) Close() error {
	m.writer.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.parts = true, nil
	return nil
}

func (m *Memory) reader(p Partition) Reader {
	if rows := m.parts[p]; rows != nil {
		return rows
	}
	return nothing{}
}

// live tells whether the overlay itself holds a row that is not deleted.
func (o *Overlay) live() bool {
	for _, t := range o.tables {
		for _, c := range t.rows {
			if c.value != nil {
				return true
			}
		}
	}
	return false
}

// memoryBackend commits batches to a Memory. Only the writer changes the
// partitions, so it may read them without the lock.
type memoryBackend struct{ m *Memory }

func (b memoryBackend) Begin() (Batch, error) { return b, nil }

func (b memoryBackend) Rollback() {}

func (b memoryBackend) Reader(p Partition) (Reader, error) { return b.m.reader(p), nil }

func (b memoryBackend) Commit(changes []Changes) error {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	for _, c := range changes {
		rows := b.m.parts[c.Partition]
		if rows == nil {
			rows = NewOverlay(nil)
			b.m.parts[c.Partition] = rows
		}
		rows.sealed = false
		for _, row := range c.Rows {
			if err := row.Apply(rows); err != nil {
				return err
			}
		}
		rows.Seal()
	}
	return nil
}
