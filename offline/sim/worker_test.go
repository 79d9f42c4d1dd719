package sim_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/journal"
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
	if s.countNight(); s.sim.rng.IntN(2) == 0 {
		s.acknowledgeCopy()
	}
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
	switch n := w.rng.IntN(15); n {
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
	case 14:
		k.correct(product.ID, location.ID, q)
	}
}

// correct corrects a product or a location, half the time only in the version that was read.
func (k worker) correct(product, location api.ID, q int64) {
	if k.sim.basic != nil { // a node sees a new name only with the next movement
		return
	}
	var options []api.Option
	if k.sim.rng.IntN(3) == 0 {
		doNew(k, api.ChangeLocation, api.ChangeLocationInput{LocationID: location, Name: fmt.Sprint("Location ", q)})
		return
	}
	if p, err := api.GetProduct.Call(k.sim.ctx, k.svc, api.ProductInput{ProductID: product}); err == nil && k.sim.rng.IntN(2) == 0 {
		options = append(options, api.IfMatch(p.CurrentVersion()))
	}
	do(k, api.ChangeProduct, api.ChangeProductInput{ProductID: product, ReorderPoint: &q}, k.newKey(api.ChangeProduct.Spec), options...)
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

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// pick returns a random item of a list, as the worker sees it.
func pick[I, T any](k worker, op api.Operation[I, api.List[T]], in I) (T, bool) {
	var zero T
	list, err := op.Call(k.sim.ctx, k.svc, in)
	if err != nil || len(list.Items) == 0 {
		return zero, false
	}
	return list.Items[k.sim.rng.IntN(len(list.Items))], true
}

// doNew performs an operation with a new key.
func doNew[I, O any](k worker, op api.Operation[I, O], in I) (O, bool) {
	return do(k, op, in, k.newKey(op.Spec))
}

// newKey returns a key for an operation, rarely one that another site has used, mostly for
// other work of the same kind: two documents with one key have one ID.
func (k worker) newKey(spec *api.Spec) string {
	w := k.sim
	creates := spec.Creates()
	if k.site != nil && w.basic == nil && w.chance(0.03) {
		if list := k.auditor.keys[creates != w.chance(0.2)]; len(list) > 0 {
			if key := list[w.rng.IntN(len(list))]; !k.auditor.users[key][k.site.name] {
				w.count(keyOfAnotherSite)
				if creates {
					w.count(keyOfAnotherDocument)
				}
				return key
			}
		}
	}
	key := w.newKey()
	k.auditor.keys[creates] = append(k.auditor.keys[creates], key)
	return key
}

// do performs an operation, and half the time accepts the risk if the local
// ledger rejects it. ok means that it was reported as done or saved without
// risk.
func do[I, O any](k worker, op api.Operation[I, O], in I, key string, options ...api.Option) (out O, ok bool) {
	w, s := k.sim, k.site
	if s != nil && s.node == nil {
		return out, false
	}
	who := "center"
	if s != nil {
		who = s.name
	}
	k.auditor.addKey(key, who)
	if s != nil { // before a crash, after which the operation may be saved
		s.recordTarget((&api.Request{Spec: op.Spec, Input: &in}).DocumentID(), key)
	}
	out, err := op.Call(w.ctx, k.svc, in, append(options, api.Key(key))...)
	var e *api.Error
	if errors.As(err, &e) && e.Details["insist"] == true && w.rng.IntN(2) == 0 {
		out, err = op.Call(w.ctx, k.svc, in, append(options, api.Key(key), api.AcceptRisk())...)
	}
	if s == nil {
		return out, err == nil
	}
	w.logf("%s does %s %s: %v", s.name, op.Spec.ID, key[:8], err)
	switch {
	case err == nil || api.HasCode(err, api.AtRisk):
		s.saved[key] = "captured"
		s.recordCreated(op.Spec, key)
		if s.skew != 0 {
			w.count(clockWrongAtWork)
		}
	case errors.Is(err, journal.ErrUncertain):
		s.restartIfUncertain(err)
	default:
		switch {
		case !api.HasCode(err, api.LocationNotAllowed):
		case s.locations != nil:
			w.count(workedElsewhere)
		default:
			w.count(boundDeviceRejected)
		}
		s.notSaved[key] = true
	}
	return out, err == nil
}

// checkInterval is the time between two checks.
const checkInterval = 15 * time.Minute

// runDays runs the simulation until it is healed.
func (w *simulation) runDays() {
	for day := range 2 + w.rng.IntN(2) {
		if day > 0 {
			w.night()
		}
		for range 3 + w.rng.IntN(3) {
			w.changeConditions(day)
			for _, t := range w.tenants {
				if t.products != nil {
					w.act(t, nil)
				}
			}
			w.run(checkInterval)
			w.check()
		}
	}
}

// night makes backups and restarts some programs.
func (w *simulation) night() {
	w.service.backup = w.service.store.clone()
	for _, s := range w.nodes {
		if s.node != nil && w.chance(0.5) {
			s.stop()
			w.schedule(time.Duration(w.rng.IntN(600))*time.Second, s.start)
		}
		s.backup, s.replicaBackup = s.disk.backup(), s.replicas.reopen()
		s.offlineToday = w.inject(offlineForADay, 0.05)
	}
	w.sleep(10*time.Hour + time.Duration(w.rng.IntN(300))*time.Minute)
	w.logf("next day")
}

// changeConditions chooses the conditions of the next interval.
func (w *simulation) changeConditions(day int) {
	for _, t := range w.tenants {
		t.keysDenied, t.quotaExceeded = w.chance(0.03), w.chance(0.06)
	}
	if day > 0 && w.basic == nil && w.service.restores < 2 && w.chance(0.03) {
		w.slowUntil = w.now.Add(4 * time.Minute)
		w.schedule(4*time.Minute, w.service.restore)
	}
	if w.chance(0.02) {
		w.service.skew = w.clockJump(serviceClockForward, serviceClockBack)
		w.logf("the service's clock is off by %s", w.service.skew)
	}
	for _, s := range w.nodes {
		s.changeConditions(day)
	}
	if w.chance(0.1) {
		w.raceInbound()
	}
	if w.chance(0.1) {
		w.raceReservation()
	}
}

// clockJump returns how far off a clock is that was set wrong or lost its
// battery.
func (w *simulation) clockJump(forward, back fault) time.Duration {
	d := time.Duration(1+w.rng.IntN(3*24*3600)) * time.Second
	if w.rng.IntN(10) == 0 {
		d *= 300
	}
	if w.rng.IntN(2) == 0 {
		w.count(forward)
		return d
	}
	w.count(back)
	return -d
}

// changeConditions chooses the conditions at a site.
func (s *site) changeConditions(day int) {
	w := s.sim
	s.offline = s.offlineToday || w.inject(offlineForHours, 0.35)
	s.disk.failing, s.replicaFails = w.chance(0.06), w.chance(0.04)
	if w.chance(0.02) {
		s.setClock(w.clockJump(clockForward, clockBack))
		w.logf("%s's clock is off by %s", s.name, s.skew)
		s.schedule(time.Second, func() { s.push(); s.pull() })
	}
	if !s.diskFull && w.inject(diskFullForAnHour, 0.02) {
		s.diskFull, s.disk.full = true, true
		w.schedule(time.Hour, func() { s.diskFull, s.disk.full = false, false })
	}
	if s.diskFull { // captures fail while answers arrive
		s.offline = false
	}
	if s.replicas.current != nil && w.inject(replicaDead, 0.015) {
		s.replicas.current.failed = true
	}
	switch {
	case day > 0 && w.inject(nodeRestored, 0.01):
		s.restoreBackup()
	case w.inject(keyRevoked, 0.02):
		s.revoke()
	case w.chance(0.02) && s.node != nil:
		s.stop()
		s.restart(time.Minute)
	}
}

// setClock sets how far off the site's clock is. If it jumps ahead for days, what was done
// before seems so old that a journal drops it which keeps few operations by their order.
func (s *site) setClock(skew time.Duration) {
	s.keysExpired = s.keysExpired || s.keepsFew && max(skew, skew-s.skew) > 4*24*time.Hour
	s.clockSkewed = s.clockSkewed || skew != 0
	s.skew = skew
}

// revoke revokes the site's key. It is replaced after a while, possibly first
// by a key of another tenant.
func (s *site) revoke() {
	w := s.sim
	s.revoked = append(s.revoked, s.key.number)
	w.logf("the key of %s is revoked", s.name)
	replaceKey := func(owner *tenant) func() {
		return func() {
			if w.healed {
				owner = s.tenant
			}
			s.keyCount++
			s.key = apiKey{owner, s.keyCount}
			w.logf("%s has another key, of %s %s", s.name, owner.org.Name, owner.env)
			if s.node != nil {
				s.catchCrash(func() { s.node.Resume(); s.push(); s.pull() })
			}
		}
	}
	wait := time.Duration(5+w.rng.IntN(40)) * time.Minute
	if other := w.tenants[w.rng.IntN(len(w.tenants))]; other.org.ID != s.tenant.org.ID {
		w.schedule(wait/2, replaceKey(other))
	}
	w.schedule(wait, func() { w.count(keyReplaced); replaceKey(s.tenant)() })
}
