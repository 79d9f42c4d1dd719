package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// namedLots returns the lots that a fulfillment names. Its named serials must be of lots
// that are named for their product, if any are.
func namedLots(h *handling, in *api.FulfillOutboundInput) (out []namedLot, err error) {
	left := slices.Clone(h.named)
	for _, l := range in.Lots {
		n := namedLot{lot: l.LotID, quantity: l.Quantity, swap: l.Swap}
		for i := range h.doc.Lines {
			if stored.MatchesID(l.LineID, h.doc.Lines[i].ID) {
				n.lines = append(n.lines, i)
			}
		}

		if len(n.lines) == 0 {
			return nil, stored.NotFound("line", "lineId", l.LineID)
		}
		if n.lines, err = linesOfLot(h.c, h.doc, n.lines, l.LotID); err != nil {
			return nil, err
		}

		left = slices.DeleteFunc(left, func(s *stored.Serial) bool {
			if s.LotID != l.LotID || n.quantity == 0 {
				return false
			}
			n.quantity--
			return true
		})

		out = append(out, n)
	}

	for _, s := range left {
		for _, n := range out {
			if h.doc.Lines[n.lines[0]].ProductID == s.ProductID {
				return nil, posting.OtherLot(s, n.lot, "Omit the lot, or choose another serial.")
			}
		}
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
			if l.swap {
				t.swaps = append(t.swaps, l.lot)
			}
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
		"Only %d of that product pending, but %d of lot %v requested. Request at most %d.", total, l.quantity,
		posting.LotCode(h.c.Tx, l.lot), total)
}
