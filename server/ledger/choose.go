package ledger

import (
	"slices"

	"bincard/server/api"
)

// A wish says which stock to take where a write does not take just any.
type wish struct {
	// lot takes stock of this lot alone.
	lot api.ID
	// fefo takes lots by expiry before stock without a lot.
	fefo bool
	// fresh leaves expired lots alone.
	fresh bool
}

// choose splits q of one state of a place into the portions to take: what is
// in no lot first, then the earliest-expiring lots, unless the wish says else.
func (c *change) choose(at place, state int, q int64, w wish) ([]portion, error) {
	b, err := c.balance(at)
	if err != nil {
		return nil, err
	}
	if w.lot != (api.ID{}) {
		return []portion{{Lot: w.lot, Quantity: q}}, nil
	}
	if !b.HasLots {
		return whole(q), nil
	}
	stock, err := c.stock(b, state, w)
	if err != nil {
		return nil, err
	}
	var out []portion
	left := q
	for _, s := range stock {
		if n := min(left, s.Quantity); n > 0 {
			out = append(out, portion{Lot: s.Lot, Quantity: n})
			left -= n
		}
	}
	if left > 0 {
		return nil, c.wanting(b, state, q-left, q, w)
	}
	return out, nil
}

// wanting is short for a wish: where it leaves expired lots alone it says how
// much of them there is, since the balance shows that as available.
func (c *change) wanting(b *balance, state int, current, requested int64, w wish) error {
	if !w.fresh {
		return c.short(b, state, current, requested)
	}
	all, err := c.stock(b, state, wish{})
	if err != nil {
		return err
	}
	fresh, err := c.stock(b, state, wish{fresh: true})
	if err != nil {
		return err
	}
	expired := total(all) - total(fresh)
	if expired == 0 {
		return c.short(b, state, current, requested)
	}
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.about(b, api.Details{"inventoryState": s, "current": current, "requested": requested, "expired": expired}),
		"%s: %d can be taken and %d were asked for; %d more are %s but expired. Ask for at most %d, or bring fresh stock in first.",
		c.saying(b.key.place), current, requested, expired, s.Title(), current)
}

// obtainable is how much of one state of a place the wish can get.
func (c *change) obtainable(at place, state int, w wish) (int64, error) {
	b, err := c.balance(at)
	if err != nil {
		return 0, err
	}
	if !b.HasLots && w.lot == (api.ID{}) {
		return b.Q[state], nil
	}
	stock, err := c.stock(b, state, w)
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

// stock lists what one state of a balance holds by lot, in the order to take it.
func (c *change) stock(b *balance, state int, w wish) ([]portion, error) {
	list, err := c.held(b.ID)
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
		if l == nil || w.fresh && l.expired(c.now) {
			continue
		}
		found = append(found, l)
		quantity[l.ID] = x.Q[state]
	}
	slices.SortFunc(found, byExpiry)
	out := make([]portion, 0, len(found)+1)
	if !w.fefo && loose > 0 {
		out = append(out, portion{Quantity: loose})
	}
	for _, l := range found {
		out = append(out, portion{Lot: l.ID, Quantity: quantity[l.ID]})
	}
	if w.fefo && loose > 0 {
		out = append(out, portion{Quantity: loose})
	}
	return out, nil
}
