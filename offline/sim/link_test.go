package sim_test

import (
	"time"

	"bincard/server/api"
)

// carry takes a request to the service and its answer back, or what becomes of
// them on the way.
func (w *world) carry(s *site, req *api.Request, back func(*api.Response, error)) {
	delay := func() time.Duration {
		d := 20 + w.rng.IntN(200)
		if w.chance(0.1) {
			d += w.rng.IntN(20_000)
		}
		return time.Duration(d) * time.Millisecond
	}
	never := func(outcome string) {
		w.later(10*time.Second, func() {
			back(nil, api.Fail(api.Unavailable, api.Details{"outcome": outcome}, "No answer came."))
		})
	}
	switch {
	case w.down(s):
		never("not_sent")
		return
	case w.chance(0.05):
		never("unknown")
		return
	}
	if w.chance(0.05) {
		w.later(delay()+delay(), func() { _, _ = w.perform(s, req) }) // a second time, and nobody hears of it
	}
	w.later(delay(), func() {
		res, err := w.perform(s, req)
		if in, ok := req.Input.(*api.ListChangesInput); ok && err == nil && in.Wait != nil && *in.Wait > 0 &&
			len(res.Output.(*api.Changes).Items) == 0 {
			w.later(time.Duration(*in.Wait)*time.Second, func() { // it waits in vain
				res, err := w.perform(s, req)
				w.later(delay(), func() { back(res, err) })
			})
			return
		}
		switch {
		case w.chance(0.06) || w.down(s):
			never("unknown")
		case w.chance(0.03):
			w.later(delay(), func() {
				back(nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "A sign-in page answered."))
			})
		default:
			w.later(delay(), func() { back(res, err) })
		}
	})
}

// perform is the service's answer.
func (w *world) perform(s *site, req *api.Request) (*api.Response, error) {
	switch {
	case w.barred && !w.healed:
		return nil, api.Fail(api.Unauthorized, nil, "The key is not taken.")
	case w.chance(0.02):
		return nil, api.Fail(api.Unavailable, nil, "Busy.")
	case w.chance(0.02):
		return nil, api.Fail(api.RateLimited, nil, "Slow down.")
	case w.limited && !w.healed && req.Spec.Billable:
		return nil, api.Fail(api.PlanLimitExceeded, nil, "The plan is used up.")
	}
	r := *req
	if in, ok := r.Input.(*api.ListChangesInput); ok {
		now := *in
		now.Wait = nil
		r.Input = &now
	}
	res, err := api.As(w.ledger, s.caller(), "").Do(w.ctx, &r)
	if err == nil && w.chance(0.02) {
		return nil, api.Fail(api.InternalError, nil, "It failed after the work was done.")
	}
	return res, err
}

// down tells whether the site has no connection: for hours, by its name and the day.
func (w *world) down(s *site) bool {
	if w.healed {
		return false
	}
	hour := w.now.Sub(w.now.Truncate(24*time.Hour)) / time.Hour
	return (int(hour)+int(s.name[len(s.name)-1]))%5 < 2
}
