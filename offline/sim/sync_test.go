package sim_test

import (
	"maps"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// push sends the next batch.
func (s *site) push() {
	if s.node == nil {
		return
	}
	out, err := s.node.NextBatch()
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
