package offline

import (
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// resolveDefaults returns the request with its default quantity and lot filled in from
// the local response. "All that is pending" may mean another quantity by the time the
// service receives the request. A polled service does not accept the lot of a transfer.
func resolveDefaults(req *api.Request, res *api.Response, polled bool) *api.Request {
	q, lot := movedQuantity(res.Movements())
	if q == 0 {
		return req
	}
	resolved := *req
	switch in := req.Input.(type) {
	case *api.MoveTransferInput:
		full := *in
		if full.Quantity == nil {
			full.Quantity = &q
		}
		if !polled && full.LotID == (api.ID{}) && len(full.SerialIDs)+len(full.SerialNumbers) == 0 {
			full.LotID = lot
		}
		resolved.Input = &full
	case *api.FulfillOutboundInput:
		full := *in
		if full.Quantity == nil {
			full.Quantity = &q
		}
		resolved.Input = &full
	default:
		return req
	}
	return &resolved
}

// movedQuantity returns the on-hand quantity that moved, and its lot if it was only one.
func movedQuantity(moves []api.Movement) (q int64, lot api.ID) {
	oneLot := true
	for i := range moves {
		m := &moves[i]
		if m.InventoryState != api.OnHand || m.Quantity == 0 {
			continue
		}
		oneLot = oneLot && (q == 0 || lot == m.LotID)
		lot = m.LotID
		q += max(m.Quantity, -m.Quantity)
	}
	if !oneLot {
		lot = api.ID{}
	}
	return q, lot
}

// movedStock returns the stock keys of the movements in a response.
func movedStock(res *api.Response) (list []outbox.StockKey) {
	for _, m := range res.Movements() {
		key := outbox.StockKey{Product: m.ProductID, Location: m.LocationID, Owner: m.OwnerID, Channel: m.ChannelID}
		if !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list
}
