package posting

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// BalanceAt returns the balance of a stock key within the write: the stored one or
// a new one. The response will include it.
func (c *Tx) BalanceAt(at stored.StockKey) (*stored.Balance, error) {
	for _, b := range c.touched {
		if b.Key.StockKey == at {
			return b, nil
		}
	}
	id := stored.BalanceID(c.Partition, at)
	b, err := c.Tx.Balance(id)
	if b == nil && err == nil {
		b, err = c.BalanceByRemoteID(id)
	}
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = &stored.Balance{ID: id, IsNew: true, Changed: true,
			Key: &stored.BalanceKey{ID: id, StockKey: at, Seq: c.Entry.Seq, CreatedAt: c.Now}}
	} else if b.Key.StockKey != at {
		return nil, api.Internal(fmt.Errorf("balance %s does not match the stock key of its id", id))
	}
	b.EntryIndex = len(c.touched)
	c.touched = append(c.touched, b)
	return b, nil
}

// saveBalances writes the touched balances and their history.
func (c *Tx) saveBalances() error {
	c.Entry.Balances = make([]journal.BalanceAfter, len(c.touched))
	moved := make([]bool, len(c.touched))
	for i := range c.Entry.Movements {
		moved[c.Entry.Movements[i].Balance] = true
	}
	for i, b := range c.touched {
		if err := c.checkSerialCounts(b); err != nil {
			return err
		}
		if b.Changed {
			b.Version++
			b.Updated = c.Now
		}
		if b.IsNew {
			if err := stored.BalanceKeys.Insert(c.Writer, b.Key); err != nil {
				return err
			}
		}
		if moved[i] {
			if err := c.SaveHistory(c.Writer, &c.Entry, b); err != nil {
				return err
			}
		}
		if b.Changed {
			if err := stored.Balances.Put(c.Writer, b); err != nil {
				return err
			}
		}
		c.Entry.Balances[i] = journal.BalanceAfter{Balance: b.ID, Version: b.Version, Q: b.Q}
	}
	return c.saveLotBalances()
}
