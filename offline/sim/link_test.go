package sim_test

import (
	"time"

	"bincard/server/api"
)

// An upstream is what a site's node stands before: the service.
type upstream interface {
	answer(s *site, key apiKey, req *api.Request) (*api.Response, error)
}

// An apiKey is a key: the tenant that it is of, and which one it is.
type apiKey struct {
	tenant *tenant
	number int
}

// send takes a request to the site's peer and its answer back, or what becomes
// of them on the way.
func (w *simulation) send(s *site, req *api.Request, back func(*api.Response, error)) {
	key := s.key
	never := func(outcome string) {
		w.schedule(10*time.Second, func() {
			back(nil, api.Fail(api.Unavailable, api.Details{"outcome": outcome}, "No answer came."))
		})
	}
	switch {
	case s.down():
		never("not_sent")
		return
	case w.inject(requestLost, 0.05):
		never("unknown")
		return
	}
	if w.inject(requestDoubled, 0.05) {
		d := w.delay() + w.delay()
		if w.chance(0.2) {
			d *= 60
		}
		s.duplicated[req.IdempotencyKey] = true
		w.schedule(d, func() { _, _ = s.upstream.answer(s, key, req) }) // a second time, and nobody hears of it
	}
	s.sent++
	number := s.sent
	w.schedule(w.delay(), func() {
		if number < s.arrived {
			w.count(requestReordered)
		}
		s.arrived = max(s.arrived, number)
		res, err := s.upstream.answer(s, key, req)
		w.logf("%s asks %s %.8s: %v", s.name, req.Spec.ID, req.IdempotencyKey, err)
		if in, ok := req.Input.(*api.ListChangesInput); ok && err == nil && in.Wait != nil && *in.Wait > 0 &&
			len(res.Output.(*api.Changes).Items) == 0 {
			w.schedule(time.Duration(*in.Wait)*time.Second, func() { // it waits in vain
				res, err := s.upstream.answer(s, key, req)
				w.schedule(w.delay(), func() { back(res, err) })
			})
			return
		}
		switch {
		case s.down() || w.inject(answerLost, 0.05):
			never("unknown")
		case w.inject(signInPage, 0.03):
			w.schedule(w.delay(), func() {
				back(nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "A sign-in page answered."))
			})
		case w.inject(answerLate, w.lateChance()):
			w.schedule(time.Duration(w.rng.IntN(480))*time.Second, func() { back(res, err) })
		default:
			w.schedule(w.delay(), func() { back(res, err) })
		}
	})
}

// lateChance is how likely it is that an answer takes minutes: before a restore those
// that are on their way matter.
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

// down tells whether the site has no connection.
func (s *site) down() bool { return s.offline && !s.sim.healed }
