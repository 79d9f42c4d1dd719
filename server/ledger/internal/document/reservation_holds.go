package document

import (
	"slices"

	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// setHolds replaces the holds.
func setHolds(r *stored.Reservation, parts []posting.LotQuantity) {
	r.Holds = nil
	for _, p := range parts {
		r.Holds = append(r.Holds, stored.LotHold{Lot: p.Lot, Quantity: p.Quantity})
	}
}

// heldLots returns the stock that a reservation holds, by lot. Reserved stock may be
// moved manually as long as enough remains for all reservations; if its lot was
// moved, the reservation uses other stock.
func heldLots(c *posting.Tx, r *stored.Reservation, state int) ([]posting.LotQuantity, error) {
	b, err := c.BalanceAt(r.StockKey())
	if err != nil {
		return nil, err
	}
	if !b.HasLots {
		return posting.WithoutLot(r.Held()), nil
	}

	stock, err := c.LotCandidates(b, state, posting.LotPolicy{})
	if err != nil {
		return nil, err
	}

	var out []posting.LotQuantity
	missing := int64(0)
	for _, h := range r.Holds {
		i := slices.IndexFunc(stock, func(p posting.LotQuantity) bool { return p.Lot == h.Lot })
		n := int64(0)
		if i >= 0 {
			n = min(h.Quantity, stock[i].Quantity)
			stock[i].Quantity -= n
		}
		if n > 0 {
			out = append(out, posting.LotQuantity{Lot: h.Lot, Quantity: n})
		}

		missing += h.Quantity - n
	}

	for _, p := range stock {
		n := min(missing, p.Quantity)
		if n == 0 {
			continue
		}

		missing -= n
		if i := slices.IndexFunc(out, func(x posting.LotQuantity) bool { return x.Lot == p.Lot }); i >= 0 {
			out[i].Quantity += n
		} else {
			out = append(out, posting.LotQuantity{Lot: p.Lot, Quantity: n})
		}
	}

	if missing > 0 {
		return nil, c.InsufficientStock(b, state, r.Held()-missing, r.Held())
	}

	return out, nil
}

// reservableLots returns the available stock for a reservation, without expired lots.
func reservableLots(c *posting.Tx, at stored.StockKey, q int64) ([]posting.LotQuantity, error) {
	policy := posting.LotPolicy{SkipExpired: true}
	free, err := c.Pickable(at, stored.Available, policy)
	if err != nil {
		return nil, err
	}

	if free < q {
		b, err := c.BalanceAt(at)
		if err != nil {
			return nil, err
		}
		return nil, c.Shortage(b, stored.Available, free, q, policy)
	}

	return c.PickLots(at, stored.Available, q, policy)
}
