package sim_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// recordCreated records the id of the document that an operation creates.
func (s *site) recordCreated(spec *api.Spec, key string) {
	if spec.Creates() && spec.Document != "" {
		id := ledger.DerivedID(s.tenant.partition(), string(spec.Document), key)
		s.created[key], s.createdBy[id] = id.String(), key
	}
}

// checkOrder requires that a request arrives after the creation of its
// document, unless a person resolved that otherwise or the service lost it.
func (s *site) checkOrder(req *api.Request) {
	key := s.createdBy[req.DocumentID()]
	if key == "" || req.Spec.Creates() || s.parentMayLack(key) || s.forOther[req.IdempotencyKey] {
		return
	}
	done := s.tenant.auditor.has(key, s.name)
	if !done && s.node != nil {
		if op := s.node.Operation(key); op != nil {
			done = s.tenant.auditor.hasWork(op, s.name)
		}
	}
	require.True(s.sim.t, done, "%s sends %s %s before %s, which creates what it needs", s.name, req.Spec.ID, req.IdempotencyKey, key)
}

// parentMayLack reports whether the service may lack what an operation creates
// although its dependents are sent.
func (s *site) parentMayLack(key string) bool {
	state := s.saved[key]
	if s.node != nil {
		if op := s.node.Operation(key); op != nil {
			state = op.State
		}
	}
	return state == "" || state == outbox.Discarded || state == outbox.Replaced || s.restored || s.sim.service.restores > 0
}

// recordTarget records that an operation is for another site's document, if that has the key
// of a creation here which is saved later, or is known to have been used there.
func (s *site) recordTarget(document api.ID, key string) {
	if _, known := s.forOther[key]; known {
		return // by the first operation with the key
	}
	creation := s.createdBy[document]
	s.noteReuse(creation)
	s.forOther[key] = creation == "" || s.reused[creation]
}

// noteReuse records that the key of an operation is known to have been used for other work.
func (s *site) noteReuse(key string) {
	if op := s.node.Operation(key); op != nil && op.State == outbox.Held && op.Refusal.Code == api.IdempotencyKeyReused {
		s.reused[key] = true
	}
}

// checkMissingParent requires that an operation was not rejected because what
// it needs was not sent.
func (s *site) checkMissingParent(op *outbox.Operation) {
	if op.State != outbox.Refused || op.Refusal.Code != api.NotFound {
		return
	}
	if op.Refusal.Details["resource"] == "lot" {
		s.checkMissingLot(op)
		return
	}
	for key, id := range s.created {
		if strings.Contains(op.Target, id) && !s.parentMayLack(key) {
			require.Fail(s.sim.t, "rejected without its parent", "%s: %s %s was rejected (%s), which needs %s", s.name, op.SpecID, op.Key, op.Refusal.Message, key)
		}
	}
}

// checkMissingLot requires that an operation whose lot the service lacks was not sent before
// a receipt of that lot here, unless the service lost it or a person resolved that.
func (s *site) checkMissingLot(op *outbox.Operation) {
	code := s.lotCodes[fmt.Sprint(op.Refusal.Details["lotId"])]
	for _, other := range s.node.Operations() {
		if other.Seq < op.Seq && other.State.Open() && other.SpecID == api.ReceiveInbound.ID && code != "" && strings.Contains(string(other.Body), strconv.Quote(code)) &&
			(s.sim.basic == nil || !s.swapped[other.Key]) && !s.restored && s.sim.service.restores == 0 {
			require.Fail(s.sim.t, "rejected without its lot", "%s: %s %s was rejected (%s), which needs %s, which is %s", s.name, op.SpecID, op.Key, op.Refusal.Message, other.Key, other.State)
		}
	}
}

// raceReservation makes an offline site reserve stock and continue with the
// reservation while others take that stock.
func (w *simulation) raceReservation() {
	s := w.nodes[w.rng.IntN(len(w.nodes))]
	if s.node == nil || !s.node.Ready() || s.idle {
		return
	}
	t := s.tenant
	at := api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[w.rng.IntN(2)].ID}
	list, err := api.ListBalances.Call(w.ctx, t.svc(), api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: at.ProductID, LocationID: at.LocationID}})
	if err != nil || len(list.Items) == 0 || list.Items[0].Available < 3 {
		return
	}
	available := list.Items[0].Available
	s.offline = true
	center := t.worker(nil)
	adjust := func(n int64) {
		doNew(center, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.Available, QuantityDelta: n, Reason: "taken by others"})
	}
	w.schedule(time.Minute, func() {
		if s.node == nil {
			return
		}
		s.catchCrash(func() {
			ends := s.now().Add(time.Duration(10+w.rng.IntN(20)) * time.Hour)
			k := t.worker(s)
			out, ok := doNew(k, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: available - 1, ExpiresAt: &ends})
			if !ok {
				return
			}
			w.count(reservationRaced)
			next := []func(api.ReservationInput){
				func(in api.ReservationInput) { doNew(k, api.CommitReservation, in) },
				func(in api.ReservationInput) { doNew(k, api.ReleaseReservation, in) },
			}
			w.rng.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			for _, fn := range next[:1+w.rng.IntN(2)] {
				fn(api.ReservationInput{ReservationID: out.Reservation.ID})
			}
		})
	})
	w.schedule(2*time.Minute, func() { adjust(3 - available) })
	w.schedule(40*time.Minute, func() { adjust(available) }) // new stock
}

// rejectedForTime reports whether the service rejected an operation for the
// time at which it occurred.
func rejectedForTime(details api.Details) bool {
	fields, _ := details["fields"].([]api.FieldProblem)
	return slices.ContainsFunc(fields, func(p api.FieldProblem) bool { return p.Path == api.OccurredAtHeader })
}
