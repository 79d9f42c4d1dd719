package sim_test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// push sends the next batch.
func (s *site) push() {
	if s.node == nil {
		return
	}
	twice := s.inUseTwice()
	out, err := s.node.NextBatch()
	require.True(s.sim.t, !twice || len(out.Requests) == 0, "%s sends work although a copy of its directory is in use", s.name)
	if s.restartIfUncertain(err) {
		return
	}
	s.checkHistoryKnown(len(out.Requests))
	for _, p := range out.Requests {
		run := s.runs
		s.sim.send(s, p.Req, func(res *api.Response, err error) {
			if s.node != nil && s.runs == run {
				s.catchCrash(func() {
					e := s.node.SendDone(p.Key, res, err)
					s.sim.logf("delivered %.8s %v: %v", p.Key, err, e)
					if !s.restartIfUncertain(e) {
						s.push()
						s.pullAfterPush()
					}
				})
			}
		})
	}
	if !out.WakeAt.IsZero() {
		s.schedule(out.WakeAt.Sub(s.now()), s.push)
	}
	s.probe()
}

// checkHistoryKnown requires that a site that was cut off while the service went back, or
// started since, learns that before it sends anything.
func (s *site) checkHistoryKnown(sent int) {
	restores := s.sim.service.restores
	if sent == 0 || s.sim.basic != nil || s.cutOff < restores || restores == 0 {
		return
	}
	require.Equal(s.sim.t, restores, s.knows, "%s sends work to a service that went back, as if it had not", s.name)
}

// withHistory returns deliver, which notes that the answer to a request shows the service's
// history of now.
func (s *site) withHistory(req *api.Request, deliver func(*api.Response, error)) func(*api.Response, error) {
	restores := s.sim.service.restores
	if req.Spec != api.ListChanges.Spec {
		return deliver
	}
	return func(res *api.Response, err error) {
		if err == nil || api.HasCode(err, api.ChangesGone) {
			s.knows = max(s.knows, restores)
		}
		deliver(res, err)
	}
}

// probe checks the connection after a request failed.
func (s *site) probe() {
	if s.node == nil {
		return
	}
	req, _, at := s.node.NextProbe()
	if req == nil {
		if !at.IsZero() && !at.Equal(s.probeAt) {
			s.probeAt = at
			s.schedule(at.Sub(s.now()), func() { s.probeAt = time.Time{}; s.probe() })
		}
		return
	}
	run := s.runs
	s.sim.send(s, req, func(_ *api.Response, err error) {
		if s.node != nil && s.runs == run {
			s.catchCrash(func() {
				s.node.ProbeDone(err)
				if !s.node.Status().Link.Up {
					s.cutOff = s.sim.service.restores
				}
				s.push()
				s.pull()
			})
		}
	})
}

// pullAfterPush continues a polling cycle, which waits until nothing is in
// flight.
func (s *site) pullAfterPush() {
	if s.sim.basic != nil && s.node != nil {
		s.pull()
	}
}

// pull reads from the service.
func (s *site) pull() {
	if s.node == nil {
		return
	}
	req, at, err := s.node.NextRead(s.sim.ctx)
	if err != nil {
		s.sim.logf("%s cannot read: %v", s.name, err)
		if s.restartIfUncertain(err) {
			return
		}
	}
	if err != nil || req == nil {
		if !at.IsZero() {
			s.schedule(at.Sub(s.now()), s.pull)
		}
		return
	}
	if req.Spec == api.GetSnapshot.Spec {
		maps.Copy(s.hiddenBySnapshot, s.duplicated)
	}
	run := s.runs
	s.sim.send(s, req, func(res *api.Response, err error) {
		if s.node != nil && s.runs == run {
			s.catchCrash(func() {
				if !s.restartIfUncertain(s.node.ReadDone(s.sim.ctx, res, err)) {
					s.push() // and probe
					s.pull()
				}
			})
		}
	})
}

// resolve resolves the rejected and quarantined operations, some of them or
// all.
func (s *site) resolve(all bool) {
	w := s.sim
	ops := s.node.Operations()
	for i, op := range ops {
		if s.node == nil || op.State != outbox.Refused && op.State != outbox.Held || !all && w.rng.IntN(2) == 0 {
			continue
		}
		if op.State == outbox.Held {
			w.count(heldForAPerson)
			s.noteReuse(op.Key)
			s.resolvedUnknown[op.Key] = s.sim.basic != nil && op.Refusal.Code == api.Unavailable
			s.doneTwice[op.Key] = op.Successor != "" // its replacement is done too: the person corrects the stock
		}
		if s.hasDependents(op.Key, ops[i+1:]) {
			w.count(refusedWithDependents)
		}
		var err error
		switch n := w.rng.IntN(4); {
		case all || n == 0:
			w.count(discarded)
			err = s.node.Discard(w.ctx, op.Key, "Ada", "resolved by hand", false)
		case n == 1:
			s.replace(op)
			continue
		default:
			w.count(triedAgain)
			err = s.node.Retry(w.ctx, op.Key, "Ada")
		}
		w.logf("%s resolves %s, which is %s: %v", s.name, op.Key[:8], op.State, err)
		if lacksDocument(err) {
			w.count(documentNeverCreated)
			continue // it is discarded later
		}
		if err != nil && !s.restartIfUncertain(err) && !s.disk.full && !s.disk.failing {
			require.NoError(w.t, err)
		}
	}
}

// replace replaces an operation by one with a lower quantity.
func (s *site) replace(op outbox.Operation) {
	w := s.sim
	body := map[string]any{}
	if len(op.Body) > 0 {
		require.NoError(w.t, json.Unmarshal(op.Body, &body))
	}
	if body["quantity"] != nil && body["serials"] == nil {
		body["quantity"] = 1
	}
	if lots, ok := body["lots"].([]any); ok {
		lots[0].(map[string]any)["quantity"] = 1
	}
	in := api.ReplaceWorkInput{Key: op.Key, Operation: op.SpecID, Target: op.Target, Insist: true}
	if op.Body != nil {
		data, err := json.Marshal(body, json.Deterministic(true))
		require.NoError(w.t, err)
		in.Body = data
	}
	key := w.newKey()
	s.tenant.auditor.addKey(key, s.name)
	if n, ok := s.tenant.auditor.counted[op.Key]; ok {
		s.tenant.auditor.counted[key] = n
	}
	if lot, ok := s.tenant.auditor.fulfilled[op.Key]; ok {
		s.tenant.auditor.fulfilled[key] = lot
	}
	_, err := api.ReplaceWork.Call(w.ctx, api.As(s.node, s.caller(), "Ada"), in, api.Key(key))
	w.logf("%s saves %s to replace %.8s, %s: %v", s.name, key[:8], op.Key, op.SpecID, err)
	switch {
	case err == nil:
		w.count(replaced)
		s.saved[key], s.saved[op.Key] = outbox.Pending, outbox.Replaced
		s.forOther[key] = s.forOther[op.Key]
	case !s.restartIfUncertain(err):
		s.notSaved[key] = true
	}
}

// lacksDocument reports whether an operation cannot be sent because its document was never
// created.
func lacksDocument(err error) bool {
	return err != nil && strings.Contains(err.Error(), "was never created")
}

// hasDependents reports whether a pending operation needs the document that an
// operation creates.
func (s *site) hasDependents(key string, later []outbox.Operation) bool {
	id := s.created[key]
	return id != "" && slices.ContainsFunc(later, func(op outbox.Operation) bool {
		return op.State == outbox.Pending && strings.Contains(op.Target, id)
	})
}

// raceInbound makes two offline sites receive the same inbound.
func (w *simulation) raceInbound() {
	var sites []*site
	for _, s := range w.nodes {
		if s.node != nil && s.node.Ready() && !s.idle && (len(sites) == 0 || sites[0].tenant == s.tenant) {
			sites = append(sites, s)
		}
	}
	if len(sites) < 2 {
		return
	}
	list, err := api.ListInbounds.Call(w.ctx, api.As(sites[0].node, sites[0].caller(), ""), api.ListInboundsInput{})
	if err != nil {
		return
	}
	for _, in := range list.Items {
		q := in.Pending()
		if q <= 0 || in.ProductID == sites[0].tenant.products[2].ID {
			continue
		}
		w.count(oneInbound)
		for _, s := range sites[:2] {
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
