package ledger

import (
	"fmt"

	"bincard/server/api"
)

// A portion is a part of a quantity that is alike: of one lot, or of none, with
// the pieces it consists of where they are known.
type portion struct {
	Lot      api.ID
	Quantity int64
	Pieces   []*piece
}

// whole is a quantity without lot or pieces.
func whole(q int64) []portion { return []portion{{Quantity: q}} }

func total(portions []portion) (q int64) {
	for i := range portions {
		q += portions[i].Quantity
	}
	return q
}

// post is the only way to move stock: it applies the effect to the balance of
// a place by the portions, and records a movement per state and lot with the
// quantity before and after. Nothing may fall below zero.
func (c *change) post(e effect, at place, portions []portion, note api.Metadata) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	b.changed = true
	b.Seen |= 1 << operationNumber(e.op)
	// A replica has what it was told, of whatever arithmetic.
	before := b.quantities()
	strict := !c.l.ahead || before.AddsUp()
	for _, l := range e.legs {
		if l.unlotted {
			if err := c.move(e, l, b, portion{Quantity: total(portions)}, note); err != nil {
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
		return api.Internal(fmt.Errorf("%s leaves balance %s at %+v, which does not add up", e.op, b.ID, q))
	}
	return nil
}

// move applies one leg by one portion.
func (c *change) move(e effect, l leg, b *balance, part portion, note api.Metadata) error {
	d := l.sign * part.Quantity
	before := b.Q[l.state]
	after := before + d
	switch {
	case after < 0:
		return c.short(b, l.state, before, -d)
	case after > api.MaxQuantity:
		return api.Fail(api.QuantityTooLarge, api.Details{"inventoryState": api.States[l.state], "current": before, "requested": d},
			"A quantity can be at most %d; %s is %d and %d were to be added.", int64(api.MaxQuantity), api.States[l.state].Title(), before, d)
	}
	if err := c.back(e, l.state, b, d, after); err != nil {
		return err
	}
	b.Q[l.state] = after
	if err := c.fill(b, l.state, part.Lot, d); err != nil {
		return err
	}
	if len(c.rec.Moves) == maxMoves {
		return api.Fail(api.QuantityTooLarge, api.Details{"movements": maxMoves},
			"One request can make at most %d movements; split it into several.", maxMoves)
	}
	c.rec.Moves = append(c.rec.Moves, move{Op: e.op, Balance: b.slot, State: l.state, Lot: part.Lot,
		Delta: d, Before: before, Serials: c.slots(part.Pieces), Metadata: note})
	return nil
}

// back keeps count of what open documents hold of reserved, committed and
// incoming, and refuses to change that by hand.
func (c *change) back(e effect, state int, b *balance, d, after int64) error {
	if state != reserved && state != committed && state != incoming {
		return nil
	}
	if !e.byHand {
		b.Backed[state] += d
		return nil
	}
	if after >= b.Backed[state] {
		return nil
	}
	s := api.States[state]
	return api.Fail(api.StateBackedByDocuments,
		c.about(b, api.Details{"inventoryState": s, "current": b.Q[state], "requested": d, "backed": b.Backed[state]}),
		"%s of %s is %d, of which open documents hold %d, so it cannot change by %d. Cancel, close or fulfil those documents instead.",
		s.Title(), c.saying(b.key.place), b.Q[state], b.Backed[state], d)
}

// short is the error of taking more than there is.
func (c *change) short(b *balance, state int, current, requested int64) error {
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.about(b, api.Details{"inventoryState": s, "current": current, "requested": requested}),
		"%s: %s %s and %d were asked for. Ask for at most %d, or bring more in first.",
		c.saying(b.key.place), are(current), s.Title(), requested, current)
}

// are says how many there are.
func are(n int64) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// about adds to details which balance they are of.
func (c *change) about(b *balance, d api.Details) api.Details {
	d["balanceId"], d["productId"], d["locationId"] = b.ID, b.key.Product, b.key.Location
	if ref := c.productRef(b.key.Product); ref != nil {
		d["sku"] = ref.SKU
	}
	if ref := c.placeRef(locations, b.key.Location); ref != nil {
		d["locationCode"] = ref.Code
	}
	return d
}

// saying names a place in words: OAT-1L at WH-1.
func (rd *reading) saying(at place) string {
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
