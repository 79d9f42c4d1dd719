package sim_test

import (
	"bytes"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// poisonPhase lets nothing through that contains a certain text, as a filter
// may, for two hours in which all else works. Unrelated work must arrive in
// time and the connection stay up.
func (w *simulation) poisonPhase() {
	s := w.nodes[w.rng.IntN(len(w.nodes))]
	if s.tenant.products == nil || s.locations != nil { // the unrelated work is elsewhere
		return
	}
	k := s.tenant.worker(s)
	k.svc = api.As(s.node, s.caller(), "Ada")
	keys := k.poison()
	if keys == nil {
		return
	}
	w.count(poisoned)
	for range 12 {
		unrelated := k.unrelatedWork()
		s.push()
		for range 10 {
			w.run(time.Minute)
			require.True(w.t, s.node.Status().Link.Up, "%s: one operation marked the connection down", s.name)
		}
		for _, key := range unrelated {
			require.True(w.t, s.tenant.auditor.has(key, s.name), "%s: %s waits for an operation that never gets through", s.name, key)
		}
	}
	for _, key := range keys {
		require.False(w.t, s.tenant.auditor.has(key, s.name))
		require.True(w.t, s.node.Operation(key).State.Open(), "%s: %s is resolved without an answer", s.name, key)
	}
	require.Positive(w.t, s.node.Status().Stuck, "%s does not report the operation as stuck", s.name)
	if w.basic == nil && w.rng.IntN(2) == 0 {
		s.resolvePoison(keys)
		return
	}
	s.poison = ""
	w.run(10 * time.Minute)
	for _, key := range keys {
		require.True(w.t, s.tenant.auditor.has(key, s.name), "%s: %s does not get through after all", s.name, key)
	}
}

// resolvePoison edits or discards an operation that never gets through, once the service
// was found not to have it. Nobody has to accept that it may be done.
func (s *site) resolvePoison(keys []string) {
	w, t := s.sim, s.tenant
	for range 60 {
		if !s.node.Operation(keys[0]).NotRecordedAt.IsZero() {
			break
		}
		w.run(5 * time.Second)
	}
	op := s.node.Operation(keys[0])
	require.False(w.t, op.NotRecordedAt.IsZero(), "%s does not find out that the service lacks %s", s.name, op.Key)
	if len(keys) == 1 && w.rng.IntN(2) == 0 {
		w.count(poisonEdited)
		edited := w.newKey()
		t.auditor.addKey(edited, s.name)
		_, err := api.ReplaceWork.Call(w.ctx, api.As(s.node, s.caller(), "Ada"), api.ReplaceWorkInput{Key: op.Key, Operation: op.SpecID, Target: op.Target,
			Body: bytes.ReplaceAll(op.Body, []byte(s.poison), []byte("found")), Insist: true}, api.Key(edited))
		require.NoError(w.t, err)
		s.push()
		w.run(10 * time.Minute)
		require.True(w.t, t.auditor.has(edited, s.name), "%s: the edited operation does not get through", s.name)
	} else {
		w.count(poisonDiscarded)
		for _, key := range keys {
			require.NoError(w.t, s.node.Discard(w.ctx, key, "Ada", "never gets through", false))
		}
	}
	s.poison = ""
	w.run(10 * time.Minute)
	require.Zero(w.t, s.node.Status().Stuck)
	for _, key := range keys {
		require.False(w.t, t.auditor.has(key, s.name), "%s: %s arrives although it was resolved", s.name, key)
	}
}

// poison does an operation that will not get through, and one that depends on
// it, and returns their keys; nil if they were not saved.
func (k worker) poison() []string {
	s, t := k.site, k.tenant
	first, second := k.sim.newKey(), k.sim.newKey()
	at := api.StockKey{ProductID: t.products[0].ID, LocationID: t.locations[0].ID}
	if k.sim.rng.IntN(2) == 0 {
		s.poison = "DROP TABLE"
		in := api.AdjustStockInput{StockKey: at, InventoryState: api.Available, QuantityDelta: 2, Reason: "DROP TABLE stock"}
		if _, ok := do(k, api.AdjustStock, in, first); !ok {
			return nil
		}
		return []string{first}
	}
	s.poison = "987654"
	out, ok := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 987654}, first)
	if !ok {
		return nil
	}
	if _, ok = do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: out.Inbound.ID, Quantity: 1}, second); !ok {
		return nil
	}
	return []string{first, second}
}

// unrelatedWork does operations on other stock, and returns their keys.
func (k worker) unrelatedWork() []string {
	at := api.StockKey{ProductID: k.products[0].ID, LocationID: k.locations[1].ID}
	list := []string{k.sim.newKey(), k.sim.newKey()}
	_, ok := do(k, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, list[0])
	require.True(k.sim.t, ok)
	_, ok = do(k, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 3}, list[1])
	require.True(k.sim.t, ok)
	return list
}

// isPoisoned reports whether a request does not get through because of its
// content.
func (s *site) isPoisoned(req *api.Request) bool {
	if s.poison == "" || !req.Spec.Writes() {
		return false
	}
	_, _, body, err := req.Spec.Encode(req.Input)
	require.NoError(s.sim.t, err)
	return bytes.Contains(body, []byte(s.poison))
}
