package posting

import (
	"bytes"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// currentLotBalances lists the lot balances of a balance, including the changes of the current write.
func (c *Tx) currentLotBalances(balance api.ID) ([]*stored.LotBalance, error) {
	list, err := c.LotBalancesOf(balance)
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		if staged := c.lotBalances[b.LotBalanceKey]; staged != nil {
			list[i] = staged
		}
	}

	for key, b := range c.lotBalances {
		if key.Balance == balance && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}

	slices.SortFunc(list, func(a, b *stored.LotBalance) int { return bytes.Compare(a.Lot[:], b.Lot[:]) })

	return list, nil
}

// addToLot adds d to a state of a lot balance. For the zero lot it checks that the
// remainder does not become negative. The balance already has the new quantity.
func (c *Tx) addToLot(b *stored.Balance, state int, lot api.ID, d int64) error {
	if lot == api.NoID {
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
			return c.InsufficientStock(b, state, unlotted-d, -d)
		}

		return nil
	}

	x, err := c.LotBalance(stored.LotBalanceKey{Balance: b.ID, Lot: lot})
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

// CheckOnHand checks that so much is on hand, of a lot unless it is zero.
func (c *Tx) CheckOnHand(at stored.StockKey, lot api.ID, q int64) error {
	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}
	if lot == api.NoID {
		if have := b.Q[stored.OnHand]; have < q {
			return c.InsufficientStock(b, stored.OnHand, have, q)
		}
		return nil
	}

	x, err := c.LotBalance(stored.LotBalanceKey{Balance: b.ID, Lot: lot})
	if err == nil && x.Q[stored.OnHand] < q {
		err = c.insufficientLot(b, stored.OnHand, lot, x.Q[stored.OnHand], q)
	}

	return err
}

// LotBalance returns a lot balance within the write: the stored one or an empty one.
func (c *Tx) LotBalance(key stored.LotBalanceKey) (*stored.LotBalance, error) {
	if b := c.lotBalances[key]; b != nil {
		return b, nil
	}

	b, err := stored.LotBalances.Get(c.Reader, stored.Join(key.Balance[:], key.Lot[:]))
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = &stored.LotBalance{LotBalanceKey: key}
	}
	if c.lotBalances == nil {
		c.lotBalances = map[stored.LotBalanceKey]*stored.LotBalance{}
	}

	c.lotBalances[key] = b

	return b, nil
}

func (c *Tx) insufficientLot(b *stored.Balance, state int, lot api.ID, current, requested int64) error {
	code := lot.String()
	if l, _ := stored.Lots.Shared(c.Reader, lot[:]); l != nil {
		code = l.LotCode
	}

	s := api.States[state]

	return api.Fail(
		api.InsufficientStock,
		c.withBalance(
			b,
			api.Details{"inventoryState": s, "current": current, "requested": requested, "lotId": lot, "lotCode": code},
		),
		"%v: lot %s has %d %v, %d requested. %v",
		c.DescribeStockKey(b.Key.StockKey),
		code,
		current,
		s.Title(),
		requested,
		requestAtMost(current, "Choose another lot.", "Request at most %d, or choose another lot."),
	)
}
