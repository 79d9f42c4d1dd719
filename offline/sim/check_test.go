package sim_test

import (
	"reflect"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// check checks what must hold at any time.
func (w *simulation) check() {
	for _, t := range w.tenants {
		t.auditor.readChanges()
	}
	for _, s := range w.nodes {
		if s.node != nil {
			s.check()
		}
	}
}

// check requires that operations reported as saved exist, and that those
// reported as done are.
func (s *site) check() {
	w, t, audit := s.sim, s.sim.t, s.tenant.auditor
	items := map[string]*outbox.Operation{}
	list := s.node.Operations()
	for i := range list {
		op := &list[i]
		items[op.Key] = op
		require.True(t, audit.users[op.Key][s.name], "%s has %s of another site", s.name, op.Key)
		require.False(t, s.notSaved[op.Key], "%s has %s, which was reported as not saved", s.name, op.Key)
		require.False(t, op.State == outbox.Refused && rejectedForTime(op.Refusal.Details), "%s: %s was rejected for its time", s.name, op.Key)
		require.True(t, op.State != outbox.Refused || s.rejected[op.Key], "%s: %s was rejected (%v), but not by the service", s.name, op.Key, op.Refusal)
		s.checkMissingParent(op)
	}
	for key, last := range s.saved {
		op := items[key]
		switch {
		case op == nil && (last == outbox.Discarded || last == outbox.Replaced || audit.has(key, s.name)):
		case op == nil && (s.restored || audit.lost[key+s.name] && s.keysExpired):
			delete(s.saved, key) // the loss is legitimate
			delete(audit.done, key+s.name)
		case op == nil:
			require.Fail(t, "lost", "%s lost %s, which was reported as saved", s.name, key)
		case op.State == outbox.Done && !op.MaybeLost && w.basic != nil && s.swapped[op.Key] && !op.Confirmed: // the changes will tell
			s.saved[key] = op.State
		case op.State == outbox.Done && !op.MaybeLost:
			require.True(t, audit.hasWork(op, s.name) || audit.lost[key+s.name], "%s shows %s as done, which the service lacks", s.name, key)
			audit.done[key+s.name] = true
			fallthrough
		default:
			s.saved[key] = op.State
		}
	}
}

// heal ends all faults, and requires that every queue drains and every node
// shows what the service has.
func (w *simulation) heal() {
	w.logf("heal")
	w.healed = true
	w.service.skew = 0
	for _, s := range w.nodes {
		s.diskFull, s.disk.full, s.disk.failing, s.disk.stepsLeft, s.replicaFails = false, false, false, -1, false
		s.setClock(0)
	}
	w.run(45 * time.Minute)
	for range 3 { // rejected operations may have blocked others
		for _, s := range w.nodes {
			require.NotNil(w.t, s.node, s.name)
			s.idle = true
			s.resolve(true)
		}
		w.run(20 * time.Minute)
	}
	w.poisonPhase()
	w.runUntilIdle()
	proof, err := w.service.ledger.Verify(w.ctx)
	require.NoError(w.t, err)
	require.Empty(w.t, proof.Faults)
	w.check()
	for _, s := range w.nodes {
		for _, op := range s.node.Operations() {
			w.logf("%s: %.8s %s %s sent %s confirmed %t maybe lost %t: %s", s.name, op.Key, op.SpecID, op.State, op.SentAt.Format("02 15:04:05"), op.Confirmed, op.MaybeLost, codeOf(op.Refusal))
		}
		s.checkDrained()
	}
	for _, t := range w.tenants {
		switch {
		case t.products == nil:
		case w.basic != nil:
			t.checkBasicNodes()
		default:
			t.checkNodes()
		}
	}
}

func codeOf(r *outbox.Refusal) api.Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// runUntilIdle runs until the service has no new changes, such as reservations
// that expire.
func (w *simulation) runUntilIdle() {
	positions := func() (list []int64) {
		for _, t := range w.tenants {
			t.auditor.readChanges()
			list = append(list, t.auditor.seq)
		}
		return list
	}
	for range 200 {
		before := positions()
		w.run(2 * time.Minute)
		if slices.Equal(before, positions()) {
			return
		}
	}
	require.Fail(w.t, "the service does not become idle")
}

// checkDrained requires that nothing is pending, and that every operation has
// its reported outcome.
func (s *site) checkDrained() {
	t, audit := s.sim.t, s.tenant.auditor
	c := s.node.Status().Counts
	require.Zero(t, c.Waiting+c.Refused+c.Held, "%s still has %+v", s.name, c)
	for _, op := range s.node.Operations() {
		switch op.State {
		case outbox.Done:
			require.True(t, op.Confirmed, "the replica of %s lacks %s", s.name, op.Key)
			require.True(t, audit.hasWork(&op, s.name), "%s shows %s as done, which the service lacks", s.name, op.Key)
		case outbox.Discarded, outbox.Replaced:
			// Neither a basicService nor a snapshot reports keys: the node cannot know
			// that a delayed copy of a rejected request was done later.
			late := s.sim.basic != nil && s.duplicated[op.Key] || s.hiddenBySnapshot[op.Key] || s.resolvedUnknown[op.Key] || s.doneTwice[op.Key]
			require.True(t, s.restored || late || !audit.has(op.Key, s.name), "%s discarded %s, which the service has", s.name, op.Key)
		}
	}
	for key, state := range s.saved {
		if audit.done[key+s.name] && state != outbox.Discarded && state != outbox.Replaced { // by a person, after a restore
			op := s.node.Operation(key)
			require.True(t, audit.has(key, s.name) || op != nil && audit.hasWork(op, s.name), "%s was reported as done and is lost", key)
		}
	}
}

// checkNodes requires that every node of a tenant shows what the service
// shows.
func (t *tenant) checkNodes() {
	checkList(t, api.ListBalances, func(in *api.ListBalancesInput, c string) { in.Cursor = c }, func(x *api.Balance) (api.ID, bool) { return x.ID, true },
		func(x *api.Balance) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListInbounds, func(in *api.ListInboundsInput, c string) { in.Cursor = c }, func(x *api.Inbound) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Inbound) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListTransfers, func(in *api.ListTransfersInput, c string) { in.Cursor = c }, func(x *api.Transfer) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Transfer) []api.ID { return []api.ID{x.SourceLocationID, x.DestinationLocationID} })
	checkList(t, api.ListReservations, func(in *api.ListReservationsInput, c string) { in.Cursor = c }, func(x *api.Reservation) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Reservation) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListOutbounds, func(in *api.ListOutboundsInput, c string) { in.Cursor = c }, func(x *api.Outbound) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Outbound) []api.ID { return []api.ID{x.LocationID} })
	checkList(t, api.ListSerials, func(in *api.ListSerialsInput, c string) { in.Cursor = c }, func(x *api.Serial) (api.ID, bool) { return x.ID, open(x.Status) },
		func(x *api.Serial) []api.ID { return []api.ID{x.LocationID} })
}

// checkList requires that a list is the same at the nodes as at the service,
// except that a node may lack closed documents, and one that is limited has what is at its
// locations. at is nil if no node is.
func checkList[I, T any](t *tenant, op api.Operation[I, api.List[T]], setCursor func(*I, string), idOf func(*T) (api.ID, bool), at func(*T) []api.ID) {
	w := t.sim
	remote := listAll(t, api.As(w.service.ledger, t.caller("center"), ""), op, setCursor, idOf)
	for _, s := range w.nodes {
		if s.tenant != t {
			continue
		}
		local := listAll(t, api.As(s.node, s.caller(), ""), op, setCursor, idOf)
		for id, x := range remote {
			got := local[id]
			if _, open := idOf(x); got == nil && !open || at != nil && !s.concerns(at(x)) {
				continue
			}
			if !reflect.DeepEqual(x, got) {
				require.Equal(w.t, x, got, "%s differs in %s", s.name, op.ID)
			}
		}
		for id := range local {
			require.Contains(w.t, remote, id, "%s shows an item that the service lacks: %s", s.name, op.ID)
		}
	}
}

// open reports whether a document or serial with that status can still change.
func open[S ~string](status S) bool {
	return !slices.Contains([]S{"received", "closed", "cancelled", "fulfilled", "expired", "released", "consumed", "shipped"}, status)
}

func listAll[I, T any](t *tenant, svc api.Service, op api.Operation[I, api.List[T]], setCursor func(*I, string), idOf func(*T) (api.ID, bool)) map[api.ID]*T {
	list := map[api.ID]*T{}
	var in I
	for {
		page, err := op.Call(t.sim.ctx, svc, in)
		require.NoError(t.sim.t, err)
		for i := range page.Items {
			x := &page.Items[i]
			id, _ := idOf(x)
			list[id] = x
		}
		if page.NextCursor == nil {
			return list
		}
		setCursor(&in, *page.NextCursor)
	}
}
