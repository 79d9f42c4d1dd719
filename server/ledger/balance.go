package ledger

import (
	"encoding/binary"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A stockKey is what a balance is of: one product at one location, of one owner,
// in one channel.
type stockKey struct {
	Product, Location, Owner, Channel api.ID
}

// A balanceKey is the part of a balance that never changes: what it is of, and
// when it came to be.
type balanceKey struct {
	ID api.ID
	stockKey
	Seq       uint64
	CreatedAt time.Time

	unknown []byte // the fields that a newer version added
}

// A balance is the part that each write changes.
type balance struct {
	key             *balanceKey
	ID              api.ID
	Q               [8]int64 // by the order of api.States
	HeldByDocuments [8]int64 // what open documents hold of reserved, committed and incoming
	Version         int64
	Updated         time.Time
	Records         int64    // how many records have movements of it
	Last            uint64   // the newest of them
	Recent          []uint64 // the newest entries of its history, in order; the table has the others
	HasLots         bool     // some of it is, or once was, in a lot
	Serials         int64    // how many of it on hand have a serial number
	Operations      uint64   // the operations it had, a bit each by operationNumber

	unknown []byte // the fields that a newer version added

	entryIndex int // its place in the record of the change under way
	changed    bool
	isNew      bool
}

var balanceKeys = &store.Table[balanceKey]{
	Name:  "balances",
	Key:   func(k *balanceKey) []byte { return k.ID[:] },
	Codec: balanceKeyCodec{},
	Indexes: []store.Index[balanceKey]{
		{Name: "seq", Keys: func(k *balanceKey) [][]byte { return [][]byte{seqKey(k.Seq)} }},
		{Name: "product", Keys: func(k *balanceKey) [][]byte { return [][]byte{join(k.Product[:], seqKey(k.Seq))} }},
		{Name: "location", Keys: func(k *balanceKey) [][]byte { return [][]byte{join(k.Location[:], seqKey(k.Seq))} }},
	},
}

var balances = &store.Table[balance]{
	Name:  "quantities",
	Key:   func(b *balance) []byte { return b.ID[:] },
	Codec: balanceCodec{},
}

func join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// balanceID is the id of the balance of a place.
func balanceID(p store.Partition, at stockKey) api.ID {
	return derive(p, "balance", at.Product[:], at.Location[:], at.Owner[:], at.Channel[:])
}

// balance reads a balance, or nil when there is none.
func (rd *readTx) balance(id api.ID) (*balance, error) {
	b, err := balances.Get(rd.r, id[:])
	if b == nil || err != nil {
		return nil, err
	}
	b.key, err = balanceKeys.Shared(rd.r, id[:])
	if err == nil && b.key == nil {
		return nil, &InconsistencyError{"key of balance", id}
	}
	return b, err
}

// balance is the balance of a place within the change: as it stands now, or a
// new one. It will be part of the answer.
func (c *writeTx) balance(at stockKey) (*balance, error) {
	for _, b := range c.touched {
		if b.key.stockKey == at {
			return b, nil
		}
	}
	id := balanceID(c.p, at)
	b, err := c.readTx.balance(id)
	if b == nil && err == nil {
		b, err = c.balanceByRemoteID(id)
	}
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = &balance{ID: id, isNew: true, changed: true,
			key: &balanceKey{ID: id, stockKey: at, Seq: c.entry.Seq, CreatedAt: c.now}}
	} else if b.key.stockKey != at {
		return nil, api.Internal(fmt.Errorf("balance %s does not match the stock key of its id", id))
	}
	b.entryIndex = len(c.touched)
	c.touched = append(c.touched, b)
	return b, nil
}

// saveBalances writes the balances the change touched and their history.
func (c *writeTx) saveBalances() error {
	c.entry.Balances = make([]balanceAfter, len(c.touched))
	moved := make([]bool, len(c.touched))
	for i := range c.entry.Movements {
		moved[c.entry.Movements[i].Balance] = true
	}
	for i, b := range c.touched {
		if err := c.checkSerialCounts(b); err != nil {
			return err
		}
		if b.changed {
			b.Version++
			b.Updated = c.now
		}
		if b.isNew {
			if err := balanceKeys.Insert(c.tx, b.key); err != nil {
				return err
			}
		}
		if moved[i] {
			if err := c.saveHistory(b); err != nil {
				return err
			}
		}
		if b.changed {
			if err := balances.Put(c.tx, b); err != nil {
				return err
			}
		}
		c.entry.Balances[i] = balanceAfter{Balance: b.ID, Version: b.Version, Q: b.Q}
	}
	return c.saveLotBalances()
}

type balanceKeyCodec struct{}

func (balanceKeyCodec) Append(b []byte, k *balanceKey) ([]byte, error) {
	for _, id := range []api.ID{k.ID, k.Product, k.Location, k.Owner, k.Channel} {
		b = append(b, id[:]...)
	}
	b = binary.AppendUvarint(b, k.Seq)
	b = binary.AppendVarint(b, k.CreatedAt.UnixMilli())
	return append(b, k.unknown...), nil
}

func (balanceKeyCodec) Decode(data []byte, k *balanceKey) error {
	d := rowReader{data: data}
	for _, id := range []*api.ID{&k.ID, &k.Product, &k.Location, &k.Owner, &k.Channel} {
		copy(id[:], d.next(16))
	}
	k.Seq = d.uvarint()
	k.CreatedAt = time.UnixMilli(d.varint()).UTC()
	var err error
	k.unknown, err = d.added()
	return err
}

// What the row of a balance may have, a bit each. The tagged fields stand before
// Lately with their length, because Lately goes on to the end of the row.
const (
	balanceHasLots  = 1 << 0
	balanceHasAdded = 1 << 1
)

type balanceCodec struct{}

func (balanceCodec) Append(b []byte, v *balance) ([]byte, error) {
	b = append(b, v.ID[:]...)
	b = appendQuantities(b, &v.Q)
	for _, s := range []int{reserved, committed, incoming} {
		b = binary.AppendVarint(b, v.HeldByDocuments[s])
	}
	b = binary.AppendVarint(b, v.Version)
	b = binary.AppendVarint(b, v.Updated.UnixMilli())
	b = binary.AppendVarint(b, v.Records)
	b = binary.AppendUvarint(b, v.Last)
	b = binary.AppendVarint(b, v.Serials)
	b = binary.AppendUvarint(b, v.Operations)
	var has byte
	if v.HasLots {
		has |= balanceHasLots
	}
	if len(v.unknown) > 0 {
		has |= balanceHasAdded
	}
	b = append(b, has)
	if len(v.unknown) > 0 {
		b = appendText(b, v.unknown)
	}
	for _, seq := range v.Recent {
		b = binary.AppendUvarint(b, v.Last-seq)
	}
	return b, nil
}

func (balanceCodec) Decode(data []byte, v *balance) error {
	d := rowReader{data: data}
	copy(v.ID[:], d.next(16))
	d.quantities(&v.Q)
	for _, s := range []int{reserved, committed, incoming} {
		v.HeldByDocuments[s] = d.varint()
	}
	v.Version = d.varint()
	v.Updated = time.UnixMilli(d.varint()).UTC()
	v.Records = d.varint()
	v.Last = d.uvarint()
	v.Serials = d.varint()
	v.Operations = d.uvarint()
	has := d.byte()
	v.HasLots = has&balanceHasLots != 0
	if has&balanceHasAdded != 0 {
		var err error
		added := rowReader{data: d.text()}
		if v.unknown, err = added.added(); err != nil {
			return err
		}
	}
	if len(d.data) > 0 {
		v.Recent = make([]uint64, 0, maxRecent)
	}
	for len(d.data) > 0 && !d.bad {
		v.Recent = append(v.Recent, v.Last-d.uvarint())
	}
	return d.err()
}

// peekBalance reads the quantities of a balance's row, and which operations it had.
func peekBalance(data []byte) (q [8]int64, seen uint64, err error) {
	d := rowReader{data: data}
	d.next(16)
	d.quantities(&q)
	for range 3 { // what documents hold
		d.varint()
	}
	d.varint()  // version
	d.varint()  // instant
	d.varint()  // records
	d.uvarint() // the last of them
	d.varint()  // pieces
	seen = d.uvarint()
	if d.bad {
		err = errTruncated
	}
	return q, seen, err
}
