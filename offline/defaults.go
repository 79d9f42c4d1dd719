package offline

import (
	"bincard/server/api"
)

// resolveDefaults makes explicit what a request left to the moment: "all that is pending"
// means something else when the service hears of it. res is what the ledger
// here made of it. A plain service knows no lot beside a transfer.
func resolveDefaults(req *api.Request, res *api.Response, plainly bool) *api.Request {
	q, lot := movedQuantity(res.Movements())
	if q == 0 {
		return req
	}
	pinned := *req
	switch in := req.Input.(type) {
	case *api.MoveTransferInput:
		full := *in
		if full.Quantity == nil {
			full.Quantity = &q
		}
		if !plainly && full.LotID == (api.ID{}) && len(full.SerialIDs)+len(full.SerialNumbers) == 0 {
			full.LotID = lot
		}
		pinned.Input = &full
	case *api.FulfillOutboundInput:
		full := *in
		if full.Quantity == nil {
			full.Quantity = &q
		}
		pinned.Input = &full
	default:
		return req
	}
	return &pinned
}

// movedQuantity is how much of the goods moved, and of which lot where it was one alone.
func movedQuantity(moves []api.Movement) (q int64, lot api.ID) {
	one := true
	for i := range moves {
		m := &moves[i]
		if m.InventoryState != api.OnHand || m.Quantity == 0 {
			continue
		}
		one = one && (q == 0 || lot == m.LotID)
		lot = m.LotID
		q += max(m.Quantity, -m.Quantity)
	}
	if !one {
		lot = api.ID{}
	}
	return q, lot
}
