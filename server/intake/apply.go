package intake

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bincard/server/api"
)

// An Outcome is the result of Apply: Applied lines are new, Repeated ones were
// applied by an earlier import of the same file.
type Outcome struct {
	Applied  int `json:"applied"`
	Repeated int `json:"repeated"`
}

// A StoppedError is the error of an import that stopped at a line.
type StoppedError struct {
	Line int
	Err  error
}

func (e *StoppedError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *StoppedError) Unwrap() error { return e.Err }

// concurrency is the number of lines applied at once: the service commits
// concurrent writes together.
const concurrency = 16

// Apply performs a plan without problems, several lines at a time. If a line
// fails, it stops and returns a *StoppedError with the first failed line.
// Applying the same file again performs the rest.
func (p *Plan) Apply(ctx context.Context, svc api.Service) (Outcome, error) {
	if len(p.Problems) > 0 {
		return Outcome{}, errors.New("a table with problems cannot be applied")
	}
	a := &applier{plan: p, ctx: ctx, svc: svc, finished: make([]chan struct{}, len(p.steps))}
	for i := range a.finished {
		a.finished[i] = make(chan struct{})
	}
	var all sync.WaitGroup
	for range min(concurrency, len(p.steps)) {
		all.Go(a.run)
	}
	all.Wait()
	if a.stopped != nil {
		return a.out, a.stopped
	}
	return a.out, nil
}

// An applier applies one plan.
type applier struct {
	plan *Plan
	ctx  context.Context
	svc  api.Service
	// finished are closed after their steps.
	finished []chan struct{}

	mu      sync.Mutex
	next    int // the next step
	done    int
	out     Outcome
	stopped *StoppedError
}

// run performs steps until none is left or one fails.
func (a *applier) run() {
	for i := a.nextStep(); i >= 0; i = a.nextStep() {
		a.perform(&a.plan.steps[i])
		close(a.finished[i])
	}
}

// perform performs a step after those that it waits for, unless one of them failed.
func (a *applier) perform(s *step) {
	for _, before := range s.after {
		<-a.finished[before]
	}
	if len(s.after) > 0 && a.hasStopped() {
		return
	}
	res, err := (*api.Response)(nil), a.ctx.Err()
	if err == nil {
		res, err = s.do(a.ctx, a.svc, api.Key(s.key))
	}
	a.note(s, res, err)
}

func (a *applier) hasStopped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopped != nil
}

// nextStep returns the index of the next step, or -1.
func (a *applier) nextStep() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped != nil || a.next == len(a.plan.steps) {
		return -1
	}
	a.next++
	return a.next - 1
}

func (a *applier) note(s *step, res *api.Response, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err != nil:
		if a.stopped == nil || s.line < a.stopped.Line {
			a.stopped = &StoppedError{s.line, err}
		}
		return
	case res.Replayed:
		a.out.Repeated++
	default:
		a.out.Applied++
	}
	a.done++
	a.plan.options.Progress(a.done, len(a.plan.steps))
}
