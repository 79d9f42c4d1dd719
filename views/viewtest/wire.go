package viewtest

import (
	"context"
	"sync"

	"bincard/server/api"
)

// A Wire is the line to the service. It remembers what was sent, and can be cut.
type Wire struct {
	service api.Service
	mu      sync.Mutex
	down    bool
	lose    map[string]int // operation: answers still to be lost
	before  map[string]func()
	calls   []Call
}

// A Call is a write that was sent.
type Call struct{ Op, Key string }

// Down cuts the line: nothing reaches the service.
func (w *Wire) Down() { w.set(func() { w.down = true }) }

// Up mends the line.
func (w *Wire) Up() { w.set(func() { w.down = false }) }

// Lose lets the next n requests of an operation reach the service, and loses the answers.
func (w *Wire) Lose(op *api.Spec, n int) {
	w.set(func() {
		if w.lose == nil {
			w.lose = map[string]int{}
		}
		w.lose[op.ID] = n
	})
}

// Before runs fn once, just before the next request of an operation is
// performed: somebody else who is faster.
func (w *Wire) Before(op *api.Spec, fn func()) {
	w.set(func() {
		if w.before == nil {
			w.before = map[string]func(){}
		}
		w.before[op.ID] = fn
	})
}

// Calls are the writes of an operation that were sent, in order.
func (w *Wire) Calls(op *api.Spec) []Call {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Call
	for _, c := range w.calls {
		if c.Op == op.ID {
			out = append(out, c)
		}
	}
	return out
}

func (w *Wire) set(fn func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn()
}

// Do performs a request over the line.
func (w *Wire) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	w.mu.Lock()
	if req.Spec.Writes() {
		w.calls = append(w.calls, Call{req.Spec.ID, req.IdempotencyKey})
	}
	down, lost, before := w.down, w.lose[req.Spec.ID] > 0, w.before[req.Spec.ID]
	if lost {
		w.lose[req.Spec.ID]--
	}
	delete(w.before, req.Spec.ID)
	w.mu.Unlock()
	if down {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
	}
	if before != nil {
		before()
	}
	res, err := w.service.Do(ctx, req)
	if lost {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The connection broke before the answer was here.")
	}
	return res, err
}

// Bare is a service that has the documented operations alone: it answers as a
// router does that knows no such path.
func Bare(service api.Service) api.Service { return bare{service} }

type bare struct{ service api.Service }

func (b bare) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	return b.service.Do(ctx, req)
}
