package sim_test

import (
	"maps"
	"time"

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
