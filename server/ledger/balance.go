package ledger

import (
	"encoding/binary"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// A stockKey identifies a balance: a product at a location, of an owner, in a
// channel.
type stockKey struct {
	Product, Location, Owner, Channel api.ID
}

// A balanceKey is the immutable part of a balance.
type balanceKey struct {
	ID api.ID
	stockKey
	Seq       uint64
	CreatedAt time.Time

	unknown []byte `stored:"-"` // the fields that a newer version added
}

// A balance is the mutable part of a balance.
type balance struct {
	key             *balanceKey `stored:"-"`
	ID              api.ID
	Q               [8]int64 // in the order of api.States
	HeldByDocuments [8]int64 // the part of reserved, committed and incoming that open documents hold
	Version         int64
	Updated         time.Time
	Records         int64    // number of journal entries that move it
	Last            uint64   // the newest of them
	Recent          []uint64 // newest sequence numbers of its history, ascending; the history table has the rest
	HasLots         bool     // it has or once had stock in a lot
	Serials         int64    // on-hand items that have a serial number
	Operations      uint64   // the operations in its history, a bit each by operationNumber

	unknown []byte `stored:"-"` // the fields that a newer version added

	entryIndex int  `stored:"-"` // index in the entry of the current write
	changed    bool `stored:"-"` // by the current write
	isNew      bool `stored:"-"`
}

var balanceKeys = &store.Table[balanceKey]{
	Name:  "balances",
	Key:   func(k *balanceKey) []byte { return k.ID[:] },
	Codec: balanceKeyCodec{},
	Indexes: []store.Index[balanceKey]{
		{Name: "seq", Keys: func(k *balanceKey) [][]byte { return [][]byte{journal.SeqKey(k.Seq)} }},
		{Name: "product", Keys: func(k *balanceKey) [][]byte { return [][]byte{join(k.Product[:], journal.SeqKey(k.Seq))} }},
		{Name: "location", Keys: func(k *balanceKey) [][]byte { return [][]byte{join(k.Location[:], journal.SeqKey(k.Seq))} }},
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

// balanceID returns the id of the balance of a stock key.
func balanceID(p store.Partition, at stockKey) api.ID {
	return journal.Derive(p, "balance", at.Product[:], at.Location[:], at.Owner[:], at.Channel[:])
}

// balance reads a balance; it returns nil when there is none.
func (tx *readTx) balance(id api.ID) (*balance, error) {
	b, err := balances.Get(tx.r, id[:])
	if b == nil || err != nil {
		return nil, err
	}
	b.key, err = balanceKeys.Shared(tx.r, id[:])
	if err == nil && b.key == nil {
		return nil, &InconsistencyError{"key of balance", id}
	}
	return b, err
}

// balance returns the balance of a stock key within the write: the stored one or
// a new one. The response will include it.
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

// saveBalances writes the touched balances and their history.
func (c *writeTx) saveBalances() error {
	c.entry.Balances = make([]journal.BalanceAfter, len(c.touched))
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
			if err := c.saveHistory(c.tx, &c.entry, b); err != nil {
				return err
			}
		}
		if b.changed {
			if err := balances.Put(c.tx, b); err != nil {
				return err
			}
		}
		c.entry.Balances[i] = journal.BalanceAfter{Balance: b.ID, Version: b.Version, Q: b.Q}
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
	d := journal.RowReader{Data: data}
	for _, id := range []*api.ID{&k.ID, &k.Product, &k.Location, &k.Owner, &k.Channel} {
		copy(id[:], d.Next(16))
	}
	k.Seq = d.Uvarint()
	k.CreatedAt = time.UnixMilli(d.Varint()).UTC()
	var err error
	k.unknown, err = d.Added()
	return err
}

// Flags of a balance row. The tagged fields come before Recent, with their
// length, because Recent extends to the end of the row.
const (
	balanceHasLots  = 1 << 0
	balanceHasAdded = 1 << 1
)

type balanceCodec struct{}

func (balanceCodec) Append(b []byte, v *balance) ([]byte, error) {
	b = append(b, v.ID[:]...)
	b = journal.AppendQuantities(b, &v.Q)
	for _, s := range []int{Reserved, Committed, Incoming} {
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
		b = journal.AppendText(b, v.unknown)
	}
	for _, seq := range v.Recent {
		b = binary.AppendUvarint(b, v.Last-seq)
	}
	return b, nil
}

func (balanceCodec) Decode(data []byte, v *balance) error {
	d := journal.RowReader{Data: data}
	copy(v.ID[:], d.Next(16))
	d.Quantities(&v.Q)
	for _, s := range []int{Reserved, Committed, Incoming} {
		v.HeldByDocuments[s] = d.Varint()
	}
	v.Version = d.Varint()
	v.Updated = time.UnixMilli(d.Varint()).UTC()
	v.Records = d.Varint()
	v.Last = d.Uvarint()
	v.Serials = d.Varint()
	v.Operations = d.Uvarint()
	has := d.Byte()
	v.HasLots = has&balanceHasLots != 0
	if has&balanceHasAdded != 0 {
		var err error
		added := journal.RowReader{Data: d.Text()}
		if v.unknown, err = added.Added(); err != nil {
			return err
		}
	}
	if len(d.Data) > 0 {
		v.Recent = make([]uint64, 0, maxRecent)
	}
	for len(d.Data) > 0 && !d.Bad {
		v.Recent = append(v.Recent, v.Last-d.Uvarint())
	}
	return d.Err()
}

// peekBalance reads only the quantities and the operations of a balance row.
func peekBalance(data []byte) (q [8]int64, operations uint64, err error) {
	d := journal.RowReader{Data: data}
	d.Next(16)
	d.Quantities(&q)
	for range 3 { // held by documents
		d.Varint()
	}
	d.Varint()  // version
	d.Varint()  // updated
	d.Varint()  // records
	d.Uvarint() // last
	d.Varint()  // serials
	operations = d.Uvarint()
	if d.Bad {
		err = wire.ErrTruncated
	}
	return q, operations, err
}
