package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// A lotPolicy says which lots a write takes stock from.
type lotPolicy struct {
	// lot restricts it to one lot.
	lot api.ID
	// fefo takes lots by expiry before stock without a lot.
	fefo bool
	// skipExpired skips expired lots.
	skipExpired bool
}

// pickLots splits q of one state into lot quantities: by default stock in no lot
// first, then the lots that expire earliest.
func (c *writeTx) pickLots(at stored.StockKey, state int, q int64, policy lotPolicy) ([]lotQuantity, error) {
	b, err := c.balance(at)
	if err != nil {
		return nil, err
	}
	if policy.lot != (api.ID{}) {
		return []lotQuantity{{Lot: policy.lot, Quantity: q}}, nil
	}
	if !b.HasLots {
		return withoutLot(q), nil
	}
	stock, err := c.lotCandidates(b, state, policy)
	if err != nil {
		return nil, err
	}
	var out []lotQuantity
	rest := q
	for _, s := range stock {
		if n := min(rest, s.Quantity); n > 0 {
			out = append(out, lotQuantity{Lot: s.Lot, Quantity: n})
			rest -= n
		}
	}
	if rest > 0 {
		return nil, c.shortage(b, state, q-rest, q, policy)
	}
	return out, nil
}

// shortage returns an insufficient-stock error. If the policy skips expired lots,
// the error says how much has expired, because the balance counts it as available.
func (c *writeTx) shortage(b *stored.Balance, state int, current, requested int64, policy lotPolicy) error {
	if !policy.skipExpired {
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
		"%v: %d unexpired, %d requested; another %d %v but expired. %v",
		c.DescribeStockKey(b.Key.StockKey), current, requested, expired, s.Title(), requestAtMost(current, "Receive fresh stock first.", "Request at most %d, or receive fresh stock first."))
}

// pickable returns how much of one state the policy can take.
func (c *writeTx) pickable(at stored.StockKey, state int, policy lotPolicy) (int64, error) {
	b, err := c.balance(at)
	if err != nil {
		return 0, err
	}
	if !b.HasLots && policy.lot == (api.ID{}) {
		return b.Q[state], nil
	}
	stock, err := c.lotCandidates(b, state, policy)
	if policy.lot == (api.ID{}) {
		return total(stock), err
	}
	for _, s := range stock {
		if s.Lot == policy.lot {
			return s.Quantity, err
		}
	}
	return 0, err
}

// lotCandidates lists the stock of one state by lot, in the order to take it.
func (c *writeTx) lotCandidates(b *stored.Balance, state int, policy lotPolicy) ([]lotQuantity, error) {
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
		if l == nil || policy.skipExpired && l.Expired(c.Now) {
			continue
		}
		found = append(found, l)
		quantity[l.ID] = x.Q[state]
	}
	slices.SortFunc(found, byExpiry)
	out := make([]lotQuantity, 0, len(found)+1)
	if !policy.fefo && unlotted > 0 {
		out = append(out, lotQuantity{Quantity: unlotted})
	}
	for _, l := range found {
		out = append(out, lotQuantity{Lot: l.ID, Quantity: quantity[l.ID]})
	}
	if policy.fefo && unlotted > 0 {
		out = append(out, lotQuantity{Quantity: unlotted})
	}
	return out, nil
}
