package store

import (
	"bytes"
	"sync"
)

// cacheRows bounds the decoded rows a table keeps: two generations of it.
const cacheRows = 4096

// A rowCache keeps decoded rows by key. A row is good as long as the stored bytes
// are those it was decoded from, so partitions may share the memo and nobody
// has to forget anything.
type rowCache[T any] struct {
	mu          sync.RWMutex
	recent, old map[string]cachedRow[T]
}

type cachedRow[T any] struct {
	data []byte
	row  *T
}

// get returns the row kept for key if it came from data, else nil.
func (m *rowCache[T]) get(key, data []byte) *T {
	m.mu.RLock()
	r, ok := m.recent[string(key)]
	if !ok {
		r, ok = m.old[string(key)]
	}
	m.mu.RUnlock()
	if ok && bytes.Equal(r.data, data) {
		return r.row
	}
	return nil
}

// put keeps row as what data says. When the young are too many they become
// the old, and the old are forgotten.
func (m *rowCache[T]) put(key, data []byte, row *T) {
	r := cachedRow[T]{data: bytes.Clone(data), row: row}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.recent == nil || len(m.recent) >= cacheRows {
		m.old, m.recent = m.recent, make(map[string]cachedRow[T], 64)
	}
	m.recent[string(key)] = r
}
