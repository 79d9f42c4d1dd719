package sim_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/edge"
	"bincard/server/api"
)

// work is what somebody at a site does next.
func (s *site) work() {
	if s.node == nil || s.idle {
		return
	}
	if s.w.chance(0.03) {
		s.disk.until = s.w.rng.IntN(12)
	}
	s.disk.full = s.w.chance(0.05)
	for range 1 + s.w.rng.IntN(3) {
		s.w.act(s.tenant, s)
	}
	if s.node != nil && s.w.rng.IntN(4) == 0 {
		s.desk(false)
	}
	s.disk.full = false
	s.proves()
	if s.node != nil {
		_ = s.node.Remember() // it may be lost
	}
	s.pump()
}

// proves holds that what shows at the site is what comes of doing all anew.
func (s *site) proves() {
	if s.node == nil {
		return
	}
	if base, ok := s.bases.Current().(*shelf); ok && !base.dead {
		require.NoError(s.w.t, s.node.Verify(s.w.ctx), "%s shows what nobody did", s.name)
	}
}

// a hand does operations: a site's people at its node, or the center's.
type hand struct {
	*tenant
	site *site // nil at the center
	svc  api.Service
}

func (t *tenant) hand(s *site) hand {
	h := hand{t, s, t.svc()}
	switch {
	case s != nil && s.edge:
		h.svc = api.As(edge.New(s.node, s.caller(), api.Access{Organization: t.org, Environment: t.env}), s.device(), "Ada")
	case s != nil:
		h.svc = api.As(s.node, s.caller(), "Ada")
	}
	return h
}

// device is a key that the site's edge has given out: to a terminal of the whole
// site, or to one of a place.
func (s *site) device() api.Caller {
	c := s.caller()
	c.KeyID, c.KeyLabel = api.ID{1}, "Desk"
	if s.w.rng.IntN(3) == 0 {
		c.KeyID, c.KeyLabel, c.LocationID = api.ID{2}, "Gun 1", s.tenant.places[0].ID
	}
	return c
}

// act is one thing that people do; s is nil at the center.
func (w *world) act(t *tenant, s *site) {
	if s != nil && s.node == nil {
		return
	}
	h := t.hand(s)
	good, place := t.goods[w.rng.IntN(len(t.goods))], t.places[w.rng.IntN(len(t.places))]
	q := int64(1 + w.rng.IntN(5))
	switch n := w.rng.IntN(14); n {
	case 0:
		in := api.CreateInboundInput{ProductID: good.ID, LocationID: place.ID, ExpectedQuantity: 2 * q}
		if out, ok := try(h, api.CreateInbound, in); ok && w.rng.IntN(2) == 0 {
			h.receive(out.Inbound.ID, good.ID, q)
		}
	case 1, 2, 3:
		if in, ok := some(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			h.receive(in.ID, in.ProductID, q)
		}
	case 4:
		try(h, api.AdjustStock, api.AdjustStockInput{ProductID: t.goods[0].ID, LocationID: place.ID, InventoryState: api.Available,
			QuantityDelta: q - 3 + boolean(q == 3), Reason: "found"})
	case 5:
		try(h, api.CreateOutbound, api.CreateOutboundInput{LocationID: place.ID, Lines: []api.OutboundLineInput{{ProductID: good.ID, RequestedQuantity: q}}})
	case 6:
		if out, ok := some(h, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			try(h, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
		}
	case 7, 8:
		h.transfer(n == 7, q)
	case 9:
		h.reserve(place.ID, q)
	case 10:
		try(h, api.MoveStock, api.MoveStockInput{ProductID: t.goods[0].ID, LocationID: place.ID, Quantity: q,
			SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Reason: "dropped"})
	case 11:
		h.count(place.ID)
	case 12, 13:
		h.end()
	}
}

func (h hand) receive(inbound, product api.ID, q int64) {
	r := api.ReceiveInboundInput{InboundID: inbound, Quantity: q}
	switch product { // the lot or the serial numbers that it is kept by
	case h.goods[1].ID:
		r.LotCode = fmt.Sprint("L-", h.w.rng.IntN(3))
	case h.goods[2].ID:
		for range q {
			r.Serials = append(r.Serials, api.SerialInput{SerialNumber: fmt.Sprint("S-", h.w.rng.IntN(500))})
		}
	}
	try(h, api.ReceiveInbound, r)
}

func (h hand) transfer(begin bool, q int64) {
	if begin {
		in := api.CreateTransferInput{ProductID: h.goods[0].ID, SourceLocationID: h.places[0].ID, DestinationLocationID: h.places[1].ID, Quantity: q}
		if out, ok := try(h, api.CreateTransfer, in); ok && h.w.rng.IntN(2) == 0 {
			try(h, api.ShipTransfer, api.MoveTransferInput{TransferID: out.Transfer.ID})
		}
		return
	}
	tr, ok := some(h, api.ListTransfers, api.ListTransfersInput{})
	switch {
	case !ok:
	case h.w.rng.IntN(2) == 0:
		try(h, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	default:
		try(h, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	}
}

// reserve sets goods aside, and may give them back at once.
func (h hand) reserve(place api.ID, q int64) {
	ends := h.w.now.Add(time.Duration(1+h.w.rng.IntN(240)) * time.Minute)
	in := api.CreateReservationInput{ProductID: h.goods[0].ID, LocationID: place, Quantity: 2 * q, ExpiresAt: &ends}
	if out, ok := try(h, api.CreateReservation, in); ok && h.w.rng.IntN(2) == 0 {
		try(h, api.ReleaseReservation, api.ReservationInput{ReservationID: out.Reservation.ID})
	}
}

// count counts what lies in a place: what shows there, or somewhat else.
func (h hand) count(place api.ID) {
	list, err := api.ListBalances.Call(h.w.ctx, h.svc, api.ListBalancesInput{ProductID: h.goods[0].ID, LocationID: place})
	if err != nil || len(list.Items) == 0 {
		return
	}
	n := max(0, list.Items[0].OnHand+h.w.rng.Int64N(3)-1)
	key := h.w.key()
	h.book.counted[key] = n
	if _, ok := do(h, api.ReconcileStock, api.ReconcileStockInput{ProductID: h.goods[0].ID, LocationID: place, CountedQuantity: &n, Reason: "counted"}, key); ok &&
		h.site != nil && h.site.down() {
		h.w.met(countedOffline)
	}
}

// end ends what others may be working on.
func (h hand) end() {
	var done bool
	switch h.w.rng.IntN(5) {
	case 0:
		if x, ok := some(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = try(h, api.CancelInbound, api.InboundInput{InboundID: x.ID})
		}
	case 1:
		if x, ok := some(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = try(h, api.CloseInbound, api.CloseInboundInput{InboundID: x.ID, Reason: "no more comes"})
		}
	case 2:
		if x, ok := some(h, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = try(h, api.CancelTransfer, api.TransferInput{TransferID: x.ID})
		}
	case 3:
		if x, ok := some(h, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = try(h, api.CloseTransfer, api.CloseTransferInput{TransferID: x.ID, Reason: "lost"})
		}
	case 4:
		if x, ok := some(h, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			_, done = try(h, api.CancelOutbound, api.OutboundInput{OutboundID: x.ID})
		}
	}
	if done && h.site == nil {
		h.w.met(closedAtTheCenter)
	}
}
