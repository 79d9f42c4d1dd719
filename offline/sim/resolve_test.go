package sim_test

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// resolve settles what the service refused, some of it or all.
func (s *site) resolve(all bool) {
	w := s.sim
	items := s.node.Operations()
	for i, it := range items {
		if s.node == nil || it.State != outbox.Refused && it.State != outbox.Held || !all && w.rng.IntN(2) == 0 {
			continue
		}
		if it.State == outbox.Held {
			w.count(heldForAPerson)
			s.resolvedUnknown[it.Key] = s.sim.basic != nil && it.Refusal.Code == api.Unavailable
		}
		if s.hasDependents(it.Key, items[i+1:]) {
			w.count(refusedWithDependents)
		}
		var err error
		switch n := w.rng.IntN(4); {
		case all || n == 0:
			w.count(discarded)
			err = s.node.Discard(w.ctx, it.Key, "Ada", "settled by hand")
		case n == 1:
			s.replace(it)
			continue
		default:
			w.count(triedAgain)
			err = s.node.Retry(w.ctx, it.Key, "Ada")
		}
		w.logf("%s settles %s, which is %s: %v", s.name, it.Key[:8], it.State, err)
		if err != nil && !s.restartIfUncertain(err) && !s.disk.full && !s.disk.failing {
			require.NoError(w.t, err)
		}
	}
}

// replace does less in the place of what was too much.
func (s *site) replace(it outbox.Operation) {
	w := s.sim
	body := map[string]any{}
	if len(it.Body) > 0 {
		require.NoError(w.t, json.Unmarshal(it.Body, &body))
	}
	if body["quantity"] != nil && body["serials"] == nil {
		body["quantity"] = 1
	}
	in := api.ReplaceWorkInput{Key: it.Key, Operation: it.SpecID, Target: it.Target, Insist: true}
	if it.Body != nil {
		data, err := json.Marshal(body, json.Deterministic(true))
		require.NoError(w.t, err)
		in.Body = data
	}
	key := w.newKey()
	s.tenant.auditor.addKey(key, s.name)
	if n, ok := s.tenant.auditor.counted[it.Key]; ok {
		s.tenant.auditor.counted[key] = n
	}
	_, err := api.ReplaceWork.Call(w.ctx, api.As(s.node, s.caller(), "Ada"), in, api.Key(key))
	w.logf("%s does %s in the place of %.8s, %s: %v", s.name, key[:8], it.Key, it.SpecID, err)
	switch {
	case err == nil:
		w.count(replaced)
		s.saved[key] = outbox.Pending
	case !s.restartIfUncertain(err):
		s.notSaved[key] = true
	}
}

// hasDependents tells whether something waits for what an operation would have made.
func (s *site) hasDependents(key string, later []outbox.Operation) bool {
	id := s.created[key]
	return id != "" && slices.ContainsFunc(later, func(it outbox.Operation) bool {
		return it.State == outbox.Pending && strings.Contains(it.Target, id)
	})
}

// raceInbound has two sites without a connection take in the same goods.
func (w *simulation) raceInbound() {
	var at []*site
	for _, s := range w.nodes {
		if s.node != nil && s.node.Ready() && !s.idle && (len(at) == 0 || at[0].tenant == s.tenant) {
			at = append(at, s)
		}
	}
	if len(at) < 2 {
		return
	}
	list, err := api.ListInbounds.Call(w.ctx, api.As(at[0].node, at[0].caller(), ""), api.ListInboundsInput{})
	if err != nil {
		return
	}
	for _, in := range list.Items {
		q := in.Pending()
		if q <= 0 || in.ProductID == at[0].tenant.products[2].ID {
			continue
		}
		w.count(oneInbound)
		for _, s := range at[:2] {
			s.offline = true
			w.schedule(time.Duration(w.rng.IntN(600))*time.Second, func() {
				if s.node != nil {
					s.catchCrash(func() { s.tenant.worker(s).receive(in.ID, in.ProductID, q) })
				}
			})
		}
		return
	}
}
