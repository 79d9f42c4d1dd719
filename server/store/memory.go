package store

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
)

// Memory is a Store in memory, for tests.
type Memory struct {
	mu     sync.RWMutex
	parts  map[Partition]*Layer // without a base
	closed bool
	writer *Writer
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	m := &Memory{parts: make(map[Partition]*Layer)}
	m.writer = NewWriter(memoryBackend{m})
	return m
}

// View runs fn on the committed state.
func (m *Memory) View(ctx context.Context, p Partition, fn func(Reader) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}

	m.mu.RLock()
	layer, closed := m.parts[p], m.closed
	m.mu.RUnlock()
	if closed {
		return ErrClosed
	}

	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()

	return fn(layer.Over(nil))
}

// Update runs fn and commits it; see Writer.
func (m *Memory) Update(ctx context.Context, p Partition, fn func(Tx) error) error {
	return m.writer.Update(ctx, p, fn)
}

// Partitions lists the partitions that have at least one row.
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
	for p, layer := range m.parts {
		hasRows, err := HasRows(layer.Over(nil), layer.Tables())
		if err != nil {
			return nil, err
		}
		if hasRows {
			list = append(list, p)
		}
	}

	slices.SortFunc(list, Partition.Compare)

	return list, nil
}

// Close finishes waiting updates. A second Close does nothing.
func (m *Memory) Close() error {
	m.writer.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.parts = true, nil
	return nil
}

// memoryBackend commits batches to a Memory.
type memoryBackend struct{ m *Memory }

func (b memoryBackend) Begin() (Snapshot, error) { return b, nil }

func (b memoryBackend) Close() {}

func (b memoryBackend) Reader(p Partition) (Reader, error) {
	b.m.mu.RLock()
	defer b.m.mu.RUnlock()
	return b.m.parts[p].Over(nil), nil
}

func (b memoryBackend) Commit(changes []Changes) error {
	b.m.mu.Lock()
	defer b.m.mu.Unlock()
	for _, c := range changes {
		b.m.parts[c.Partition] = b.m.parts[c.Partition].With(c.Rows)
	}
	return nil
}
