package viewtest

import (
	"context"
	"sync"

	"bincard/server/api"
)

// A FaultProxy is the line to the service. It remembers what was sent, and can be cut.
type FaultProxy struct {
	service api.Service
	mu      sync.Mutex
	down    bool
	losing  map[string]int // operation: answers still to be lost
	before  map[string]func()
	faults  map[string]injectedFault // operation: how it fails
	calls   []Call
}

// injectedFault is how an operation fails: before it is done, or when it is done.
type injectedFault struct{ before, after error }

// NewFaultProxy puts a wire in front of a service.
func NewFaultProxy(service api.Service) *FaultProxy {
	return &FaultProxy{service: service, losing: map[string]int{}, before: map[string]func(){}, faults: map[string]injectedFault{}}
}

// The ways in which a wire fails.
var (
	// ErrLost is an answer that got lost: the service did the work.
	ErrLost = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The connection broke before the answer was here.")
	// ErrUnreachable is a service that cannot be reached.
	ErrUnreachable = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
)

// A Call is a write that was sent.
type Call struct{ Op, Key string }

// Down cuts the line: nothing reaches the service.
func (w *FaultProxy) Down() { w.set(func() { w.down = true }) }

// Up mends the line.
func (w *FaultProxy) Up() { w.set(func() { w.down = false }) }

// LoseAnswers lets the next n requests of an operation reach the service, and loses the answers.
func (w *FaultProxy) LoseAnswers(op *api.Spec, n int) {
	w.set(func() { w.losing[op.ID] = n })
}

// Before runs fn once, just before the next request of an operation is
// performed: somebody else who is faster.
func (w *FaultProxy) Before(op *api.Spec, fn func()) {
	w.set(func() { w.before[op.ID] = fn })
}

// Fail makes an operation fail until it is mended with two nil errors: before
// it is done, or when it is done.
func (w *FaultProxy) Fail(op *api.Spec, before, after error) {
	w.set(func() { w.faults[op.ID] = injectedFault{before, after} })
}

// Keys are the idempotency keys of the writes of an operation that were sent, in order.
func (w *FaultProxy) Keys(op *api.Spec) (keys []string) {
	for _, c := range w.Calls(op) {
		keys = append(keys, c.Key)
	}
	return keys
}

// Calls are the writes of an operation that were sent, in order.
func (w *FaultProxy) Calls(op *api.Spec) []Call {
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

func (w *FaultProxy) set(fn func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn()
}

// Do performs a request over the line.
func (w *FaultProxy) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	w.mu.Lock()
	if req.Spec.Writes() {
		w.calls = append(w.calls, Call{req.Spec.ID, req.IdempotencyKey})
	}
	down, before, broken := w.down, w.before[req.Spec.ID], w.faults[req.Spec.ID]
	if w.losing[req.Spec.ID] > 0 {
		w.losing[req.Spec.ID]--
		broken.after = ErrLost
	}
	delete(w.before, req.Spec.ID)
	w.mu.Unlock()
	if down {
		return nil, ErrUnreachable
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

// Minimal is a service that has the documented operations alone: it answers as a
// router does that knows no such path, and refuses added parameters.
func Minimal(service api.Service) api.Service { return minimalService{service} }

type minimalService struct{ service api.Service }

func (b minimalService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && (in.Limit != nil || in.Order != "" || in.Cursor != "") {
		return nil, api.Fail(api.ValidationError, nil, "limit: is no parameter of this operation; it takes none.")
	}
	return b.service.Do(ctx, req)
}
