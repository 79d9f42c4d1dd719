package boltstore

import (
	"errors"
	"sync"
)

// metaPages are the two meta pages of an open database. When a transaction begins bbolt
// reads them while holding a lock, and never releases the lock if both are corrupt, which
// would block everyone who ends a transaction. So they are checked before.
type metaPages struct {
	mu       sync.RWMutex
	data     []byte // nil if the file cannot be mapped
	pageSize int
}

func (m *metaPages) open(path string, pageSize int) {
	m.data, m.pageSize = mapped(path, 2*pageSize), pageSize
}

func (m *metaPages) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data != nil {
		unmapped(m.data)
		m.data = nil
	}
}

// check returns an error if neither page is intact.
func (m *metaPages) check() error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.data == nil || metaIntact(m.data) || metaIntact(m.data[m.pageSize:]) {
		return nil
	}
	return errors.New("both meta pages are corrupt")
}
