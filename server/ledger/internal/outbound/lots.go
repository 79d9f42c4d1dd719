package outbound

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// A namedLot is a quantity of a lot that a request names, and the lines it may be for.
type namedLot struct {
	lot      api.ID
	quantity int64
	lines    []int
}

// namedLots returns the lots that a fulfillment names.
func namedLots(c *posting.Tx, doc *stored.Outbound, in *api.FulfillOutboundInput) (out []namedLot, err error) {
	for _, l := range in.Lots {
		n := namedLot{lot: l.LotID, quantity: l.Quantity}
		for i := range doc.Lines {
			if stored.MatchesID(l.LineID, doc.Lines[i].ID) {
				n.lines = append(n.lines, i)
			}
		}
		if len(n.lines) == 0 {
			return nil, stored.NotFound("line", "lineId", l.LineID)
		}
		if n.lines, err = linesOfLot(c, doc, n.lines, l.LotID); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// assignLot assigns a named lot to its lines: first to those that hold it, then in
// order.
func assignLot(h *handling, tasks []lineQuantity, pending func(line int) int64, l namedLot) error {
	left := l.quantity
	for _, held := range []bool{true, false} {
		for k := range tasks {
			t := &tasks[k]
			if !slices.Contains(l.lines, t.line) {
				continue
			}
			n := min(left, pending(t.line)-t.named())
			if held {
				n = min(n, remaining(h.doc, []int{t.line}, fulfilling, l.lot)-t.quantityOf(l.lot))
			}
			if n <= 0 {
				continue
			}
			left -= n
			if i := slices.IndexFunc(t.lots, func(p posting.LotQuantity) bool { return p.Lot == l.lot }); i >= 0 {
				t.lots[i].Quantity += n
			} else {
				t.lots = append(t.lots, posting.LotQuantity{Lot: l.lot, Quantity: n})
			}
		}
	}
	if left == 0 {
		return nil
	}
	total := int64(0)
	for _, i := range l.lines {
		total += pending(i)
	}
	return api.Fail(api.QuantityExceedsPending, api.Details{"pending": total, "requested": l.quantity, "lotId": l.lot},
		"Only %d of that product pending, but %d of lot %v requested. Request at most %d.", total, l.quantity, posting.LotCode(h.c.Tx, l.lot), total)
}

// quantityOf returns how much of a lot the task names.
func (t *lineQuantity) quantityOf(lot api.ID) int64 {
	for _, p := range t.lots {
		if p.Lot == lot {
			return p.Quantity
		}
	}
	return 0
}
