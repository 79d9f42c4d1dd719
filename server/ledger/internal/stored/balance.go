package stored

import (
	"encoding/binary"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// A StockKey identifies a balance: a product at a location, of an owner, in a
// channel.
type StockKey struct {
	Product, Location, Owner, Channel api.ID
}

// Matches reports whether a filter includes the stock key.
func (p StockKey) Matches(in api.StockFilter) bool {
	return MatchesID(in.ProductID, p.Product) && MatchesID(in.LocationID, p.Location) &&
		MatchesID(in.OwnerID, p.Owner) &&
		MatchesID(in.ChannelID, p.Channel)
}

// A BalanceKey is the immutable part of a balance.
type BalanceKey struct {
	ID api.ID
	StockKey
	Seq       uint64
	CreatedAt time.Time

	Unknown []byte `stored:"-"` // the fields that a newer version added
}

// A Balance is the mutable part of a balance.
type Balance struct {
	Key             *BalanceKey `stored:"-"`
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
	Operations      uint64   // the operations in its history, a bit each by journal.OperationNumber
	activity

	Unknown []byte `stored:"-"` // the fields that a newer version added

	EntryIndex int  `stored:"-"` // index in the entry of the current write
	Changed    bool `stored:"-"` // by the current write
	IsNew      bool `stored:"-"`
}

// BalanceKeys has the immutable part of each balance.
var BalanceKeys = store.NewTable(store.Table[BalanceKey]{
	Name:  "balances",
	Key:   func(k *BalanceKey) []byte { return k.ID[:] },
	Codec: balanceKeyCodec{},
	Indexes: []store.Index[BalanceKey]{
		{Name: "seq", Keys: func(k *BalanceKey) [][]byte { return [][]byte{journal.SeqKey(k.Seq)} }},
		{
			Name: "product",
			Keys: func(k *BalanceKey) [][]byte { return [][]byte{Join(k.Product[:], journal.SeqKey(k.Seq))} },
		},
		{
			Name: "location",
			Keys: func(k *BalanceKey) [][]byte { return [][]byte{Join(k.Location[:], journal.SeqKey(k.Seq))} },
		},
	},
})

// Balances has the mutable part of each balance.
var Balances = store.NewTable(store.Table[Balance]{
	Name:  "quantities",
	Key:   func(b *Balance) []byte { return b.ID[:] },
	Codec: balanceCodec{},
})

// Join joins the parts of a key.
func Join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// BalanceID returns the id of the balance of a stock key.
func BalanceID(p store.Partition, at StockKey) api.ID {
	return journal.Derive(p, "balance", at.Product[:], at.Location[:], at.Owner[:], at.Channel[:])
}

// Balance reads a balance; it returns nil if the balance does not exist.
func (tx *Tx) Balance(id api.ID) (*Balance, error) {
	b, err := Balances.Get(tx.Reader, id[:])
	if b == nil || err != nil {
		return nil, err
	}

	b.Key, err = BalanceKeys.Shared(tx.Reader, id[:])
	if err == nil && b.Key == nil {
		return nil, &InconsistencyError{"key of balance", id}
	}

	return b, err
}

type balanceKeyCodec struct{}

func (balanceKeyCodec) Append(b []byte, k *BalanceKey) ([]byte, error) {
	for _, id := range []api.ID{k.ID, k.Product, k.Location, k.Owner, k.Channel} {
		b = append(b, id[:]...)
	}
	b = binary.AppendUvarint(b, k.Seq)
	b = binary.AppendVarint(b, k.CreatedAt.UnixMilli())
	return append(b, k.Unknown...), nil
}

func (balanceKeyCodec) Decode(data []byte, k *BalanceKey) error {
	d := journal.ReadRow(data)
	for _, id := range []*api.ID{&k.ID, &k.Product, &k.Location, &k.Owner, &k.Channel} {
		copy(id[:], d.Next(16))
	}

	k.Seq = d.Uvarint()
	k.CreatedAt = time.UnixMilli(d.Varint()).UTC()
	var err error
	k.Unknown, err = d.Added()

	return err
}

// Flags of a balance row. The tagged fields come before Recent, with their
// length, because Recent extends to the end of the row.
const (
	balanceHasLots  = 1 << 0
	balanceHasAdded = 1 << 1
)

type balanceCodec struct{}

func (balanceCodec) Append(b []byte, v *Balance) ([]byte, error) {
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
	var f wire.Fields
	v.activity.fields(&f)
	added := f.Append(nil, v.Unknown)
	if len(added) > 0 {
		has |= balanceHasAdded
	}

	b = append(b, has)
	if len(added) > 0 {
		b = wire.AppendText(b, added)
	}
	for _, seq := range v.Recent {
		b = binary.AppendUvarint(b, v.Last-seq)
	}

	return b, nil
}

func (balanceCodec) Decode(data []byte, v *Balance) error {
	d := journal.ReadRow(data)
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
		f := wire.Read(d.Text())
		v.activity.fields(&f)
		if v.Unknown, err = f.Unknown(); err != nil {
			return err
		}
	}

	if len(d.Data) > 0 {
		v.Recent = make([]uint64, 0, MaxRecent)
	}
	for len(d.Data) > 0 && !d.Bad {
		v.Recent = append(v.Recent, v.Last-d.Uvarint())
	}

	return d.Err()
}

// PeekBalance reads only the quantities and the operations of a balance row.
func PeekBalance(data []byte) (q [8]int64, operations uint64, err error) {
	d := journal.ReadRow(data)
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
