package sim_test

import (
	"time"
)

// checkInterval is the time between two checks.
const checkInterval = 15 * time.Minute

// runDays runs the simulation until it is healed.
func (w *simulation) runDays() {
	for day := range 2 + w.rng.IntN(2) {
		if day > 0 {
			w.night()
		}
		for range 3 + w.rng.IntN(3) {
			w.changeConditions(day)
			for _, t := range w.tenants {
				if t.products != nil {
					w.act(t, nil)
				}
			}
			w.run(checkInterval)
			w.check()
		}
	}
}

// night makes backups and restarts some programs.
func (w *simulation) night() {
	w.service.backup = w.service.store.clone()
	for _, s := range w.nodes {
		if s.node != nil && w.chance(0.5) {
			s.stop()
			w.schedule(time.Duration(w.rng.IntN(600))*time.Second, s.start)
		}
		s.backup, s.replicaBackup = s.disk.backup(), s.replicas.reopen()
		s.offlineToday = w.inject(offlineForADay, 0.05)
	}
	w.sleep(10*time.Hour + time.Duration(w.rng.IntN(300))*time.Minute)
	w.logf("next day")
}

// changeConditions chooses the conditions of the next interval.
func (w *simulation) changeConditions(day int) {
	for _, t := range w.tenants {
		t.keysDenied, t.quotaExceeded = w.chance(0.03), w.chance(0.06)
	}
	if day > 0 && w.basic == nil && w.service.restores < 2 && w.chance(0.03) {
		w.slowUntil = w.now.Add(4 * time.Minute)
		w.schedule(4*time.Minute, w.service.restore)
	}
	if w.chance(0.02) {
		w.service.skew = w.clockJump(serviceClockForward, serviceClockBack)
		w.logf("the service's clock is off by %s", w.service.skew)
	}
	for _, s := range w.nodes {
		s.changeConditions(day)
	}
	if w.chance(0.1) {
		w.raceInbound()
	}
	if w.chance(0.1) {
		w.raceReservation()
	}
}

// clockJump returns how far off a clock is that was set wrong or lost its
// battery.
func (w *simulation) clockJump(forward, back fault) time.Duration {
	d := time.Duration(1+w.rng.IntN(3*24*3600)) * time.Second
	if w.rng.IntN(10) == 0 {
		d *= 300
	}
	if w.rng.IntN(2) == 0 {
		w.count(forward)
		return d
	}
	w.count(back)
	return -d
}

// changeConditions chooses the conditions at a site.
func (s *site) changeConditions(day int) {
	w := s.sim
	s.offline = s.offlineToday || w.inject(offlineForHours, 0.35)
	s.disk.failing, s.replicaFails = w.chance(0.06), w.chance(0.04)
	if w.chance(0.02) {
		s.setClock(w.clockJump(clockForward, clockBack))
		w.logf("%s's clock is off by %s", s.name, s.skew)
		s.schedule(time.Second, func() { s.push(); s.pull() })
	}
	if !s.diskFull && w.inject(diskFullForAnHour, 0.02) {
		s.diskFull, s.disk.full = true, true
		w.schedule(time.Hour, func() { s.diskFull, s.disk.full = false, false })
	}
	if s.diskFull { // captures fail while answers arrive
		s.offline = false
	}
	if s.replicas.current != nil && w.inject(replicaDead, 0.015) {
		s.replicas.current.failed = true
	}
	switch {
	case day > 0 && w.inject(nodeRestored, 0.01):
		s.restoreBackup()
	case w.inject(keyRevoked, 0.02):
		s.revoke()
	case w.chance(0.02) && s.node != nil:
		s.stop()
		s.restart(time.Minute)
	}
}

// setClock sets how far off the site's clock is. If it jumps ahead for days, what was done
// before seems so old that a journal drops it which keeps few operations by their order.
func (s *site) setClock(skew time.Duration) {
	s.keysExpired = s.keysExpired || s.keepsFew && max(skew, skew-s.skew) > 4*24*time.Hour
	s.clockSkewed = s.clockSkewed || skew != 0
	s.skew = skew
}

// revoke revokes the site's key. It is replaced after a while, possibly first
// by a key of another tenant.
func (s *site) revoke() {
	w := s.sim
	s.revoked = append(s.revoked, s.key.number)
	w.logf("the key of %s is revoked", s.name)
	replaceKey := func(owner *tenant) func() {
		return func() {
			if w.healed {
				owner = s.tenant
			}
			s.keyCount++
			s.key = apiKey{owner, s.keyCount}
			w.logf("%s has another key, of %s %s", s.name, owner.org.Name, owner.env)
			if s.node != nil {
				s.catchCrash(func() { s.node.Resume(); s.push(); s.pull() })
			}
		}
	}
	wait := time.Duration(5+w.rng.IntN(40)) * time.Minute
	if other := w.tenants[w.rng.IntN(len(w.tenants))]; other.org.ID != s.tenant.org.ID {
		w.schedule(wait/2, replaceKey(other))
	}
	w.schedule(wait, func() { w.count(keyReplaced); replaceKey(s.tenant)() })
}
