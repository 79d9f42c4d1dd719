package viewtest

import (
	"context"
	"sync"

	"bincard/server/api"
)

// A FaultProxy is a service in front of another. It records the writes and injects
// failures.
type FaultProxy struct {
	service api.Service
	mu      sync.Mutex
	down    bool
	losing  map[string]int // by operation: answers still to lose
	before  map[string]func()
	faults  map[string]injectedFault // by operation
	calls   []Call
}

// injectedFault makes an operation fail before or after it is performed.
type injectedFault struct{ before, after error }

// NewFaultProxy returns a proxy in front of a service.
func NewFaultProxy(service api.Service) *FaultProxy {
	return &FaultProxy{service: service, losing: map[string]int{}, before: map[string]func(){}, faults: map[string]injectedFault{}}
}

// Injected errors.
var (
	// ErrLost means that the service did the work, but its answer was lost.
	ErrLost = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The connection broke before the answer arrived.")
	// ErrUnreachable means that the service cannot be reached.
	ErrUnreachable = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
)

// A Call is a write that was sent.
type Call struct{ Op, Key string }

// Down disconnects the service.
func (p *FaultProxy) Down() { p.set(func() { p.down = true }) }

// Up reconnects the service.
func (p *FaultProxy) Up() { p.set(func() { p.down = false }) }

// LoseAnswers makes the next n requests of an operation reach the service, but loses
// the answers.
func (p *FaultProxy) LoseAnswers(op *api.Spec, n int) {
	p.set(func() { p.losing[op.ID] = n })
}

// Before runs fn once, just before the next request of an operation, to simulate a
// concurrent change.
func (p *FaultProxy) Before(op *api.Spec, fn func()) {
	p.set(func() { p.before[op.ID] = fn })
}

// Fail makes an operation fail before or after it is performed, until it is called
// with two nil errors.
func (p *FaultProxy) Fail(op *api.Spec, before, after error) {
	p.set(func() { p.faults[op.ID] = injectedFault{before, after} })
}

// Keys returns the idempotency keys of the writes of an operation, in order.
func (p *FaultProxy) Keys(op *api.Spec) (keys []string) {
	for _, c := range p.Calls(op) {
		keys = append(keys, c.Key)
	}
	return keys
}

// Calls returns the writes of an operation, in order.
func (p *FaultProxy) Calls(op *api.Spec) []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Call
	for _, c := range p.calls {
		if c.Op == op.ID {
			out = append(out, c)
		}
	}

	return out
}

func (p *FaultProxy) set(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fn()
}

// Do performs a request, unless a failure is injected.
func (p *FaultProxy) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	p.mu.Lock()
	if req.Spec.Writes() {
		p.calls = append(p.calls, Call{req.Spec.ID, req.IdempotencyKey})
	}

	down, before, fault := p.down, p.before[req.Spec.ID], p.faults[req.Spec.ID]
	if p.losing[req.Spec.ID] > 0 {
		p.losing[req.Spec.ID]--
		fault.after = ErrLost
	}

	delete(p.before, req.Spec.ID)
	p.mu.Unlock()
	if down {
		return nil, ErrUnreachable
	}
	if fault.before != nil {
		return nil, fault.before
	}
	if before != nil {
		before()
	}

	res, err := p.service.Do(ctx, req)
	if fault.after != nil {
		return nil, fault.after
	}

	return res, err
}

// Minimal returns a service with only the documented operations. It answers others
// like a router without such a path, and rejects added parameters.
func Minimal(service api.Service) api.Service { return minimalService{service} }

type minimalService struct{ service api.Service }

func (s minimalService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && (in.Limit != nil || in.Order != "" || in.Cursor != "") {
		return nil, api.Fail(api.ValidationError, nil, "limit: not a parameter of this operation.")
	}
	return s.service.Do(ctx, req)
}
