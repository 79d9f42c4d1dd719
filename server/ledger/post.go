package ledger

import (
	"fmt"
	"strings"

	"bincard/server/api"
)

// A lotQuantity is a part of a quantity that is alike: of one lot, or of none, with
// the pieces it consists of where they are known.
type lotQuantity struct {
	Lot      api.ID
	Quantity int64
	Serials  []*serial
}

// withoutLot is a quantity without lot or pieces.
func withoutLot(q int64) []lotQuantity { return []lotQuantity{{Quantity: q}} }

func total(portions []lotQuantity) (q int64) {
	for i := range portions {
		q += portions[i].Quantity
	}
	return q
}

// post is the only way to move stock: it applies the effect to the balance of
// a place by the portions, and records a movement per state and lot with the
// quantity before and after. Nothing may fall below zero.
func (c *writeTx) post(e postingRule, at stockKey, portions []lotQuantity, note api.Metadata) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	b.changed = true
	b.Operations |= 1 << operationNumber(e.op)
	// A replica has what it was told, of whatever arithmetic.
	before := b.quantities()
	strict := !c.l.localWrites || before.AddsUp()
	for _, l := range e.legs {
		if l.unlotted {
			if err := c.move(e, l, b, lotQuantity{Quantity: total(portions)}, note); err != nil {
				return err
			}
			continue
		}
		for _, part := range portions {
			if err := c.move(e, l, b, part, note); err != nil {
				return err
			}
		}
	}
	if q := b.quantities(); strict && !q.AddsUp() {
		return api.Internal(fmt.Errorf("%s leaves balance %s inconsistent: %+v", e.op, b.ID, q))
	}
	return nil
}

// move applies one leg by one portion.
func (c *writeTx) move(e postingRule, l leg, b *balance, part lotQuantity, note api.Metadata) error {
	d := l.sign * part.Quantity
	before := b.Q[l.state]
	after := before + d
	switch {
	case after < 0:
		return c.insufficientStock(b, l.state, before, -d)
	case after > api.MaxQuantity:
		return api.Fail(api.QuantityTooLarge, api.Details{"inventoryState": api.States[l.state], "current": before, "requested": d},
			"A quantity can be at most %d; %s is %d, so %d cannot be added.", int64(api.MaxQuantity), api.States[l.state].Title(), before, d)
	}
	if err := c.checkHeld(e, l.state, b, d, after); err != nil {
		return err
	}
	b.Q[l.state] = after
	if err := c.addToLot(b, l.state, part.Lot, d); err != nil {
		return err
	}
	if len(c.entry.Movements) == maxMovements {
		return api.Fail(api.QuantityTooLarge, api.Details{"movements": maxMovements},
			"A request can create at most %d movements. Split it.", maxMovements)
	}
	c.entry.Movements = append(c.entry.Movements, movement{Op: e.op, Balance: b.entryIndex, State: l.state, Lot: part.Lot,
		Delta: d, Before: before, Serials: c.serialIndexes(part.Serials), Metadata: note})
	return nil
}

// checkHeld keeps count of what open documents hold of reserved, committed and
// incoming, and refuses to change that by hand.
func (c *writeTx) checkHeld(e postingRule, state int, b *balance, d, after int64) error {
	if state != reserved && state != committed && state != incoming {
		return nil
	}
	if !e.manual {
		b.HeldByDocuments[state] += d
		return nil
	}
	if after >= b.HeldByDocuments[state] {
		return nil
	}
	s := api.States[state]
	return api.Fail(api.StateBackedByDocuments,
		c.withBalance(b, api.Details{"inventoryState": s, "current": b.Q[state], "requested": d, "backed": b.HeldByDocuments[state]}),
		"%s of %s is %d, and open documents hold %d of it, so it cannot change by %d. Cancel, close or fulfill those documents instead.",
		s.Title(), c.describeStockKey(b.key.stockKey), b.Q[state], b.HeldByDocuments[state], d)
}

// insufficientStock is the error of taking more than there is.
func (c *writeTx) insufficientStock(b *balance, state int, current, requested int64) error {
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.withBalance(b, api.Details{"inventoryState": s, "current": current, "requested": requested}),
		"%s: %d %s, %d requested. %s",
		c.describeStockKey(b.key.stockKey), current, s.Title(), requested, requestAtMost(current, "receive more stock first"))
}

// requestAtMost is the next step after a request for more than n.
func requestAtMost(n int64, otherwise string) string {
	if n <= 0 {
		return strings.ToUpper(otherwise[:1]) + otherwise[1:] + "."
	}
	return fmt.Sprintf("Request at most %d, or %s.", n, otherwise)
}

// withBalance adds to details which balance they are of.
func (c *writeTx) withBalance(b *balance, d api.Details) api.Details {
	d["balanceId"], d["productId"], d["locationId"] = b.ID, b.key.Product, b.key.Location
	if ref := c.productRef(b.key.Product); ref != nil {
		d["sku"] = ref.SKU
	}
	if ref := c.placeRef(locations, b.key.Location); ref != nil {
		d["locationCode"] = ref.Code
	}
	return d
}

// describeStockKey names a place in words: OAT-1L at WH-1.
func (rd *readTx) describeStockKey(at stockKey) string {
	sku, code := at.Product.String(), at.Location.String()
	if ref := rd.productRef(at.Product); ref != nil {
		sku = ref.SKU
	}
	if ref := rd.placeRef(locations, at.Location); ref != nil {
		code = ref.Code
	}
	return sku + " at " + code
}

func (b *balance) quantities() api.Quantities { return quantities(&b.Q) }

func quantities(q *[8]int64) api.Quantities {
	return api.Quantities{OnHand: q[onHand], Available: q[available], Reserved: q[reserved], Committed: q[committed],
		Incoming: q[incoming], Damaged: q[damaged], QualityControl: q[qualityControl], SafetyStock: q[safetyStock]}
}
