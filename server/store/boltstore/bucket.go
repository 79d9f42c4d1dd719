package boltstore

import (
	"fmt"

	"bincard/server/store"
)

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
