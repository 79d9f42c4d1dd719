package store

import (
	"bytes"
	"sync"
)

// cacheRows is the maximum number of rows in each of the two halves of a cache.
const cacheRows = 4096

// A rowCache caches decoded rows by key. A cached row is valid as long as the stored bytes
// are those it was decoded from, so partitions can share the cache and nothing needs to be
// invalidated.
type rowCache[T any] struct {
	mu          sync.RWMutex
	recent, old map[string]cachedRow[T]
}

type cachedRow[T any] struct {
	data []byte
	row  *T
}

// get returns the cached row of key if it was decoded from data, else nil.
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

// put caches row as the decoding of data. When recent is full it becomes old, and old is
// discarded.
func (m *rowCache[T]) put(key, data []byte, row *T) {
	r := cachedRow[T]{data: bytes.Clone(data), row: row}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.recent == nil || len(m.recent) >= cacheRows {
		m.old, m.recent = m.recent, make(map[string]cachedRow[T], 64)
	}
	m.recent[string(key)] = r
}
