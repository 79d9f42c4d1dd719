package journal

import (
	"crypto/sha1"
	"encoding/binary"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// A movement id has 48 bits of sequence number, 12 of index in the entry and 62 of
// partition, so it needs no index.

// MovementID returns the id of the i-th movement of entry seq.
func MovementID(p store.Partition, seq uint64, i int) api.ID {
	var id api.ID
	tag := partitionTag(p)
	binary.BigEndian.PutUint64(id[:8], seq<<16|uint64(i)&0xfff)
	id[6] |= 0x80
	binary.BigEndian.PutUint64(id[8:], tag&(1<<62-1)|1<<63)
	return id
}

// MovementAt parses a movement id; ok is false when it is not one of p's.
func MovementAt(p store.Partition, id api.ID) (seq uint64, i int, ok bool) {
	head := binary.BigEndian.Uint64(id[:8])
	seq, i = head>>16, int(head&0xfff)
	return seq, i, MovementID(p, seq, i) == id
}

// MaxMovements is the maximum number of movements of an entry.
const MaxMovements = 1 << 12

func partitionTag(p store.Partition) uint64 {
	id := Derive(p, "movements")
	return binary.BigEndian.Uint64(id[8:])
}

var namespace = uuid.MustParse("5a0c8f0e-7d7b-5f7e-9d8b-0b1c2d3e4f50")

// Derive returns the UUIDv5 of kind and parts in the partition.
func Derive(p store.Partition, kind string, parts ...[]byte) api.ID {
	data := make([]byte, 0, 192)
	data = append(data, namespace[:]...)
	data = append(data, p.Organization[:]...)
	data = append(append(data, p.Environment...), 0)
	data = append(append(data, kind...), 0)
	for _, part := range parts {
		data = binary.AppendUvarint(data, uint64(len(part)))
		data = append(data, part...)
	}

	sum := sha1.Sum(data)
	id := api.ID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x50, id[8]&0x3f|0x80

	return id
}
