package sim_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// work is what somebody at a site does next.
func (s *site) work() {
	if s.node == nil || s.idle {
		return
	}
	if s.w.chance(0.02) {
		s.disk.until = s.w.rng.IntN(12)
	}
	s.disk.full = s.w.chance(0.05)
	for range 1 + s.w.rng.IntN(3) {
		s.w.act(s)
	}
	if s.w.rng.IntN(4) == 0 {
		s.desk(false)
	}
	s.disk.full = false
	s.pump()
}

// a hand does operations: a site's people at its node, or the center's.
type hand struct {
	w    *world
	site *site // nil at the center
	svc  api.Service
}

func (w *world) act(s *site) {
	h := hand{w: w, site: s, svc: w.center()}
	if s != nil {
		h.svc = api.As(s.node, s.caller(), "Ada")
	}
	good, place := w.goods[w.rng.IntN(len(w.goods))], w.places[w.rng.IntN(len(w.places))]
	q := int64(1 + w.rng.IntN(5))
	switch w.rng.IntN(11) {
	case 0:
		try(h, api.CreateInbound, api.CreateInboundInput{ProductID: good.ID, LocationID: place.ID, ExpectedQuantity: 2 * q})
	case 1, 2, 3:
		if in, ok := some(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			r := api.ReceiveInboundInput{InboundID: in.ID, Quantity: q}
			h.goods(in.ProductID, q, &r.LotCode, &r.Serials)
			try(h, api.ReceiveInbound, r)
		}
	case 4:
		try(h, api.AdjustStock, api.AdjustStockInput{ProductID: w.goods[0].ID, LocationID: place.ID, InventoryState: api.Available,
			QuantityDelta: q - 3 + boolean(q == 3), Reason: "counted"})
	case 5:
		try(h, api.CreateOutbound, api.CreateOutboundInput{LocationID: place.ID, Lines: []api.OutboundLineInput{{ProductID: good.ID, RequestedQuantity: q}}})
	case 6:
		if out, ok := some(h, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			try(h, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
		}
	case 7:
		try(h, api.CreateTransfer, api.CreateTransferInput{ProductID: w.goods[0].ID, SourceLocationID: w.places[0].ID, DestinationLocationID: w.places[1].ID, Quantity: q})
	case 8:
		if tr, ok := some(h, api.ListTransfers, api.ListTransfersInput{}); ok {
			if w.rng.IntN(2) == 0 {
				try(h, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
			} else {
				try(h, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
			}
		}
	case 9:
		ends := w.now.Add(time.Duration(1+w.rng.IntN(240)) * time.Minute)
		try(h, api.CreateReservation, api.CreateReservationInput{ProductID: w.goods[0].ID, LocationID: place.ID, Quantity: q,
			ExpiresAt: &ends})
	case 10:
		try(h, api.MoveStock, api.MoveStockInput{ProductID: w.goods[0].ID, LocationID: place.ID, Quantity: q,
			SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Reason: "dropped"})
	}
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// goods gives a receipt the lot or the serial numbers that the product is kept by.
func (h hand) goods(product api.ID, q int64, lot *string, serials *[]api.SerialInput) {
	switch product {
	case h.w.goods[1].ID:
		*lot = fmt.Sprint("L-", h.w.rng.IntN(3))
	case h.w.goods[2].ID:
		for range q {
			*serials = append(*serials, api.SerialInput{SerialNumber: fmt.Sprint("S-", h.w.rng.IntN(500))})
		}
	}
}

// some is one of a list, of those that show at the hand's.
func some[I, T any](h hand, op api.Operation[I, api.List[T]], in I) (T, bool) {
	var none T
	list, err := op.Call(h.w.ctx, h.svc, in)
	if err != nil || len(list.Items) == 0 {
		return none, false
	}
	return list.Items[h.w.rng.IntN(len(list.Items))], true
}

// try does an operation, and insists where the goods have moved.
func try[I, O any](h hand, op api.Operation[I, O], in I) {
	key := h.w.key()
	ctx := h.w.ctx
	_, err := op.Call(ctx, h.svc, in, api.Key(key))
	var e *api.Error
	if errors.As(err, &e) && e.Details["insist"] == true && h.w.rng.IntN(2) == 0 {
		_, err = op.Call(ctx, h.svc, in, api.Key(key), api.Insist())
	}
	if h.site == nil {
		return
	}
	h.w.note("%s does %s %s: %v", h.site.name, op.ID, key[:8], err)
	if err == nil || api.HasCode(err, api.AtRisk) {
		h.site.told[key] = true
	}
}

// desk settles what the service refused, some of it or all.
func (s *site) desk(all bool) {
	for _, it := range s.node.Items() {
		if it.State != "refused" && it.State != "held" || !all && s.w.rng.IntN(2) == 0 {
			continue
		}
		var err error
		if !all && s.w.rng.IntN(2) == 0 {
			err = s.node.Retry(s.w.ctx, it.Key, "Ada")
		} else {
			err = s.node.Drop(s.w.ctx, it.Key, "Ada", "settled by hand")
		}
		if !s.disk.full {
			require.NoError(s.w.t, err)
		}
	}
}
