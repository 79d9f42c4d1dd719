package boltstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"bincard/server/store"
)

// Rows calls fn for each row of the store at one point in time, ordered by partition, table
// and key. The row's slices are only valid during the call, and a file that must grow waits
// for the end.
func (s *Store) Rows(ctx context.Context, fn func(store.Partition, store.Row) error) error {
	return s.guard(func() error {
		snap, err := s.snapshot()
		if err != nil {
			return err
		}

		defer snap.Close()
		all, err := snap.tables()
		if err != nil {
			return err
		}

		for _, p := range slices.SortedFunc(maps.Keys(all), store.Partition.Compare) {
			r, err := snap.Reader(p)
			if err != nil {
				return err
			}

			r = store.Cancelable(ctx, r)
			slices.Sort(all[p])
			for _, table := range slices.Compact(all[p]) {
				err := r.Scan(table, store.Range{}, func(key, value []byte) error {
					return fn(p, store.Row{Table: table, Key: key, Value: value})
				})
				if err != nil {
					return err
				}
			}
		}

		return nil
	})
}

// The name of a bucket is the organization's 16 bytes, the length of the environment's
// name, that name, and the table's name. All buckets are at the top level, because a
// nested bucket costs one more page per commit.

const maxEnvironment = 255

// bucketPrefix returns the prefix of the names of the partition's buckets.
func bucketPrefix(p store.Partition) ([]byte, error) {
	if len(p.Environment) > maxEnvironment {
		return nil, fmt.Errorf("boltstore: environment name has %d bytes; the maximum is %d", len(p.Environment),
			maxEnvironment)
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
