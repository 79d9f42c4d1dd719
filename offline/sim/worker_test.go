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
	if s.sim.chance(0.03) {
		s.disk.stepsLeft = s.sim.rng.IntN(12)
	}
	s.disk.full = s.sim.chance(0.05)
	for range 1 + s.sim.rng.IntN(3) {
		s.sim.act(s.tenant, s)
	}
	if s.node != nil && s.sim.rng.IntN(4) == 0 {
		s.resolve(false)
	}
	s.disk.full = false
	s.verify()
	if s.node != nil {
		_ = s.node.SaveCache() // it may be lost
	}
	s.push()
}

// verify holds that what shows at the site is what comes of doing all anew.
func (s *site) verify() {
	if s.node == nil {
		return
	}
	if base, ok := s.replicas.Current().(*memStore); ok && !base.failed {
		require.NoError(s.sim.t, s.node.Verify(s.sim.ctx), "%s shows what nobody did", s.name)
	}
}

// a hand does operations: a site's people at its node, or the center's.
type worker struct {
	*tenant
	site *site // nil at the center
	svc  api.Service
}

func (t *tenant) worker(s *site) worker {
	h := worker{t, s, t.svc()}
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
	if s.sim.rng.IntN(3) == 0 {
		c.KeyID, c.KeyLabel, c.LocationID = api.ID{2}, "Gun 1", s.tenant.locations[0].ID
	}
	return c
}

// act is one thing that people do; s is nil at the center.
func (w *simulation) act(t *tenant, s *site) {
	if s != nil && s.node == nil {
		return
	}
	h := t.worker(s)
	good, place := t.products[w.rng.IntN(len(t.products))], t.locations[w.rng.IntN(len(t.locations))]
	q := int64(1 + w.rng.IntN(5))
	switch n := w.rng.IntN(14); n {
	case 0:
		in := api.CreateInboundInput{ProductID: good.ID, LocationID: place.ID, ExpectedQuantity: 2 * q}
		if out, ok := doNew(h, api.CreateInbound, in); ok && w.rng.IntN(2) == 0 {
			h.receive(out.Inbound.ID, good.ID, q)
		}
	case 1, 2, 3:
		if in, ok := pick(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			h.receive(in.ID, in.ProductID, q)
		}
	case 4:
		doNew(h, api.AdjustStock, api.AdjustStockInput{ProductID: t.products[0].ID, LocationID: place.ID, InventoryState: api.Available,
			QuantityDelta: q - 3 + toInt(q == 3), Reason: "found"})
	case 5:
		doNew(h, api.CreateOutbound, api.CreateOutboundInput{LocationID: place.ID, Lines: []api.OutboundLineInput{{ProductID: good.ID, RequestedQuantity: q}}})
	case 6:
		if out, ok := pick(h, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			doNew(h, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
		}
	case 7, 8:
		h.transfer(n == 7, q)
	case 9:
		h.reserve(place.ID, q)
	case 10:
		doNew(h, api.MoveStock, api.MoveStockInput{ProductID: t.products[0].ID, LocationID: place.ID, Quantity: q,
			SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Reason: "dropped"})
	case 11:
		h.count(place.ID)
	case 12, 13:
		h.closeDocument()
	}
}

func (h worker) receive(inbound, product api.ID, q int64) {
	r := api.ReceiveInboundInput{InboundID: inbound, Quantity: q}
	switch product { // the lot or the serial numbers that it is kept by
	case h.products[1].ID:
		r.LotCode = fmt.Sprint("L-", h.sim.rng.IntN(3))
	case h.products[2].ID:
		for range q {
			r.Serials = append(r.Serials, api.SerialInput{SerialNumber: fmt.Sprint("S-", h.sim.rng.IntN(500))})
		}
	}
	doNew(h, api.ReceiveInbound, r)
}

func (h worker) transfer(begin bool, q int64) {
	if begin {
		in := api.CreateTransferInput{ProductID: h.products[0].ID, SourceLocationID: h.locations[0].ID, DestinationLocationID: h.locations[1].ID, Quantity: q}
		if out, ok := doNew(h, api.CreateTransfer, in); ok && h.sim.rng.IntN(2) == 0 {
			doNew(h, api.ShipTransfer, api.MoveTransferInput{TransferID: out.Transfer.ID})
		}
		return
	}
	tr, ok := pick(h, api.ListTransfers, api.ListTransfersInput{})
	switch {
	case !ok:
	case h.sim.rng.IntN(2) == 0:
		doNew(h, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	default:
		doNew(h, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	}
}

// reserve sets goods aside, and may give them back at once.
func (h worker) reserve(place api.ID, q int64) {
	ends := h.sim.now.Add(time.Duration(1+h.sim.rng.IntN(240)) * time.Minute)
	in := api.CreateReservationInput{ProductID: h.products[0].ID, LocationID: place, Quantity: 2 * q, ExpiresAt: &ends}
	if out, ok := doNew(h, api.CreateReservation, in); ok && h.sim.rng.IntN(2) == 0 {
		doNew(h, api.ReleaseReservation, api.ReservationInput{ReservationID: out.Reservation.ID})
	}
}

// count counts what lies in a place: what shows there, or somewhat else.
func (h worker) count(place api.ID) {
	list, err := api.ListBalances.Call(h.sim.ctx, h.svc, api.ListBalancesInput{ProductID: h.products[0].ID, LocationID: place})
	if err != nil || len(list.Items) == 0 {
		return
	}
	n := max(0, list.Items[0].OnHand+h.sim.rng.Int64N(3)-1)
	key := h.sim.newKey()
	h.auditor.counted[key] = n
	if _, ok := do(h, api.ReconcileStock, api.ReconcileStockInput{ProductID: h.products[0].ID, LocationID: place, CountedQuantity: &n, Reason: "counted"}, key); ok &&
		h.site != nil && h.site.down() {
		h.sim.count(countedOffline)
	}
}

// closeDocument ends what others may be working on.
func (h worker) closeDocument() {
	var done bool
	switch h.sim.rng.IntN(5) {
	case 0:
		if x, ok := pick(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = doNew(h, api.CancelInbound, api.InboundInput{InboundID: x.ID})
		}
	case 1:
		if x, ok := pick(h, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = doNew(h, api.CloseInbound, api.CloseInboundInput{InboundID: x.ID, Reason: "no more comes"})
		}
	case 2:
		if x, ok := pick(h, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = doNew(h, api.CancelTransfer, api.TransferInput{TransferID: x.ID})
		}
	case 3:
		if x, ok := pick(h, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = doNew(h, api.CloseTransfer, api.CloseTransferInput{TransferID: x.ID, Reason: "lost"})
		}
	case 4:
		if x, ok := pick(h, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			_, done = doNew(h, api.CancelOutbound, api.OutboundInput{OutboundID: x.ID})
		}
	}
	if done && h.site == nil {
		h.sim.count(closedAtService)
	}
}
