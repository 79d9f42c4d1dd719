package sim_test

import (
	"reflect"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// check holds what must be so at any time.
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

// check holds that what was told saved is there, and what was told done is done.
func (s *site) check() {
	t, b := s.sim.t, s.tenant.auditor
	items := map[string]*outbox.Operation{}
	list := s.node.Operations()
	for i := range list {
		it := &list[i]
		items[it.Key] = it
		require.Equal(t, s.name, b.keyOwner[it.Key], "%s holds %s, which is of another", s.name, it.Key)
		require.False(t, s.notSaved[it.Key], "%s kept %s, which was told not saved", s.name, it.Key)
	}
	for key, last := range s.saved {
		it := items[key]
		switch {
		case it == nil && (last == outbox.Discarded || last == outbox.Replaced || b.has(key)):
		case it == nil && (s.restored || b.lost[key] && s.keysExpired):
			delete(s.saved, key) // nobody can know of it any more
			delete(b.done, key)
		case it == nil:
			require.Fail(t, "lost", "%s forgot %s, which was told saved", s.name, key)
		case it.State == outbox.Done && !it.MaybeLost:
			require.True(t, b.has(key) || b.lost[key], "%s takes %s for done, and the service has it not", s.name, key)
			b.done[key] = true
			fallthrough
		default:
			s.saved[key] = it.State
		}
	}
}

// heal ends all that is wrong; then every queue must drain and every node show
// what the service has.
func (w *simulation) heal() {
	w.logf("all is well again")
	w.healed = true
	w.service.skew = 0
	for _, s := range w.nodes {
		s.disk.full, s.disk.failing, s.disk.stepsLeft, s.replicaFails, s.skew = false, false, -1, false, 0
	}
	w.run(45 * time.Minute)
	for range 3 { // what was refused may have stopped others
		for _, s := range w.nodes {
			require.NotNil(w.t, s.node, s.name)
			s.idle = true
			s.resolve(true)
		}
		w.run(20 * time.Minute)
	}
	w.runUntilIdle()
	proof, err := w.service.ledger.Verify(w.ctx)
	require.NoError(w.t, err)
	require.Empty(w.t, proof.Faults)
	w.check()
	for _, s := range w.nodes {
		for _, it := range s.node.Operations() {
			w.logf("%s: %.8s %s %s sent %s settled %t doubted %t: %v", s.name, it.Key, it.SpecID, it.State, it.SentAt.Format("02 15:04:05"), it.Confirmed, it.MaybeLost, it.Refusal)
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

// runUntilIdle lets the world go on until nothing new happens at the service, where
// what was set aside ends by itself.
func (w *simulation) runUntilIdle() {
	places := func() (list []int64) {
		for _, t := range w.tenants {
			t.auditor.readChanges()
			list = append(list, t.auditor.seq)
		}
		return list
	}
	for range 200 {
		before := places()
		w.run(2 * time.Minute)
		if slices.Equal(before, places()) {
			return
		}
	}
	require.Fail(w.t, "the service does not come to rest")
}

// checkDrained holds that nothing waits, and that what was told final is so.
func (s *site) checkDrained() {
	t, b := s.sim.t, s.tenant.auditor
	c := s.node.Status().Counts
	require.Zero(t, c.Waiting+c.Refused+c.Held, "%s still has %+v", s.name, c)
	for _, it := range s.node.Operations() {
		switch it.State {
		case outbox.Done:
			require.True(t, it.Confirmed, "%s does not know that it shows %s", s.name, it.Key)
			require.True(t, b.has(it.Key), "%s takes %s for done, and the service has it not", s.name, it.Key)
		case outbox.Discarded, outbox.Replaced:
			// A plain service does not tell whose the movements are, nor does a snapshot:
			// what was refused and then done for a copy that was late is not known here.
			late := s.sim.basic != nil && s.duplicated[it.Key] || s.hiddenBySnapshot[it.Key] || s.resolvedUnknown[it.Key]
			require.True(t, s.restored || late || !b.has(it.Key), "%s gave %s up, which the service has", s.name, it.Key)
		}
	}
	for key, state := range s.saved {
		if b.done[key] && state != outbox.Discarded && state != outbox.Replaced { // by a person, after a restore
			require.True(t, b.has(key), "%s was told final, and is gone", key)
		}
	}
}

// checkNodes holds that every node of a tenant shows what the service shows.
func (t *tenant) checkNodes() {
	checkList(t, api.ListBalances, func(in *api.ListBalancesInput, c string) { in.Cursor = c }, func(x *api.Balance) (api.ID, bool) { return x.ID, true })
	checkList(t, api.ListInbounds, func(in *api.ListInboundsInput, c string) { in.Cursor = c }, func(x *api.Inbound) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListTransfers, func(in *api.ListTransfersInput, c string) { in.Cursor = c }, func(x *api.Transfer) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListReservations, func(in *api.ListReservationsInput, c string) { in.Cursor = c }, func(x *api.Reservation) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListOutbounds, func(in *api.ListOutboundsInput, c string) { in.Cursor = c }, func(x *api.Outbound) (api.ID, bool) { return x.ID, open(x.Status) })
	checkList(t, api.ListSerials, func(in *api.ListSerialsInput, c string) { in.Cursor = c }, func(x *api.Serial) (api.ID, bool) { return x.ID, open(x.Status) })
}

// checkList holds that the nodes show of a list what the service shows, of what they
// know: of what has ended they may know less.
func checkList[I, T any](t *tenant, op api.Operation[I, api.List[T]], turn func(*I, string), of func(*T) (api.ID, bool)) {
	w := t.sim
	there := listAll(t, api.As(w.service.ledger, t.caller("center"), ""), op, turn, of)
	for _, s := range w.nodes {
		if s.tenant != t {
			continue
		}
		here := listAll(t, api.As(s.node, s.caller(), ""), op, turn, of)
		for id, x := range there {
			mine := here[id]
			if _, lasts := of(x); mine == nil && !lasts {
				continue
			}
			if !reflect.DeepEqual(x, mine) {
				require.Equal(w.t, x, mine, "%s shows another %s", s.name, op.ID)
			}
		}
		for id := range here {
			require.Contains(w.t, there, id, "%s shows what is not there: %s", s.name, op.ID)
		}
	}
}

// open tells whether anything can still be done with what has that status.
func open[S ~string](status S) bool {
	return !slices.Contains([]S{"received", "closed", "cancelled", "fulfilled", "expired", "released", "consumed", "shipped"}, status)
}

func listAll[I, T any](t *tenant, svc api.Service, op api.Operation[I, api.List[T]], turn func(*I, string), of func(*T) (api.ID, bool)) map[api.ID]*T {
	list := map[api.ID]*T{}
	var in I
	for {
		page, err := op.Call(t.sim.ctx, svc, in)
		require.NoError(t.sim.t, err)
		for i := range page.Items {
			x := &page.Items[i]
			id, _ := of(x)
			list[id] = x
		}
		if page.NextCursor == nil {
			return list
		}
		turn(&in, *page.NextCursor)
	}
}
