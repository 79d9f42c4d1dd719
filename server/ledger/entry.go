package ledger

import (
	"crypto/sha1"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// An entry is one journal entry: the permanent row of one write, keyed by its
// sequence number. The response, the movements and replays are rendered from it.
type entry struct {
	Seq         uint64
	At          time.Time
	Spec        string
	Key         string
	Fingerprint [16]byte
	Actor       api.Actor
	Operator    *api.Actor
	Source      string

	Reason        string
	ReferenceType string
	ReferenceID   string
	UnitCode      string
	UnitQuantity  int64
	BaseUnitCode  string
	Metadata      api.Metadata

	// Balances are the balances that the response shows, after the write.
	Balances []balanceAfter
	// Movements are in order.
	Movements []movement
	// Serials are the touched serials, after the write.
	Serials []api.Serial
	// DocumentRef is the document row that was created or changed.
	DocumentRef documentRef
	// Document is the JSON of any other resource that was created or changed,
	// after the write, without embedded references.
	Document []byte

	unknown []byte // the fields that a newer version added
}

// A balanceAfter is a balance after a write.
type balanceAfter struct {
	Balance api.ID
	Version int64
	Q       [8]int64
}

// A movement is one movement of an entry.
type movement struct {
	Op       api.MovementOperation
	Balance  int // index into Balances
	State    int // index into api.States
	Lot      api.ID
	Delta    int64
	Before   int64
	Serials  []int // indexes into Serials
	Metadata api.Metadata
}

var journal = &store.Table[entry]{
	Name:  "records",
	Key:   func(r *entry) []byte { return seqKey(r.Seq) },
	Codec: entryCodec{},
}

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// A movement id has 48 bits of sequence number, 12 of index in the entry and 62 of
// partition, so it needs no index.

// movementID returns the id of the i-th movement of entry seq.
func movementID(p store.Partition, seq uint64, i int) api.ID {
	var id api.ID
	tag := partitionTag(p)
	binary.BigEndian.PutUint64(id[:8], seq<<16|uint64(i)&0xfff)
	id[6] |= 0x80
	binary.BigEndian.PutUint64(id[8:], tag&(1<<62-1)|1<<63)
	return id
}

// movementAt parses a movement id; ok is false when it is not one of p's.
func movementAt(p store.Partition, id api.ID) (seq uint64, i int, ok bool) {
	head := binary.BigEndian.Uint64(id[:8])
	seq, i = head>>16, int(head&0xfff)
	return seq, i, movementID(p, seq, i) == id
}

// maxMovements is the maximum number of movements of an entry.
const maxMovements = 1 << 12

func partitionTag(p store.Partition) uint64 {
	id := derive(p, "movements")
	return binary.BigEndian.Uint64(id[8:])
}

var namespace = uuid.MustParse("5a0c8f0e-7d7b-5f7e-9d8b-0b1c2d3e4f50")

// derive returns the UUIDv5 of kind and parts in the partition.
func derive(p store.Partition, kind string, parts ...[]byte) api.ID {
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
