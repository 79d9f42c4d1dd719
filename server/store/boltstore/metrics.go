package boltstore

import (
	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// Observe calls fn after each commit; see store.Writer.
func (s *Store) Observe(fn func(store.Commit)) { s.writer.Observe(fn) }

// Queued returns the number of waiting updates.
func (s *Store) Queued() int { return s.writer.Queued() }

// Size returns the size of the database in bytes, including free pages; 0 if closed.
func (s *Store) Size() (n int64) {
	_ = s.view(func(tx *bolt.Tx) error {
		n = tx.Size()
		return nil
	})
	return n
}

// LogBytes returns how many bytes of the log are not in the database yet.
func (s *Store) LogBytes() (n int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, g := range []*generation{s.frozen, s.active} {
		if g != nil {
			n += g.bytes
		}
	}

	return n
}

func (s *Store) view(fn func(*bolt.Tx) error) error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return s.guard(func() error { return storeError(s.db.View(fn)) })
}
