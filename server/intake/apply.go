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

// Apply performs a plan without problems, several lines at a time. It checks each line again,
// since the operations of a large table are not kept. If a line fails, it stops and returns a
// *StoppedError with the first failed line. Applying the same file again performs the rest.
func (p *Plan) Apply(ctx context.Context, svc api.Service) (Outcome, error) {
	if len(p.Problems) > 0 {
		return Outcome{}, errors.New("a table with problems cannot be applied")
	}

	again := &Plan{
		Kind:    p.Kind,
		Format:  p.Format,
		Lines:   p.Lines,
		options: p.options,
		batch:   p.batch,
		table:   p.table,
		groups:  p.groups,
	}

	again.options.Progress = func(int, int) {}
	a := &applier{plan: p, ctx: ctx, svc: svc}
	err := newChecker(ctx, svc, again).run(func(steps []step) error {
		again.limitProblems()
		if len(again.Problems) > 0 {
			return &StoppedError{again.Problems[0].Line, errors.New(again.Problems[0].Message)}
		}
		return a.perform(steps)
	})

	return a.out, err
}

// An applier applies one plan.
type applier struct {
	plan  *Plan
	ctx   context.Context
	svc   api.Service
	steps []step // of the part
	// finished are closed after their steps.
	finished []chan struct{}

	mu      sync.Mutex
	next    int // the next step
	done    int
	out     Outcome
	stopped *StoppedError
}

// perform performs the steps of a part.
func (a *applier) perform(steps []step) error {
	a.steps, a.next, a.finished = steps, 0, make([]chan struct{}, len(steps))
	for i := range a.finished {
		a.finished[i] = make(chan struct{})
	}

	var all sync.WaitGroup
	for range min(concurrency, len(steps)) {
		all.Go(a.run)
	}

	all.Wait()
	if a.stopped != nil {
		return a.stopped
	}

	return nil
}

// run performs steps until none is left or one fails.
func (a *applier) run() {
	for i := a.nextStep(); i >= 0; i = a.nextStep() {
		a.performStep(&a.steps[i])
		close(a.finished[i])
	}
}

// performStep performs a step after those that it waits for, unless one of them failed.
func (a *applier) performStep(s *step) {
	for _, before := range s.after {
		<-a.finished[before]
	}
	if len(s.after) > 0 && a.hasStopped() {
		return
	}

	res, err := (*api.Response)(nil), a.ctx.Err()
	if err == nil {
		res, err = a.request(s)
	}

	a.note(s, res, err)
}

// request sends the request of a step. If other work has used the key of the step, it gets a new
// one, except for stock, where only the key shows that a line was imported before.
func (a *applier) request(s *step) (*api.Response, error) {
	res, err := s.do(a.ctx, a.svc, api.Key(s.key))
	if !api.HasCode(err, api.IdempotencyKeyReused) || api.AsError(err).Details["elsewhere"] == true {
		return res, err
	}
	if a.plan.Kind == Stock {
		return nil, api.Fail(api.IdempotencyKeyReused, api.AsError(err).Details,
			"Another entry used the key of this line. Add an empty line to the end of the file, and import it again.")
	}

	return s.do(a.ctx, a.svc, api.Key(api.NewKey()))
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
	if a.stopped != nil || a.next == len(a.steps) {
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
	a.plan.options.Progress(a.done, a.plan.stepCount)
}
