package sim_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// work performs some operations at the site.
func (s *site) work() {
	if s.node == nil || s.idle {
		return
	}
	if s.sim.chance(0.03) {
		s.disk.stepsLeft = s.sim.rng.IntN(12)
	}
	s.disk.full = s.diskFull || s.sim.chance(0.05)
	for range 1 + s.sim.rng.IntN(3) {
		s.sim.act(s.tenant, s)
	}
	if s.edge && s.node != nil && s.sim.chance(0.15) {
		s.countScans()
	}
	if s.node != nil && s.sim.rng.IntN(4) == 0 {
		s.resolve(false)
	}
	s.disk.full = s.diskFull
	s.verify()
	if s.node != nil {
		_ = s.node.SaveCache() // the disk may fail
	}
	s.push()
}

// verify requires that the node's view equals a full replay.
func (s *site) verify() {
	if s.node == nil {
		return
	}
	if replica, ok := s.replicas.Current().(*memStore); ok && !replica.failed {
		require.NoError(s.sim.t, s.node.Verify(s.sim.ctx), "%s: the view differs from a replay", s.name)
	}
}

// A worker performs operations through a site's node, or at the center.
type worker struct {
	*tenant
	site *site // nil at the center
	svc  api.Service
}

func (t *tenant) worker(s *site) worker {
	k := worker{t, s, t.svc()}
	switch {
	case s != nil && s.edge:
		k.svc = s.on(s.device())
	case s != nil:
		k.svc = api.As(s.node, s.caller(), "Ada")
	}
	return k
}

// device returns the caller of a device of the site's edge, which may be bound
// to a location.
func (s *site) device() api.Caller {
	if s.sim.rng.IntN(3) == 0 {
		return s.scanner()
	}
	return s.fixedDevice()
}

// act performs a random operation; s is nil at the center.
func (w *simulation) act(t *tenant, s *site) {
	if s != nil && s.node == nil {
		return
	}
	k := t.worker(s)
	product, location := t.products[w.rng.IntN(len(t.products))], t.locations[w.rng.IntN(len(t.locations))]
	q := int64(1 + w.rng.IntN(5))
	switch n := w.rng.IntN(14); n {
	case 0:
		in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID}, ExpectedQuantity: 2 * q}
		if out, ok := doNew(k, api.CreateInbound, in); ok && w.rng.IntN(2) == 0 {
			k.receive(out.Inbound.ID, product.ID, q)
		}
	case 1, 2, 3:
		if in, ok := pick(k, api.ListInbounds, api.ListInboundsInput{}); ok {
			k.receive(in.ID, in.ProductID, q)
		}
	case 4:
		doNew(k, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: t.products[0].ID, LocationID: location.ID}, InventoryState: api.Available,
			QuantityDelta: q - 3 + toInt(q == 3), Reason: "found"})
	case 5:
		doNew(k, api.CreateOutbound, api.CreateOutboundInput{LocationID: location.ID, Lines: []api.OutboundLineInput{{ProductID: product.ID, RequestedQuantity: q}}})
	case 6:
		if out, ok := pick(k, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			k.fulfill(out.ID, q)
		}
	case 7, 8:
		k.transfer(n == 7, q)
	case 9:
		k.reserve(location.ID, q)
	case 10:
		doNew(k, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: t.products[0].ID, LocationID: location.ID}, Quantity: q,
			SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Reason: "dropped"})
	case 11:
		k.count(location.ID)
	case 12, 13:
		k.closeDocument()
	}
}

func (k worker) receive(inbound, product api.ID, q int64) {
	r := api.ReceiveInboundInput{InboundID: inbound, Quantity: q}
	switch product { // products 1 and 2 are tracked by lot and serial number
	case k.products[1].ID:
		r.LotCode = fmt.Sprint("L-", k.sim.rng.IntN(3))
	case k.products[2].ID:
		for range q {
			r.Serials = append(r.Serials, api.SerialInput{SerialNumber: fmt.Sprint("S-", k.sim.rng.IntN(500))})
		}
	}
	doNew(k, api.ReceiveInbound, r)
}

// fulfill fulfills an order, half the time from a lot, which may be picked before or
// swapped for what is picked.
func (k worker) fulfill(outbound api.ID, q int64) {
	in := api.FulfillOutboundInput{OutboundID: outbound}
	lot, ok := pick(k, api.ListLots, api.ListLotsInput{ProductID: k.products[1].ID})
	if !ok || k.sim.rng.IntN(2) == 0 {
		doNew(k, api.FulfillOutbound, in)
		return
	}
	if k.sim.rng.IntN(2) == 0 {
		doNew(k, api.PickOutbound, api.HandleOutboundInput{OutboundID: outbound})
	}
	in.Lots = []api.FulfilledLot{{LotID: lot.ID, Quantity: q, Swap: k.sim.rng.IntN(2) == 0}}
	key := k.sim.newKey()
	k.auditor.fulfilled[key] = lot.ID
	if k.site != nil {
		k.site.lotCodes[lot.ID.String()] = lot.LotCode
	}
	do(k, api.FulfillOutbound, in, key)
}

func (k worker) transfer(begin bool, q int64) {
	if begin {
		in := api.CreateTransferInput{ProductID: k.products[0].ID, SourceLocationID: k.locations[0].ID, DestinationLocationID: k.locations[1].ID, Quantity: q}
		if out, ok := doNew(k, api.CreateTransfer, in); ok && k.sim.rng.IntN(2) == 0 {
			doNew(k, api.ShipTransfer, api.MoveTransferInput{TransferID: out.Transfer.ID})
		}
		return
	}
	tr, ok := pick(k, api.ListTransfers, api.ListTransfersInput{})
	switch {
	case !ok:
	case k.sim.rng.IntN(2) == 0:
		doNew(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	default:
		doNew(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	}
}

// reserve reserves stock, and may release it at once.
func (k worker) reserve(location api.ID, q int64) {
	ends := k.sim.now.Add(time.Duration(1+k.sim.rng.IntN(240)) * time.Minute)
	in := api.CreateReservationInput{StockKey: api.StockKey{ProductID: k.products[0].ID, LocationID: location}, Quantity: 2 * q, ExpiresAt: &ends}
	if out, ok := doNew(k, api.CreateReservation, in); ok && k.sim.rng.IntN(2) == 0 {
		doNew(k, api.ReleaseReservation, api.ReservationInput{ReservationID: out.Reservation.ID})
	}
}

// count reconciles the stock at a location, with a count that may be off by
// one.
func (k worker) count(location api.ID) {
	list, err := api.ListBalances.Call(k.sim.ctx, k.svc, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.products[0].ID, LocationID: location}})
	if err != nil || len(list.Items) == 0 {
		return
	}
	n := max(0, list.Items[0].OnHand+k.sim.rng.Int64N(3)-1)
	key := k.sim.newKey()
	k.auditor.counted[key] = n
	if _, ok := do(k, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: k.products[0].ID, LocationID: location}, CountedQuantity: &n, Reason: "counted"}, key); ok &&
		k.site != nil && k.site.down() {
		k.sim.count(countedOffline)
	}
}

// closeDocument closes or cancels a document that others may be working on.
func (k worker) closeDocument() {
	var done bool
	switch k.sim.rng.IntN(5) {
	case 0:
		if x, ok := pick(k, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = doNew(k, api.CancelInbound, api.InboundInput{InboundID: x.ID})
		}
	case 1:
		if x, ok := pick(k, api.ListInbounds, api.ListInboundsInput{}); ok {
			_, done = doNew(k, api.CloseInbound, api.CloseInboundInput{InboundID: x.ID, Reason: "no more comes"})
		}
	case 2:
		if x, ok := pick(k, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = doNew(k, api.CancelTransfer, api.TransferInput{TransferID: x.ID})
		}
	case 3:
		if x, ok := pick(k, api.ListTransfers, api.ListTransfersInput{}); ok {
			_, done = doNew(k, api.CloseTransfer, api.CloseTransferInput{TransferID: x.ID, Reason: "lost"})
		}
	case 4:
		if x, ok := pick(k, api.ListOutbounds, api.ListOutboundsInput{}); ok {
			_, done = doNew(k, api.CancelOutbound, api.OutboundInput{OutboundID: x.ID})
		}
	}
	if done && k.site == nil {
		k.sim.count(closedAtService)
	}
}
