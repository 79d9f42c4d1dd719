package boltstore

import (
	"context"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// A snapshot is the store at one point in time: a transaction of the database and the
// generations over it.
type snapshot struct {
	s              *Store
	tx             *bolt.Tx
	frozen, active *generation
}

func (s *Store) snapshot() (*snapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tx, err := s.begin(false)
	if err != nil {
		return nil, err
	}
	return &snapshot{s, tx, s.frozen, s.active}, nil
}

// Reader returns a reader of the partition. The layers of a partition are those of its
// first use, which may be later than those of another partition.
func (s *snapshot) Reader(p store.Partition) (store.Reader, error) {
	prefix, err := bucketPrefix(p)
	if err != nil {
		return nil, err
	}
	s.s.mu.RLock()
	frozen, active := s.frozen.layer(p), s.active.layer(p)
	s.s.mu.RUnlock()
	return active.Over(frozen.Over(&reader{s: s.s, tx: s.tx, prefix: prefix})), nil
}

func (s *snapshot) Close() { s.s.end(s.tx) }

// View runs fn on a snapshot. fn must be short: see the package comment.
func (s *Store) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	return s.guard(func() error {
		snap, err := s.snapshot()
		if err != nil {
			return err
		}

		defer snap.Close()
		r, err := snap.Reader(p)
		if err != nil {
			return err
		}

		return fn(r)
	})
}
