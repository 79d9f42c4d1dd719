package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

func bindReservations(b map[string]binding) {
	writes(b, api.CreateReservation, (*writeTx).createReservation, stored.ShowReservation)
	writes(b, api.CommitReservation, (*writeTx).commitReservation, stored.ShowReservation)
	writes(b, api.ReleaseReservation, (*writeTx).releaseReservation, stored.ShowReservation)
	writes(b, api.CancelReservation, (*writeTx).cancelReservation, stored.ShowReservation)
	reads(b, api.GetReservation, (*stored.Tx).GetReservation)
	reads(b, api.ListReservations, (*stored.Tx).ListReservations)
}

// setHolds replaces the holds.
func setHolds(r *stored.Reservation, parts []lotQuantity) {
	r.Holds = nil
	for _, p := range parts {
		r.Holds = append(r.Holds, stored.LotHold{Lot: p.Lot, Quantity: p.Quantity})
	}
}

// heldLots returns the stock that a reservation holds, by lot. Reserved stock may be
// moved manually as long as enough remains for all reservations; if its lot was
// moved, the reservation uses other stock.
func (c *writeTx) heldLots(r *stored.Reservation, state int) ([]lotQuantity, error) {
	b, err := c.balance(r.StockKey())
	if err != nil {
		return nil, err
	}
	if !b.HasLots {
		return withoutLot(r.Held()), nil
	}
	stock, err := c.lotCandidates(b, state, lotPolicy{})
	if err != nil {
		return nil, err
	}
	var out []lotQuantity
	missing := int64(0)
	for _, h := range r.Holds {
		i := slices.IndexFunc(stock, func(p lotQuantity) bool { return p.Lot == h.Lot })
		n := int64(0)
		if i >= 0 {
			n = min(h.Quantity, stock[i].Quantity)
			stock[i].Quantity -= n
		}
		if n > 0 {
			out = append(out, lotQuantity{Lot: h.Lot, Quantity: n})
		}
		missing += h.Quantity - n
	}
	for _, p := range stock {
		n := min(missing, p.Quantity)
		if n == 0 {
			continue
		}
		missing -= n
		if i := slices.IndexFunc(out, func(x lotQuantity) bool { return x.Lot == p.Lot }); i >= 0 {
			out[i].Quantity += n
		} else {
			out = append(out, lotQuantity{Lot: p.Lot, Quantity: n})
		}
	}
	if missing > 0 {
		return nil, c.insufficientStock(b, state, r.Held()-missing, r.Held())
	}
	return out, nil
}
