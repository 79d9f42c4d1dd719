package boltstore

import (
	"bytes"
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// A bucket's name is its partition and its table: the organization's 16 bytes,
// the length of the environment's name, that name, and the table's. All
// buckets stand at the top, because a bucket in a bucket costs a page more at
// each commit.

const maxEnvironment = 255

// encode is what the names of all buckets of the partition begin with.
func encode(p store.Partition) ([]byte, error) {
	if len(p.Environment) > maxEnvironment {
		return nil, fmt.Errorf("boltstore: the environment's name has %d bytes, at most %d fit", len(p.Environment), maxEnvironment)
	}
	b := make([]byte, 0, len(p.Organization)+1+len(p.Environment)+32)
	b = append(b, p.Organization[:]...)
	b = append(b, byte(len(p.Environment)))
	return append(b, p.Environment...), nil
}

// decode takes the partition from a bucket's name, and how much of it that was.
func decode(name []byte) (p store.Partition, n int, err error) {
	n = len(p.Organization) + 1
	if len(name) < n || len(name) < n+int(name[n-1]) {
		return p, 0, fmt.Errorf("boltstore: the bucket %x is none of ours", name)
	}
	copy(p.Organization[:], name)
	end := n + int(name[n-1])
	p.Environment = string(name[n:end])
	return p, end, nil
}

// Partitions lists the partitions that hold at least one row.
func (s *Store) Partitions(ctx context.Context) ([]store.Partition, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var list []store.Partition
	err := s.view(func(tx *bolt.Tx) error {
		var last []byte
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if last != nil && bytes.HasPrefix(name, last) {
				return nil
			}
			p, n, err := decode(name)
			if err != nil {
				return err
			}
			if key, _ := b.Cursor().First(); key != nil {
				list, last = append(list, p), name[:n]
			}
			return nil
		})
	})
	return list, err
}
