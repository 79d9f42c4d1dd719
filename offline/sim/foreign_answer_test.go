package sim_test

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// answersKept is how many answers can be mixed up with later ones.
const answersKept = 60

// A recordedAnswer is an answer to a write.
type recordedAnswer struct {
	site *site
	req  *api.Request
	res  *api.Response
}

func (w *simulation) recordAnswer(s *site, req *api.Request, res *api.Response) {
	if w.answers = append(w.answers, recordedAnswer{s, req, res}); len(w.answers) > answersKept {
		w.answers = w.answers[1:]
	}
}

// canned returns the service's answer as it travels.
func canned(t require.TestingT, res *api.Response) cannedAnswer {
	body, err := json.Marshal(res.Output, json.Deterministic(true))
	require.NoError(t, err)
	return cannedAnswer{status: 200, contentType: "application/json", body: body, replayed: res.Replayed}
}

// foreignAnswer returns what something between the site and the service
// answers instead of it, false if it does not.
func (w *simulation) foreignAnswer(s *site, req *api.Request, performed bool) (answer cannedAnswer, ok bool) {
	page, swap := pageBefore, swappedBefore
	if performed {
		page, swap = pageAfter, swappedAfter
	}
	if w.inject(page, 0.015) {
		return w.errorPage(), true
	}
	if req.Spec.Writes() && w.chance(0.03) {
		if other := w.otherAnswer(req); other != nil {
			w.count(swap)
			w.countSwap(s, req, other)
			s.swapped[req.IdempotencyKey] = true
			answer = canned(w.t, other.res)
			if w.basic == nil {
				answer.key = other.req.IdempotencyKey
			}
			return answer, true
		}
	}
	return answer, false
}

// errorPage returns a page with any status. It may be JSON, but not the
// service's error.
func (w *simulation) errorPage() cannedAnswer {
	p := cannedAnswer{status: 300 + w.rng.IntN(300), contentType: "text/html", body: []byte("<html><h1>Not the service</h1></html>")}
	if w.rng.IntN(2) == 0 { // the usual ones
		p.status = []int{302, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 429, 451, 501, 503}[w.rng.IntN(16)]
	}
	switch w.rng.IntN(6) {
	case 0:
		p.status = 200
	case 1:
		p.contentType, p.body = "application/json", []byte(`{"error":"not found","message":"default backend"}`)
	case 2:
		p.contentType, p.body = "application/json", []byte(`{}`)
	case 3:
		p.contentType, p.body = "", nil
	}
	return p
}

// otherAnswer returns the answer to another write: of the same operation, about
// the same document, or any.
func (w *simulation) otherAnswer(req *api.Request) *recordedAnswer {
	like := w.rng.IntN(3)
	var list []*recordedAnswer
	for i := range w.answers {
		x := &w.answers[i]
		switch {
		case x.req.IdempotencyKey == req.IdempotencyKey,
			like == 0 && x.req.Spec != req.Spec,
			like == 1 && (req.DocumentID() == (api.ID{}) || x.res.DocumentID() != req.DocumentID()),
			w.basic != nil && !provable(req, x):
		default:
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[w.rng.IntN(len(list))]
}

// provable reports whether a service with the documented operations lets a node
// see that an answer is that to another request. Only movements have keys.
func provable(req *api.Request, other *recordedAnswer) bool {
	return len(other.res.Movements()) > 0 || req.DocumentID() != other.res.DocumentID() && !req.Spec.Creates()
}

func (w *simulation) countSwap(s *site, req *api.Request, other *recordedAnswer) {
	if other.req.Spec == req.Spec {
		w.count(swappedSameOperation)
	} else {
		w.count(swappedOtherOperation)
	}
	if other.site == s {
		w.count(swappedSameSite)
	} else {
		w.count(swappedOtherSite)
	}
	if w.basic != nil {
		w.count(swappedBasic)
	}
}

// deliverForeign delivers an answer that is not the service's, as apiclient
// reads it.
func (w *simulation) deliverForeign(req *api.Request, answer cannedAnswer, deliver func(*api.Response, error)) {
	asked := *req
	asked.Caller = nil
	res, err := answer.read(w.t, &asked)
	if err != nil {
		e := *api.AsError(err)
		e.RequestID = "" // random
		err = &e
	}
	w.schedule(w.delay(), func() { deliver(res, err) })
}

// isLongPoll reports whether a read of changes found none and waits for them.
func isLongPoll(req *api.Request, res *api.Response, err error) (wait time.Duration, ok bool) {
	in, changes := req.Input.(*api.ListChangesInput)
	if !changes || err != nil || in.Wait == nil || *in.Wait <= 0 || len(res.Output.(*api.Changes).Items) > 0 {
		return 0, false
	}
	return time.Duration(*in.Wait) * time.Second, true
}
