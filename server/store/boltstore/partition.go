package boltstore

import (
	"context"
	"slices"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// Partitions lists the partitions that have at least one row.
func (s *Store) Partitions(ctx context.Context) (list []store.Partition, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.guard(func() error {
		list, err = s.partitions()
		return err
	})
	return list, err
}

func (s *Store) partitions() ([]store.Partition, error) {
	snap, err := s.snapshot()
	if err != nil {
		return nil, err
	}

	defer snap.Close()
	tables, err := snap.tables()
	if err != nil {
		return nil, err
	}

	var list []store.Partition
	for p, tables := range tables {
		r, err := snap.Reader(p)
		if err != nil {
			return nil, err
		}

		hasRows, err := store.HasRows(r, slices.Values(tables))
		if err != nil {
			return nil, err
		}
		if hasRows {
			list = append(list, p)
		}
	}

	slices.SortFunc(list, store.Partition.Compare)

	return list, nil
}

// tables returns the names of all tables by partition, possibly with duplicates.
func (s *snapshot) tables() (map[store.Partition][]string, error) {
	all := map[store.Partition][]string{}
	err := s.tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
		p, n, err := parseBucketName(name)
		if err == nil && n < len(name) {
			all[p] = append(all[p], string(name[n:]))
		}
		return err
	})

	s.s.mu.RLock()
	defer s.s.mu.RUnlock()
	for _, g := range []*generation{s.frozen, s.active} {
		if g == nil {
			continue
		}
		for p, layer := range g.parts {
			all[p] = slices.AppendSeq(all[p], layer.Tables())
		}
	}

	return all, err
}
