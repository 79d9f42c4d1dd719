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
	broken  map[string]fault // operation: how it fails
	calls   []Call
}

// fault is how an operation fails: before it is done, or when it is done.
type fault struct{ before, after error }

// Over puts a wire in front of a service.
func Over(service api.Service) *Wire {
	return &Wire{service: service, lose: map[string]int{}, before: map[string]func(){}, broken: map[string]fault{}}
}

// The ways in which a wire fails.
var (
	// Lost is an answer that got lost: the service did the work.
	Lost = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The connection broke before the answer was here.")
	// Unreached is a service that cannot be reached.
	Unreached = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
)

// A Call is a write that was sent.
type Call struct{ Op, Key string }

// Down cuts the line: nothing reaches the service.
func (w *Wire) Down() { w.set(func() { w.down = true }) }

// Up mends the line.
func (w *Wire) Up() { w.set(func() { w.down = false }) }

// Lose lets the next n requests of an operation reach the service, and loses the answers.
func (w *Wire) Lose(op *api.Spec, n int) {
	w.set(func() { w.lose[op.ID] = n })
}

// Before runs fn once, just before the next request of an operation is
// performed: somebody else who is faster.
func (w *Wire) Before(op *api.Spec, fn func()) {
	w.set(func() { w.before[op.ID] = fn })
}

// Break makes an operation fail until it is mended with two nil errors: before
// it is done, or when it is done.
func (w *Wire) Break(op *api.Spec, before, after error) {
	w.set(func() { w.broken[op.ID] = fault{before, after} })
}

// Keys are the idempotency keys of the writes of an operation that were sent, in order.
func (w *Wire) Keys(op *api.Spec) (keys []string) {
	for _, c := range w.Calls(op) {
		keys = append(keys, c.Key)
	}
	return keys
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
	down, before, broken := w.down, w.before[req.Spec.ID], w.broken[req.Spec.ID]
	if w.lose[req.Spec.ID] > 0 {
		w.lose[req.Spec.ID]--
		broken.after = Lost
	}
	delete(w.before, req.Spec.ID)
	w.mu.Unlock()
	if down {
		return nil, Unreached
	}
	if broken.before != nil {
		return nil, broken.before
	}
	if before != nil {
		before()
	}
	res, err := w.service.Do(ctx, req)
	if broken.after != nil {
		return nil, broken.after
	}
	return res, err
}

// Bare is a service that has the documented operations alone: it answers as a
// router does that knows no such path, and refuses added parameters.
func Bare(service api.Service) api.Service { return bare{service} }

type bare struct{ service api.Service }

func (b bare) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && (in.Limit != nil || in.Order != "" || in.Cursor != "") {
		return nil, api.Fail(api.ValidationError, nil, "limit: is no parameter of this operation; it takes none.")
	}
	return b.service.Do(ctx, req)
}
