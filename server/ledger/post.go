package ledger

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// A lotQuantity is a quantity of one lot, or of stock without a lot, with its
// serials if known.
type lotQuantity struct {
	Lot      api.ID
	Quantity int64
	Serials  []*stored.Serial
}

// withoutLot returns a quantity without lot and serials.
func withoutLot(q int64) []lotQuantity { return []lotQuantity{{Quantity: q}} }

func total(parts []lotQuantity) (q int64) {
	for i := range parts {
		q += parts[i].Quantity
	}
	return q
}

// post is the only way to move stock. It applies a posting rule to a balance and adds
// a movement per state and lot, with the quantity before. No quantity may become
// negative.
func (c *writeTx) post(rule postingRule, at stored.StockKey, parts []lotQuantity, note api.Metadata) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	b.Changed = true
	b.Operations |= 1 << journal.OperationNumber(rule.op)
	// A replica's balances may be inconsistent if the service's are.
	before := b.Quantities()
	strict := !c.l.localWrites || before.AddsUp()
	for _, l := range rule.legs {
		if l.unlotted {
			if err := c.move(rule, l, b, lotQuantity{Quantity: total(parts)}, note); err != nil {
				return err
			}
			continue
		}
		for _, part := range parts {
			if err := c.move(rule, l, b, part, note); err != nil {
				return err
			}
		}
	}
	if q := b.Quantities(); strict && !q.AddsUp() {
		return api.Internal(fmt.Errorf("%s leaves balance %s inconsistent: %+v", rule.op, b.ID, q))
	}
	return nil
}

// move applies one leg to one lot quantity.
func (c *writeTx) move(rule postingRule, l leg, b *stored.Balance, part lotQuantity, note api.Metadata) error {
	d := l.sign * part.Quantity
	before := b.Q[l.state]
	after := before + d
	switch {
	case after < 0:
		return c.insufficientStock(b, l.state, before, -d)
	case after > api.MaxQuantity:
		return api.Fail(api.QuantityTooLarge, api.Details{"inventoryState": api.States[l.state], "current": before, "requested": d},
			"A quantity can be at most %d; %v is %d, so %d cannot be added.", int64(api.MaxQuantity), api.States[l.state].Title(), before, d)
	}
	if err := c.checkHeld(rule, l.state, b, d, after); err != nil {
		return err
	}
	b.Q[l.state] = after
	if err := c.addToLot(b, l.state, part.Lot, d); err != nil {
		return err
	}
	if len(c.entry.Movements) == journal.MaxMovements {
		return api.Fail(api.QuantityTooLarge, api.Details{"movements": journal.MaxMovements},
			"A request can create at most %d movements. Split it.", journal.MaxMovements)
	}
	c.entry.Movements = append(c.entry.Movements, journal.Movement{Op: rule.op, Balance: b.EntryIndex, State: l.state, Lot: part.Lot,
		Delta: d, Before: before, Serials: c.serialIndexes(part.Serials), Metadata: note})
	return nil
}

// checkHeld tracks what open documents hold of reserved, committed and incoming, and
// rejects manual changes below it.
func (c *writeTx) checkHeld(rule postingRule, state int, b *stored.Balance, d, after int64) error {
	if state != reserved && state != committed && state != incoming {
		return nil
	}
	if !rule.manual {
		b.HeldByDocuments[state] += d
		return nil
	}
	if after >= b.HeldByDocuments[state] {
		return nil
	}
	s := api.States[state]
	return api.Fail(api.StateBackedByDocuments,
		c.withBalance(b, api.Details{"inventoryState": s, "current": b.Q[state], "requested": d, "backed": b.HeldByDocuments[state]}),
		"%v of %v is %d, and open documents hold %d of it, so it cannot change by %d. Cancel, close or fulfill those documents instead.",
		s.Title(), c.DescribeStockKey(b.Key.StockKey), b.Q[state], b.HeldByDocuments[state], d)
}

// insufficientStock returns the error of taking more than there is.
func (c *writeTx) insufficientStock(b *stored.Balance, state int, current, requested int64) error {
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.withBalance(b, api.Details{"inventoryState": s, "current": current, "requested": requested}),
		"%v: %d %v, %d requested. %v",
		c.DescribeStockKey(b.Key.StockKey), current, s.Title(), requested, requestAtMost(current, "Receive more stock first.", "Request at most %d, or receive more stock first."))
}

// requestAtMost returns the advice for a request that exceeds n: none if n is 0.
func requestAtMost(n int64, none, format string) string {
	if n <= 0 {
		return api.Text(none)
	}
	return api.Textf(format, n)
}

// withBalance adds the balance to error details.
func (c *writeTx) withBalance(b *stored.Balance, d api.Details) api.Details {
	d["balanceId"], d["productId"], d["locationId"] = b.ID, b.Key.Product, b.Key.Location
	if ref := c.ProductRef(b.Key.Product); ref != nil {
		d["sku"] = ref.SKU
	}
	if ref := c.PlaceRef(stored.Locations, b.Key.Location); ref != nil {
		d["locationCode"] = ref.Code
	}
	return d
}
