package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A LotBalance is the part of a balance in one lot, by state. The part in no lot is
// the remainder and has no row.
type LotBalance struct {
	LotBalanceKey
	Q [8]int64

	Unknown []byte `stored:"-"` // the fields that a newer version added
}

// A LotBalanceKey identifies a lot balance.
type LotBalanceKey struct{ Balance, Lot api.ID }

// LotBalances has the part of each balance that is in lots.
var LotBalances = store.NewTable(store.Table[LotBalance]{
	Name:  "buckets",
	Key:   func(b *LotBalance) []byte { return Join(b.Balance[:], b.Lot[:]) },
	Codec: lotBalanceCodec{},
})

type lotBalanceCodec struct{}

func (lotBalanceCodec) Append(b []byte, v *LotBalance) ([]byte, error) {
	b = journal.AppendQuantities(append(append(b, v.Balance[:]...), v.Lot[:]...), &v.Q)
	return append(b, v.Unknown...), nil
}

func (lotBalanceCodec) Decode(data []byte, v *LotBalance) error {
	d := journal.ReadRow(data)
	copy(v.Balance[:], d.Next(16))
	copy(v.Lot[:], d.Next(16))
	d.Quantities(&v.Q)
	var err error
	v.Unknown, err = d.Added()
	return err
}

// LotBalancesOf lists the lot balances of a balance, by lot id.
func (tx *Tx) LotBalancesOf(balance api.ID) (list []*LotBalance, err error) {
	err = LotBalances.Scan(tx.Reader, store.Prefix(balance[:]), func(b *LotBalance) error {
		list = append(list, b)
		return nil
	})
	return list, err
}
