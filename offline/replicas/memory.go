package replicas

import (
	"sync"
	"time"

	"bincard/server/store"
)

// Memory stores replicas in memory only: the next start downloads them
// again.
type Memory struct {
	mu            sync.Mutex
	current, next store.Store
	syncedAt      time.Time
}

var _ Set = (*Memory)(nil)

// Current returns the current replica, or nil if none was ever complete.
func (b *Memory) Current() store.Store {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

// Stage starts a new replica.
func (b *Memory) Stage() (store.Store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	if b.next != nil {
		err = b.next.Close()
	}
	b.next = store.NewMemory()
	return b.next, err
}

// Swap makes the staged replica the current one.
func (b *Memory) Swap() (release func() error, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.current
	b.current, b.next = b.next, nil
	if old == nil {
		return func() error { return nil }, nil
	}
	return old.Close, nil
}

// SyncedAt returns when the current replica was last synced.
func (b *Memory) SyncedAt() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.syncedAt
}

// SetSyncedAt records when the current replica was last synced.
func (b *Memory) SetSyncedAt(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.syncedAt = at
}

// Close discards both replicas.
func (b *Memory) Close() error {
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
