package intake

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bincard/server/api"
)

// An Outcome is what Apply did: Applied lines are new, Repeated ones had been
// applied by an earlier import of the same file.
type Outcome struct {
	Applied  int `json:"applied"`
	Repeated int `json:"repeated"`
}

// A StoppedError error tells at which line an import ended before its time.
type StoppedError struct {
	Line int
	Err  error
}

func (e *StoppedError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *StoppedError) Unwrap() error { return e.Err }

// concurrency is how many lines are under way at once: a service commits what
// comes together in one flush.
const concurrency = 16

// Apply performs a plan without problems, several lines at a time. It ends when
// a line fails, with a *Stopped that tells the first such line; applying the
// same file again does what is left.
func (p *Plan) Apply(ctx context.Context, svc api.Service) (Outcome, error) {
	if len(p.Problems) > 0 {
		return Outcome{}, errors.New("a table with problems cannot be applied")
	}
	a := &applier{plan: p, ctx: ctx, svc: svc}
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

// An applier is the applying of one plan.
type applier struct {
	plan *Plan
	ctx  context.Context
	svc  api.Service

	mu      sync.Mutex
	next    int // the step to be begun
	done    int
	out     Outcome
	stopped *StoppedError
}

// run performs steps until there is none, or one failed.
func (a *applier) run() {
	for {
		s := a.nextStep()
		if s == nil {
			return
		}
		res, err := (*api.Response)(nil), a.ctx.Err()
		if err == nil {
			res, err = s.do(a.ctx, a.svc, api.Key(fmt.Sprintf("%s-%d", a.plan.batch, s.line)))
		}
		a.note(s, res, err)
	}
}

func (a *applier) nextStep() *step {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped != nil || a.next == len(a.plan.steps) {
		return nil
	}
	a.next++
	return &a.plan.steps[a.next-1]
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
