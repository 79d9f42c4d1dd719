package boltstore

import (
	"context"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// The name of a bucket is the organization's 16 bytes, the length of the environment's
// name, that name, and the table's name. All buckets are at the top level, because a
// nested bucket costs one more page per commit.

const maxEnvironment = 255

// bucketPrefix returns the prefix of the names of the partition's buckets.
func bucketPrefix(p store.Partition) ([]byte, error) {
	if len(p.Environment) > maxEnvironment {
		return nil, fmt.Errorf("boltstore: environment name has %d bytes; the maximum is %d", len(p.Environment), maxEnvironment)
	}
	b := make([]byte, 0, len(p.Organization)+1+len(p.Environment)+32)
	b = append(b, p.Organization[:]...)
	b = append(b, byte(len(p.Environment)))
	return append(b, p.Environment...), nil
}

// parseBucketName returns the partition of a bucket, and the length of the prefix.
func parseBucketName(name []byte) (p store.Partition, n int, err error) {
	n = len(p.Organization) + 1
	if len(name) < n || len(name) < n+int(name[n-1]) {
		return p, 0, fmt.Errorf("boltstore: unknown bucket %x", name)
	}
	copy(p.Organization[:], name)
	end := n + int(name[n-1])
	p.Environment = string(name[n:end])
	return p, end, nil
}

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
