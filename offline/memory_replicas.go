package offline

import (
	"sync"
	"time"

	"bincard/server/store"
)

// MemoryReplicas keep what the service has confirmed in memory alone: after the
// program's end it is read anew.
type MemoryReplicas struct {
	mu            sync.Mutex
	current, next store.Store
	syncedAt      time.Time
}

var _ Replicas = (*MemoryReplicas)(nil)

// Current is the base that is read, nil where none was ever whole.
func (b *MemoryReplicas) Current() store.Store {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

// Stage begins a new base.
func (b *MemoryReplicas) Stage() (store.Store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	if b.next != nil {
		err = b.next.Close()
	}
	b.next = store.NewMemory()
	return b.next, err
}

// Swap makes the staged base the one that is read.
func (b *MemoryReplicas) Swap() (release func() error, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.current
	b.current, b.next = b.next, nil
	if old == nil {
		return func() error { return nil }, nil
	}
	return old.Close, nil
}

// SyncedAt is when the current base was last noted to be whole.
func (b *MemoryReplicas) SyncedAt() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.syncedAt
}

// SetSyncedAt notes that the current base was whole then.
func (b *MemoryReplicas) SetSyncedAt(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.syncedAt = at
}

// Close lets go of both.
func (b *MemoryReplicas) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range []store.Store{b.current, b.next} {
		if s != nil {
			_ = s.Close()
		}
	}
	b.current, b.next = nil, nil
	return nil
}
