package document

import (
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
// moved, the reservation uses other stock. The lots are in the order in which to take them.
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

	held := make([]int64, len(stock))
	missing := r.Held()
	take := func(i int, q int64) {
		q = min(q, stock[i].Quantity-held[i])
		held[i] += q
		missing -= q
	}

	for i, p := range stock {
		for _, h := range r.Holds {
			if h.Lot == p.Lot {
				take(i, h.Quantity)
			}
		}
	}
	for i := range stock {
		take(i, missing)
	}

	if missing > 0 {
		return nil, c.InsufficientStock(b, state, r.Held()-missing, r.Held())
	}

	var out []posting.LotQuantity
	for i, p := range stock {
		if held[i] > 0 {
			out = append(out, posting.LotQuantity{Lot: p.Lot, Quantity: held[i]})
		}
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
