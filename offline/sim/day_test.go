package sim_test

import (
	"time"
)

// slice is how long the world goes on between two looks.
const slice = 15 * time.Minute

// days are what a world lives through before it is healed.
func (w *world) days() {
	for day := range 2 + w.rng.IntN(2) {
		if day > 0 {
			w.night()
		}
		for range 3 + w.rng.IntN(3) {
			w.turn(day)
			for _, t := range w.tenants {
				if t.goods != nil {
					w.act(t, nil)
				}
			}
			w.run(slice)
			w.check()
		}
	}
}

// night is when copies are made, and some programs are ended.
func (w *world) night() {
	w.center.copy = w.center.shelf.copied()
	for _, s := range w.nodes {
		if s.node != nil && w.chance(0.5) {
			s.stop()
			w.later(time.Duration(w.rng.IntN(600))*time.Second, s.start)
		}
		s.copy, s.baseCopy = s.disk.copied(), s.bases.opened()
		s.away = w.befalls(offlineForADay, 0.05)
	}
	w.sleep(10*time.Hour + time.Duration(w.rng.IntN(300))*time.Minute)
	w.note("a new day")
}

// turn is what becomes otherwise from one slice to the next.
func (w *world) turn(day int) {
	for _, t := range w.tenants {
		t.barred, t.limited = w.chance(0.03), w.chance(0.06)
	}
	if day > 0 && w.plain == nil && w.center.restored < 2 && w.chance(0.03) {
		w.slow = w.now.Add(4 * time.Minute)
		w.later(4*time.Minute, w.center.restore)
	}
	if w.chance(0.02) {
		w.center.skew = w.jump(serviceClockForward, serviceClockBack)
		w.note("the service's clock is off by %s", w.center.skew)
	}
	for _, s := range w.nodes {
		s.turn(day)
	}
	if w.chance(0.1) {
		w.crowd()
	}
}

// jump is by how much a clock is off that was set, or lost its battery.
func (w *world) jump(forward, back fault) time.Duration {
	d := time.Duration(1+w.rng.IntN(3*24*3600)) * time.Second
	if w.rng.IntN(10) == 0 {
		d *= 300
	}
	if w.rng.IntN(2) == 0 {
		w.met(forward)
		return d
	}
	w.met(back)
	return -d
}

// turn is what becomes otherwise at a site.
func (s *site) turn(day int) {
	w := s.w
	s.offline = s.away || w.befalls(offlineForHours, 0.35)
	s.disk.sick, s.sickBase = w.chance(0.06), w.chance(0.04)
	if w.chance(0.02) {
		s.skew, s.astray = w.jump(clockForward, clockBack), true
		s.forgets = s.forgets || s.skew > 4*24*time.Hour
		w.note("%s's clock is off by %s", s.name, s.skew)
		s.later(time.Second, func() { s.pump(); s.pull() })
	}
	if s.bases.current != nil && w.befalls(baseDead, 0.015) {
		s.bases.current.dead = true
	}
	switch {
	case day > 0 && w.befalls(nodeRestored, 0.01):
		s.yesterday()
	case w.befalls(keyRevoked, 0.02):
		s.revoke()
	case w.chance(0.02) && s.node != nil:
		s.stop()
		s.restart(time.Minute)
	}
}

// revoke ends the site's key. Somebody brings another one after a while, and
// it may be the wrong one at first.
func (s *site) revoke() {
	w := s.w
	s.revoked = append(s.revoked, s.key.no)
	w.note("the key of %s is revoked", s.name)
	bring := func(of *tenant) func() {
		return func() {
			if w.healed {
				of = s.tenant
			}
			s.keys++
			s.key = badge{of, s.keys}
			w.note("%s has another key, of %s %s", s.name, of.org.Name, of.env)
			if s.node != nil {
				s.guard(func() { s.node.Try(); s.pump(); s.pull() })
			}
		}
	}
	wait := time.Duration(5+w.rng.IntN(40)) * time.Minute
	if other := w.tenants[w.rng.IntN(len(w.tenants))]; other.org.ID != s.tenant.org.ID {
		w.later(wait/2, bring(other))
	}
	w.later(wait, func() { w.met(keyReplaced); bring(s.tenant)() })
}
