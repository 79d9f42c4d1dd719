package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// A stage is a step of an outbound: the quantity of a hold that it raises, and the
// one that limits it.
type stage struct {
	done, limit func(*stored.Hold) *int64
}

var (
	picking = stage{
		done:  func(h *stored.Hold) *int64 { return &h.Picked },
		limit: func(h *stored.Hold) *int64 { return &h.Allocated },
	}
	packing = stage{
		done:  func(h *stored.Hold) *int64 { return &h.Packed },
		limit: func(h *stored.Hold) *int64 { return &h.Picked },
	}
	fulfilling = stage{
		done:  func(h *stored.Hold) *int64 { return &h.Fulfilled },
		limit: func(h *stored.Hold) *int64 { return &h.Allocated },
	}
)

func (s stage) remaining(h *stored.Hold) int64 { return *s.limit(h) - *s.done(h) }

// advance takes parts of a line through a stage. If the line does not hold enough of
// a lot, it exchanges another lot for it, a picked one only if swap says so of the lot.
func advance(
	c *posting.Tx,
	doc *stored.Outbound,
	line int,
	s stage,
	parts []posting.LotQuantity,
	swap func(lot api.ID) bool,
) error {
	missing := make([]int64, len(parts))
	for i, part := range parts {
		h := doc.Hold(line, part.Lot)
		n := min(part.Quantity, s.remaining(h))
		*s.done(h) += n
		missing[i] = part.Quantity - n
	}

	// Exchange only after all parts have used the holds on their own lots: what
	// remains of the line may be exchanged.
	for i, part := range parts {
		if missing[i] == 0 {
			continue
		}
		if err := exchange(c, doc, line, part.Lot, missing[i], swap(part.Lot)); err != nil {
			return err
		}
		*s.done(doc.Hold(line, part.Lot)) += missing[i]
	}

	return nil
}

// exchange releases q of the line's other lots, unpicked stock first, and allocates
// the same quantity of this lot. It releases picked stock only if swap is set.
func exchange(c *posting.Tx, doc *stored.Outbound, line int, lot api.ID, q int64, swap bool) error {
	at := doc.StockKey(line)
	free, err := availableOfLot(c, at, lot)
	if err != nil {
		return err
	}
	if free < q {
		return lotMismatch(c, doc, line, lot, q)
	}

	var released []posting.LotQuantity
	left := q
	for _, unpicked := range []bool{true, false} {
		for i := range doc.Holds[line] {
			h := &doc.Holds[line][i]
			exchangeable := h.Allocated - h.Fulfilled
			if unpicked {
				exchangeable = h.Allocated - max(h.Picked, h.Fulfilled)
			}

			n := min(left, exchangeable)
			if h.Lot == lot || n == 0 || !unpicked && !swap {
				continue
			}

			h.Allocated -= n
			h.Exchanged -= n
			h.Picked, h.Packed = min(h.Picked, h.Allocated), min(h.Packed, h.Allocated)
			released = append(released, posting.LotQuantity{Lot: h.Lot, Quantity: n})
			left -= n
		}
	}

	if left > 0 {
		return lotMismatch(c, doc, line, lot, q)
	}

	h := doc.Hold(line, lot)
	h.Allocated += q
	h.Exchanged += q

	return postExchange(c, at, released, []posting.LotQuantity{{Lot: lot, Quantity: q}})
}

func postExchange(c *posting.Tx, at stored.StockKey, released, allocated []posting.LotQuantity) error {
	if err := c.Post(posting.OutboundRelease, at, released, nil); err != nil {
		return err
	}
	return c.Post(posting.OutboundAllocate, at, allocated, nil)
}

// restoreExchanged undoes the exchange of at most q of a lot, as far as the lots that it
// replaced are available. What was fulfilled of the lot counts as exchanged.
func restoreExchanged(c *posting.Tx, doc *stored.Outbound, line int, lot api.ID, q int64) error {
	at := doc.StockKey(line)
	exchanged := doc.Hold(line, lot)
	q = min(q, exchanged.Exchanged-exchanged.Fulfilled)
	left := q
	var restored []posting.LotQuantity
	for i := range doc.Holds[line] {
		h := &doc.Holds[line][i]
		n := min(left, -h.Exchanged)
		if n <= 0 {
			continue
		}

		free, err := availableOfLot(c, at, h.Lot)
		if err != nil {
			return err
		}
		if n = min(n, free); n > 0 {
			h.Allocated += n
			h.Exchanged += n
			restored = append(restored, posting.LotQuantity{Lot: h.Lot, Quantity: n})
			left -= n
		}
	}

	if len(restored) == 0 {
		return nil
	}

	exchanged.Allocated -= q - left
	exchanged.Exchanged -= q - left

	return postExchange(c, at, []posting.LotQuantity{{Lot: lot, Quantity: q - left}}, restored)
}

// always and never say of each lot whether it may replace picked stock.
func always(api.ID) bool { return true }
func never(api.ID) bool  { return false }

// swappable returns how much of the lines can be picked from a lot if picked stock of
// other lots may be replaced.
func swappable(doc *stored.Outbound, lines []int, lot api.ID) (q int64) {
	for _, i := range lines {
		for _, h := range doc.Holds[i] {
			if h.Lot == lot {
				q += h.Allocated - h.Picked
			} else {
				q += h.Allocated - h.Fulfilled
			}
		}
	}

	return q
}

// availableOfLot returns the unexpired available quantity of a lot, or of stock without a lot.
func availableOfLot(c *posting.Tx, at stored.StockKey, lot api.ID) (int64, error) {
	b, err := c.BalanceAt(at)
	if err != nil {
		return 0, err
	}

	stock, err := c.LotCandidates(b, stored.Available, posting.LotPolicy{SkipExpired: true})
	if err != nil {
		return 0, err
	}
	for _, part := range stock {
		if part.Lot == lot {
			return part.Quantity, nil
		}
	}

	return 0, nil
}

// An allocatedLot is the error detail of what a line holds of a lot.
type allocatedLot struct {
	LotID    api.ID `json:"lotId,omitzero"`
	LotCode  string `json:"lotCode,omitzero"`
	Quantity int64  `json:"quantity"`
	Picked   int64  `json:"picked,omitzero"`
	Packed   int64  `json:"packed,omitzero"`
}

// lotMismatch returns the error of using a lot other than the one that the line is
// allocated or picked from, when there is not enough of it to exchange or picked stock
// may not be exchanged.
func lotMismatch(c *posting.Tx, doc *stored.Outbound, line int, lot api.ID, q int64) error {
	free, err := availableOfLot(c, doc.StockKey(line), lot)
	if err != nil {
		return err
	}

	var held []allocatedLot
	words := ""
	for _, h := range doc.Holds[line] {
		if n := h.Allocated - h.Fulfilled; n > 0 && h.Lot != lot {
			held = append(held, allocatedLot{
				h.Lot,
				posting.LotCode(c.Tx, h.Lot),
				n,
				max(0, h.Picked-h.Fulfilled),
				max(0, h.Packed-h.Fulfilled),
			})

			if words != "" {
				words += ", "
			}

			words += posting.LotCode(c.Tx, h.Lot)
		}
	}

	details := api.Details{"lotId": lot, "lotCode": posting.LotCode(c.Tx, lot), "available": free, "requested": q,
		"lineId": doc.Lines[line].ID, "allocated": held}
	if l, _ := stored.Lots.Shared(c.Tx.Reader, lot[:]); l != nil && l.Expired(c.Now) {
		details["expiresAt"] = l.ExpiresAt
	}

	return api.Fail(api.LotMismatch, details,
		"%v: the outbound holds %v, not %v (%d available, %d requested). Use the lot it holds, or swap the lots.",
		c.DescribeStockKey(doc.StockKey(line)), words, posting.LotCode(c.Tx, lot), free, q)
}

// splitByHold splits q of a line by lot, in the order of its holds; a lot other than
// the zero id restricts it to that lot.
func splitByHold(o *stored.Outbound, line int, s stage, q int64, lot api.ID) (parts []posting.LotQuantity) {
	for i := range o.Holds[line] {
		h := &o.Holds[line][i]
		n := min(q, s.remaining(h))
		if n > 0 && stored.MatchesID(lot, h.Lot) {
			parts = append(parts, posting.LotQuantity{Lot: h.Lot, Quantity: n})
			q -= n
		}
	}

	if q > 0 && lot != api.NoID {
		// advance exchanges what the line does not hold of the lot.
		if len(parts) == 0 {
			return []posting.LotQuantity{{Lot: lot, Quantity: q}}
		}
		parts[0].Quantity += q
	}

	return parts
}

// dropEmptyHolds removes the empty holds of a line.
func dropEmptyHolds(o *stored.Outbound, line int) {
	o.Holds[line] = slices.DeleteFunc(o.Holds[line],
		func(h stored.Hold) bool { return h.Allocated == 0 && h.Exchanged == 0 })
}

// remaining returns how much of the lines can go through a stage; lot may be zero.
func remaining(o *stored.Outbound, lines []int, s stage, lot api.ID) (q int64) {
	for _, i := range lines {
		for k := range o.Holds[i] {
			if h := &o.Holds[i][k]; stored.MatchesID(lot, h.Lot) {
				q += s.remaining(h)
			}
		}
	}

	return q
}
