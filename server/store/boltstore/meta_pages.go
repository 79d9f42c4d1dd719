package boltstore

import (
	"errors"
	"sync"
)

// metaPages are the two meta pages of a database that is in use. bbolt looks at
// them with a lock held when a transaction begins, and keeps it for ever where
// neither is intact: all who end a transaction would wait for it. So they are
// looked at before.
type metaPages struct {
	mu       sync.RWMutex
	data     []byte // nil where it cannot be known
	pageSize int
}

func (h *metaPages) open(path string, pageSize int) {
	h.data, h.pageSize = mapped(path, 2*pageSize), pageSize
}

func (h *metaPages) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.data != nil {
		unmapped(h.data)
		h.data = nil
	}
}

// check holds that one of the two is intact.
func (h *metaPages) check() error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.data == nil || metaIntact(h.data) || metaIntact(h.data[h.pageSize:]) {
		return nil
	}
	return errors.New("both meta pages are corrupt")
}
