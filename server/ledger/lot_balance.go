package ledger

import (
	"bytes"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A lotBalance is the part of a balance in one lot, by state. The part in no lot is
// the remainder and has no row.
type lotBalance struct {
	lotBalanceKey
	Q [8]int64

	unknown []byte `stored:"-"` // the fields that a newer version added
}

type lotBalanceKey struct{ Balance, Lot api.ID }

var lotBalances = &store.Table[lotBalance]{
	Name:  "buckets",
	Key:   func(b *lotBalance) []byte { return join(b.Balance[:], b.Lot[:]) },
	Codec: lotBalanceCodec{},
}

type lotBalanceCodec struct{}

func (lotBalanceCodec) Append(b []byte, v *lotBalance) ([]byte, error) {
	b = journal.AppendQuantities(append(append(b, v.Balance[:]...), v.Lot[:]...), &v.Q)
	return append(b, v.unknown...), nil
}

func (lotBalanceCodec) Decode(data []byte, v *lotBalance) error {
	d := journal.RowReader{Data: data}
	copy(v.Balance[:], d.Next(16))
	copy(v.Lot[:], d.Next(16))
	d.Quantities(&v.Q)
	var err error
	v.unknown, err = d.Added()
	return err
}

// lotBalancesOf lists the lot balances of a balance, by lot id.
func (tx *readTx) lotBalancesOf(balance api.ID) (list []*lotBalance, err error) {
	err = lotBalances.Scan(tx.r, store.Prefix(balance[:]), func(b *lotBalance) error {
		list = append(list, b)
		return nil
	})
	return list, err
}

// currentLotBalances lists the lot balances of a balance, including the changes of the current write.
func (c *writeTx) currentLotBalances(balance api.ID) ([]*lotBalance, error) {
	list, err := c.lotBalancesOf(balance)
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		if staged := c.lotBalances[b.lotBalanceKey]; staged != nil {
			list[i] = staged
		}
	}
	for key, b := range c.lotBalances {
		if key.Balance == balance && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b *lotBalance) int { return bytes.Compare(a.Lot[:], b.Lot[:]) })
	return list, nil
}

// addToLot adds d to a state of a lot balance. For the zero lot it checks that the
// remainder does not become negative. The balance already has the new quantity.
func (c *writeTx) addToLot(b *balance, state int, lot api.ID, d int64) error {
	if lot == (api.ID{}) {
		if d >= 0 || !b.HasLots {
			return nil
		}
		list, err := c.currentLotBalances(b.ID)
		if err != nil {
			return err
		}
		unlotted := b.Q[state]
		for _, x := range list {
			unlotted -= x.Q[state]
		}
		if unlotted < 0 {
			return c.insufficientStock(b, state, unlotted-d, -d)
		}
		return nil
	}
	x, err := c.lotBalance(lotBalanceKey{b.ID, lot})
	if err != nil {
		return err
	}
	if x.Q[state]+d < 0 {
		return c.insufficientLot(b, state, lot, x.Q[state], -d)
	}
	x.Q[state] += d
	b.HasLots = true
	return nil
}

// lotBalance returns a lot balance within the write: the stored one or an empty one.
func (c *writeTx) lotBalance(key lotBalanceKey) (*lotBalance, error) {
	if b := c.lotBalances[key]; b != nil {
		return b, nil
	}
	b, err := lotBalances.Get(c.r, join(key.Balance[:], key.Lot[:]))
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = &lotBalance{lotBalanceKey: key}
	}
	if c.lotBalances == nil {
		c.lotBalances = map[lotBalanceKey]*lotBalance{}
	}
	c.lotBalances[key] = b
	return b, nil
}

func (c *writeTx) insufficientLot(b *balance, state int, lot api.ID, current, requested int64) error {
	code := lot.String()
	if l, _ := lots.Shared(c.r, lot[:]); l != nil {
		code = l.LotCode
	}
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.withBalance(b, api.Details{"inventoryState": s, "current": current, "requested": requested, "lotId": lot, "lotCode": code}),
		"%s: lot %s has %d %s, %d requested. %s",
		c.describeStockKey(b.key.stockKey), code, current, s.Title(), requested, requestAtMost(current, "choose another lot"))
}

// saveLotBalances writes the lot balances of the write and deletes empty ones.
func (c *writeTx) saveLotBalances() error {
	for _, b := range c.lotBalances {
		var err error
		if b.Q == ([8]int64{}) {
			err = lotBalances.Delete(c.tx, join(b.Balance[:], b.Lot[:]))
		} else {
			err = lotBalances.Put(c.tx, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
