package boltstore

import (
	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// Observe has fn told of each commit; see store.Writer.
func (s *Store) Observe(fn func(store.Commit)) { s.writer.Observe(fn) }

// Queued is how many updates wait for their turn.
func (s *Store) Queued() int { return s.writer.Queued() }

// Size is the size of the database in bytes, free pages too; 0 when it is closed.
func (s *Store) Size() (n int64) {
	_ = s.view(func(tx *bolt.Tx) error {
		n = tx.Size()
		return nil
	})
	return n
}

// LogBytes is how many bytes of the log are not yet moved to the database.
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
