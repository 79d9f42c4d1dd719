package boltstore

import (
	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// A snapshot is the store at one instant: a transaction of the database and
// the generations over it.
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

// Reader reads the partition. A partition that is read for the first time may
// be of a later instant than another one.
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

// A generation is what one generation of the log changed.
type generation struct {
	number uint64
	bytes  int64 // of the log
	parts  map[store.Partition]*store.Layer
}

// layer is the partition's; nil, which is none, where it has none.
func (g *generation) layer(p store.Partition) *store.Layer {
	if g == nil {
		return nil
	}
	return g.parts[p]
}
