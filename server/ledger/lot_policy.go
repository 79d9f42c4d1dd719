package ledger

import (
	"slices"

	"bincard/server/api"
)

// A lotPolicy says which stock to take where a write does not take just any.
type lotPolicy struct {
	// lot takes stock of this lot alone.
	lot api.ID
	// fefo takes lots by expiry before stock without a lot.
	fefo bool
	// skipExpired leaves expired lots alone.
	skipExpired bool
}

// pickLots splits q of one state of a place into the portions to take: what is
// in no lot first, then the earliest-expiring lots, unless the wish says else.
func (c *writeTx) pickLots(at stockKey, state int, q int64, w lotPolicy) ([]lotQuantity, error) {
	b, err := c.balance(at)
	if err != nil {
		return nil, err
	}
	if w.lot != (api.ID{}) {
		return []lotQuantity{{Lot: w.lot, Quantity: q}}, nil
	}
	if !b.HasLots {
		return withoutLot(q), nil
	}
	stock, err := c.lotCandidates(b, state, w)
	if err != nil {
		return nil, err
	}
	var out []lotQuantity
	left := q
	for _, s := range stock {
		if n := min(left, s.Quantity); n > 0 {
			out = append(out, lotQuantity{Lot: s.Lot, Quantity: n})
			left -= n
		}
	}
	if left > 0 {
		return nil, c.shortage(b, state, q-left, q, w)
	}
	return out, nil
}

// shortage is short for a wish: where it leaves expired lots alone it says how
// much of them there is, since the balance shows that as available.
func (c *writeTx) shortage(b *balance, state int, current, requested int64, w lotPolicy) error {
	if !w.skipExpired {
		return c.insufficientStock(b, state, current, requested)
	}
	all, err := c.lotCandidates(b, state, lotPolicy{})
	if err != nil {
		return err
	}
	fresh, err := c.lotCandidates(b, state, lotPolicy{skipExpired: true})
	if err != nil {
		return err
	}
	expired := total(all) - total(fresh)
	if expired == 0 {
		return c.insufficientStock(b, state, current, requested)
	}
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.withBalance(b, api.Details{"inventoryState": s, "current": current, "requested": requested, "expired": expired}),
		"%s: %d unexpired, %d requested; another %d %s but expired. %s",
		c.describeStockKey(b.key.stockKey), current, requested, expired, s.Title(), requestAtMost(current, "receive fresh stock first"))
}

// pickable is how much of one state of a place the wish can get.
func (c *writeTx) pickable(at stockKey, state int, w lotPolicy) (int64, error) {
	b, err := c.balance(at)
	if err != nil {
		return 0, err
	}
	if !b.HasLots && w.lot == (api.ID{}) {
		return b.Q[state], nil
	}
	stock, err := c.lotCandidates(b, state, w)
	if w.lot == (api.ID{}) {
		return total(stock), err
	}
	for _, s := range stock {
		if s.Lot == w.lot {
			return s.Quantity, err
		}
	}
	return 0, err
}

// lotCandidates lists what one state of a balance holds by lot, in the order to take it.
func (c *writeTx) lotCandidates(b *balance, state int, w lotPolicy) ([]lotQuantity, error) {
	list, err := c.currentLotBalances(b.ID)
	if err != nil {
		return nil, err
	}
	loose := b.Q[state]
	var found []*lot
	quantity := map[api.ID]int64{}
	for _, x := range list {
		loose -= x.Q[state]
		if x.Q[state] == 0 {
			continue
		}
		l, err := lots.Shared(c.r, x.Lot[:])
		if err != nil {
			return nil, err
		}
		if l == nil || w.skipExpired && l.expired(c.now) {
			continue
		}
		found = append(found, l)
		quantity[l.ID] = x.Q[state]
	}
	slices.SortFunc(found, byExpiry)
	out := make([]lotQuantity, 0, len(found)+1)
	if !w.fefo && loose > 0 {
		out = append(out, lotQuantity{Quantity: loose})
	}
	for _, l := range found {
		out = append(out, lotQuantity{Lot: l.ID, Quantity: quantity[l.ID]})
	}
	if w.fefo && loose > 0 {
		out = append(out, lotQuantity{Quantity: loose})
	}
	return out, nil
}
