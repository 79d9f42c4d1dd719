package posting

import (
	"fmt"

	"bincard/server/api"
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

// InsufficientStock returns the error of taking more than there is.
func (c *Tx) InsufficientStock(b *stored.Balance, state int, current, requested int64) error {
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.withBalance(b, api.Details{"inventoryState": s, "current": current, "requested": requested}),
		"%v: %d %v, %d requested. %v", c.DescribeStockKey(b.Key.StockKey), current, s.Title(), requested,
		requestAtMost(current, "Receive more stock first.", "Request at most %d, or receive more stock first."))
}

// requestAtMost returns the advice for a request that exceeds n: none if n is 0.
func requestAtMost(n int64, none, format string) string {
	if n <= 0 {
		return api.Text(none)
	}
	return api.Textf(format, n)
}

// withBalance adds the balance to error details.
func (c *Tx) withBalance(b *stored.Balance, d api.Details) api.Details {
	d["balanceId"], d["productId"], d["locationId"] = b.ID, b.Key.Product, b.Key.Location
	if ref := c.ProductRef(b.Key.Product); ref != nil {
		d["sku"] = ref.SKU
	}
	if ref := c.PlaceRef(stored.Locations, b.Key.Location); ref != nil {
		d["locationCode"] = ref.Code
	}
	return d
}
