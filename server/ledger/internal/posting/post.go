package posting

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// Post is the only way to move stock. It applies a posting rule to a balance and adds
// a movement per state and lot, with the quantity before. No quantity may become
// negative.
func (c *Tx) Post(rule Rule, at stored.StockKey, parts []LotQuantity, note api.Metadata) error {
	return c.PostTogether([]Rule{rule}, at, parts, note)
}

// PostTogether is Post for rules that balance only together.
func (c *Tx) PostTogether(rules []Rule, at stored.StockKey, parts []LotQuantity, note api.Metadata) error {
	if !c.Locations.Has(at.Location) {
		return nil
	}

	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}

	b.Changed = true
	// A replica's balances may be inconsistent if the service's are.
	before := b.Quantities()
	strict := !c.Local || before.AddsUp()
	for _, rule := range rules {
		b.Operations |= 1 << journal.OperationNumber(rule.op)
		if err := c.apply(rule, b, parts, note); err != nil {
			return err
		}
	}

	if q := b.Quantities(); strict && !q.AddsUp() {
		return api.Internal(fmt.Errorf("%s leaves balance %s inconsistent: %+v", rules[0].op, b.ID, q))
	}

	return nil
}

// apply applies the legs of a rule to the parts.
func (c *Tx) apply(rule Rule, b *stored.Balance, parts []LotQuantity, note api.Metadata) error {
	for _, l := range rule.legs {
		moved := parts
		if l.unlotted {
			moved = WithoutLot(Total(parts))
		}
		for _, part := range moved {
			if err := c.move(rule, l, b, part, note); err != nil {
				return err
			}
		}
	}

	return nil
}

// move applies one leg to one lot quantity.
func (c *Tx) move(rule Rule, l leg, b *stored.Balance, part LotQuantity, note api.Metadata) error {
	d := l.sign * part.Quantity
	before := b.Q[l.state]
	after := before + d
	switch {
	case after < 0:
		return c.InsufficientStock(b, l.state, before, -d)
	case after > api.MaxQuantity:
		return api.Fail(api.QuantityTooLarge,
			api.Details{"inventoryState": api.States[l.state], "current": before, "requested": d},
			"A quantity can be at most %d; %v is %d, so %d cannot be added.", int64(api.MaxQuantity),
			api.States[l.state].Title(), before, d)
	}

	if err := c.checkHeld(rule, l.state, b, d, after); err != nil {
		return err
	}

	b.Q[l.state] = after
	if err := c.addToLot(b, l.state, part.Lot, d); err != nil {
		return err
	}
	if len(c.Entry.Movements) == journal.MaxMovements {
		return api.Fail(api.QuantityTooLarge, api.Details{"movements": journal.MaxMovements},
			"A request can create at most %d movements. Split it.", journal.MaxMovements)
	}

	c.Entry.Movements = append(
		c.Entry.Movements,
		journal.Movement{Op: rule.op, Balance: b.EntryIndex, State: l.state, Lot: part.Lot,
			Delta: d, Before: before, Serials: c.serialIndexes(part.Serials), Metadata: note},
	)

	return nil
}

// checkHeld tracks what open documents hold of reserved, committed and incoming, and
// rejects manual changes below it.
func (c *Tx) checkHeld(rule Rule, state int, b *stored.Balance, d, after int64) error {
	if state != stored.Reserved && state != stored.Committed && state != stored.Incoming {
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

	return api.Fail(
		api.StateBackedByDocuments,
		c.withBalance(
			b,
			api.Details{"inventoryState": s, "current": b.Q[state], "requested": d, "backed": b.HeldByDocuments[state]},
		),
		"%v of %v is %d, and %d of it are allocated to open documents, so it cannot change by %d. Cancel, close or fulfill those documents first.",
		s.Title(),
		c.DescribeStockKey(b.Key.StockKey),
		b.Q[state],
		b.HeldByDocuments[state],
		d,
	)
}
