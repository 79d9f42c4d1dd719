package sim_test

import (
	"time"

	"bincard/server/api"
)

// An upstream answers the requests of a site's node.
type upstream interface {
	answer(s *site, key apiKey, req *api.Request) (*api.Response, error)
}

// An apiKey identifies a site to the service: the tenant's key with a number.
type apiKey struct {
	tenant *tenant
	number int
}

// send delivers a request to the site's upstream and its answer to back,
// unless either is lost on the way.
func (w *simulation) send(s *site, req *api.Request, deliver func(*api.Response, error)) {
	key := s.key
	fail := func(outcome string) {
		w.schedule(10*time.Second, func() {
			deliver(nil, api.Fail(api.Unavailable, api.Details{"outcome": outcome}, "No answer came."))
		})
	}
	switch {
	case s.down():
		fail("not_sent")
		return
	case s.isPoisoned(req):
		fail("unknown")
		return
	case w.inject(requestLost, 0.05):
		fail("unknown")
		return
	}
	if w.inject(requestDoubled, 0.05) {
		d := w.delay() + w.delay()
		if w.chance(0.2) {
			d *= 60
		}
		s.duplicated[req.IdempotencyKey] = true
		w.schedule(d, func() { // the answer is dropped
			_, err := s.upstream.answer(s, key, req)
			w.logf("%s asks %s %.8s a second time: %v", s.name, req.Spec.ID, req.IdempotencyKey, err)
		})
	}
	s.sent++
	number := s.sent
	w.schedule(w.delay(), func() {
		if number < s.arrived {
			w.count(requestReordered)
		}
		s.arrived = max(s.arrived, number)
		if answer, ok := w.foreignAnswer(s, req, false); ok {
			w.logf("%s asks %s %.8s: %d instead of the service", s.name, req.Spec.ID, req.IdempotencyKey, answer.status)
			w.deliverForeign(req, answer, deliver)
			return
		}
		res, err := s.upstream.answer(s, key, req)
		w.logf("%s asks %s %.8s: %v", s.name, req.Spec.ID, req.IdempotencyKey, err)
		s.rejected[req.IdempotencyKey] = s.rejected[req.IdempotencyKey] || err != nil
		deliver := s.withHistory(req, deliver)
		if wait, ok := isLongPoll(req, res, err); ok {
			w.schedule(wait, func() { // the long poll times out
				res, err := s.upstream.answer(s, key, req)
				w.schedule(w.delay(), func() { deliver(res, err) })
			})
			return
		}
		if answer, ok := w.foreignAnswer(s, req, true); ok {
			w.logf("%s gets %d instead of the answer to %.8s", s.name, answer.status, req.IdempotencyKey)
			w.deliverForeign(req, answer, deliver)
			return
		}
		switch {
		case s.down() || w.inject(answerLost, 0.05):
			fail("unknown")
		case w.inject(answerLate, w.lateChance()):
			w.schedule(time.Duration(w.rng.IntN(480))*time.Second, func() { deliver(res, err) })
		default:
			w.schedule(w.delay(), func() { deliver(res, err) })
		}
	})
}

// lateChance returns the probability that an answer takes minutes. It is high
// before a restore, which late answers test.
func (w *simulation) lateChance() float64 {
	if w.now.Before(w.slowUntil) {
		return 0.5
	}
	return 0.02
}

func (w *simulation) delay() time.Duration {
	d := 20 + w.rng.IntN(200)
	if w.chance(0.1) {
		d += w.rng.IntN(20_000)
	}
	return time.Duration(d) * time.Millisecond
}

// down reports whether the site is offline.
func (s *site) down() bool { return s.offline && !s.sim.healed }
