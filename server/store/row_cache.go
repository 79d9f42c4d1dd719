package store

import "sync"

// cacheRows is the maximum number of rows in each of the two halves of a cache.
const cacheRows = 4096

// A rowCache caches decoded rows by their stored bytes, so partitions and stores can share
// the cache and nothing needs to be invalidated.
type rowCache struct {
	mu          sync.RWMutex
	recent, old map[string]any
}

// get returns the cached row that was decoded from data, else nil.
func (m *rowCache) get(data []byte) any {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if row := m.recent[string(data)]; row != nil {
		return row
	}
	return m.old[string(data)]
}

// put caches row as the decoding of data. When recent is full it becomes old, and old is
// discarded.
func (m *rowCache) put(data []byte, row any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.recent == nil || len(m.recent) >= cacheRows {
		m.old, m.recent = m.recent, make(map[string]any, 64)
	}
	m.recent[string(data)] = row
}
