package sim_test

import (
	"maps"

	"bincard/server/api"
)

// pump sends what is to be sent.
func (s *site) pump() {
	if s.node == nil {
		return
	}
	out, err := s.node.Pack()
	if s.spoiled(err) {
		return
	}
	for _, p := range out.Send {
		life := s.life
		s.w.carry(s, p.Req, func(res *api.Response, err error) {
			if s.node != nil && s.life == life {
				s.guard(func() {
					e := s.node.Delivered(p.Key, res, err)
					s.w.note("delivered %.8s %v: %v", p.Key, err, e)
					if !s.spoiled(e) {
						s.pump()
						s.landed()
					}
				})
			}
		})
	}
	if !out.Wake.IsZero() {
		s.later(out.Wake.Sub(s.now()), s.pump)
	}
}

// landed has a plain way go on, which waits until nothing is under way.
func (s *site) landed() {
	if s.w.plain != nil && s.node != nil {
		s.pull()
	}
}

// pull reads what the service has.
func (s *site) pull() {
	if s.node == nil {
		return
	}
	req, at, err := s.node.Ask(s.w.ctx)
	if err != nil {
		s.w.note("%s cannot read: %v", s.name, err)
		if s.spoiled(err) {
			return
		}
	}
	if err != nil || req == nil {
		if !at.IsZero() {
			s.later(at.Sub(s.now()), s.pull)
		}
		return
	}
	if req.Spec == api.GetSnapshot.Spec {
		maps.Copy(s.veiled, s.doubled)
	}
	life := s.life
	s.w.carry(s, req, func(res *api.Response, err error) {
		if s.node != nil && s.life == life {
			s.guard(func() {
				if !s.spoiled(s.node.Told(s.w.ctx, res, err)) {
					s.pump()
					s.pull()
				}
			})
		}
	})
}
