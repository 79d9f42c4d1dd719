package posting

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// A LotPolicy says which lots a write takes stock from.
type LotPolicy struct {
	// Lot restricts it to one lot.
	Lot api.ID
	// FEFO takes lots by expiry before stock without a lot.
	FEFO bool
	// SkipExpired skips expired lots.
	SkipExpired bool
}

// PickLots splits q of one state into lot quantities: by default stock in no lot
// first, then the lots that expire earliest.
func (c *Tx) PickLots(at stored.StockKey, state int, q int64, policy LotPolicy) ([]LotQuantity, error) {
	b, err := c.BalanceAt(at)
	if err != nil {
		return nil, err
	}
	if policy.Lot != api.NoID {
		return []LotQuantity{{Lot: policy.Lot, Quantity: q}}, nil
	}
	if !b.HasLots {
		return WithoutLot(q), nil
	}

	stock, err := c.LotCandidates(b, state, policy)
	if err != nil {
		return nil, err
	}

	var out []LotQuantity
	rest := q
	for _, s := range stock {
		if n := min(rest, s.Quantity); n > 0 {
			out = append(out, LotQuantity{Lot: s.Lot, Quantity: n})
			rest -= n
		}
	}

	if rest > 0 {
		return nil, c.Shortage(b, state, q-rest, q, policy)
	}

	return out, nil
}

// Shortage returns an insufficient-stock error. If the policy skips expired lots,
// the error says how much has expired, because the balance counts it as available.
func (c *Tx) Shortage(b *stored.Balance, state int, current, requested int64, policy LotPolicy) error {
	if !policy.SkipExpired {
		return c.InsufficientStock(b, state, current, requested)
	}

	all, err := c.LotCandidates(b, state, LotPolicy{})
	if err != nil {
		return err
	}

	fresh, err := c.LotCandidates(b, state, LotPolicy{SkipExpired: true})
	if err != nil {
		return err
	}

	expired := Total(all) - Total(fresh)
	if expired == 0 {
		return c.InsufficientStock(b, state, current, requested)
	}

	s := api.States[state]

	return api.Fail(
		api.InsufficientStock,
		c.withBalance(b,
			api.Details{"inventoryState": s, "current": current, "requested": requested, "expired": expired}),
		"%v: %d unexpired, %d requested; another %d %v but expired. %v",
		c.DescribeStockKey(b.Key.StockKey),
		current,
		requested,
		expired,
		s.Title(),
		requestAtMost(current, "Receive fresh stock first.", "Request at most %d, or receive fresh stock first."),
	)
}

// Pickable returns how much of one state the policy can take.
func (c *Tx) Pickable(at stored.StockKey, state int, policy LotPolicy) (int64, error) {
	b, err := c.BalanceAt(at)
	if err != nil {
		return 0, err
	}
	if !b.HasLots && policy.Lot == api.NoID {
		return b.Q[state], nil
	}

	stock, err := c.LotCandidates(b, state, policy)
	if policy.Lot == api.NoID {
		return Total(stock), err
	}
	for _, s := range stock {
		if s.Lot == policy.Lot {
			return s.Quantity, err
		}
	}

	return 0, err
}

// LotCandidates lists the stock of one state by lot, in the order to take it.
func (c *Tx) LotCandidates(b *stored.Balance, state int, policy LotPolicy) ([]LotQuantity, error) {
	list, err := c.currentLotBalances(b.ID)
	if err != nil {
		return nil, err
	}

	unlotted := b.Q[state]
	var found []*stored.Lot
	quantity := map[api.ID]int64{}
	for _, x := range list {
		unlotted -= x.Q[state]
		if x.Q[state] == 0 {
			continue
		}

		l, err := stored.Lots.Shared(c.Reader, x.Lot[:])
		if err != nil {
			return nil, err
		}
		if l == nil || policy.SkipExpired && l.Expired(c.Now) {
			continue
		}

		found = append(found, l)
		quantity[l.ID] = x.Q[state]
	}

	slices.SortFunc(found, stored.ByExpiry)
	out := make([]LotQuantity, 0, len(found)+1)
	if !policy.FEFO && unlotted > 0 {
		out = append(out, LotQuantity{Quantity: unlotted})
	}
	for _, l := range found {
		out = append(out, LotQuantity{Lot: l.ID, Quantity: quantity[l.ID]})
	}
	if policy.FEFO && unlotted > 0 {
		out = append(out, LotQuantity{Quantity: unlotted})
	}

	return out, nil
}
