package syncer

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
)

var _ Syncer = (*poll)(nil)

// newPoll returns a Syncer by polling.
func newPoll(local *Local, opts Options) *poll {
	p := &poll{
		Local:          local,
		opts:           opts,
		knownMovements: map[api.ID]bool{},
		noFilters:      map[string]bool{},
		unavailable:    map[string]bool{},
		transferStates: map[api.ID]transferState{},
	}

	p.pace.setQuota(p.monthlyRequests())

	return p
}

// Next implements Syncer.
func (p *poll) Next(ctx context.Context) (*api.Request, time.Time, error) {
	if p.nextPhase == nil {
		if err := p.begin(ctx); err != nil {
			return nil, time.Time{}, err
		}
	}

	for len(p.tasks) == 0 {
		if p.cycle != nil && p.Queue.InFlight() > 0 {
			return nil, time.Time{}, nil // wait for the answers in flight
		}

		phase := p.nextPhase
		if err := phase(ctx); err != nil {
			return nil, time.Time{}, Abort(err)
		}
		if p.nextPhase == nil { // the cycle is finished
			return nil, p.NextCycle, nil
		}
	}

	req := p.tasks[0].request(p.tasks[0].cursor, false)
	if p.noFilters[req.Spec.ID] {
		req = p.tasks[0].request(p.tasks[0].cursor, true)
	}

	p.pace.requests++

	return req, time.Time{}, nil
}

// CountRequest counts a request that another syncer sends: it uses quota too.
func (p *poll) CountRequest() { p.pace.requests++ }

// HandleAnswer implements Syncer.
func (p *poll) HandleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error {
	if len(p.tasks) == 0 {
		return nil
	}

	t := p.tasks[0]
	next, err := t.handle(ctx, res.Output)
	if err != nil {
		return Abort(fmt.Errorf("%s: %w", asked.Spec.ID, err))
	}
	if next == nil || *next == "" || *next == t.cursor {
		p.tasks = p.tasks[1:]
		return nil
	}

	t.cursor = *next

	return nil
}

// HandleError implements Syncer. It handles what reading can do without:
// filters that the service does not accept, lists that it does not have or the
// key may not read, deleted documents.
func (p *poll) HandleError(_ context.Context, asked *api.Request, err error) (outcome Outcome, _ error) {
	id := asked.Spec.ID
	optional := id != api.ReportMovements.Spec.ID && id != api.ReportSnapshot.Spec.ID
	switch {
	case len(p.tasks) == 0:
	case api.HasCode(err, api.ValidationError) && !p.noFilters[id]:
		p.noFilters[id] = true
		return Handled, nil
	case api.HasCode(err, api.InvalidCursor) && p.tasks[0].cursor != "":
		p.tasks[0].cursor = ""
		return Handled, nil
	case optional && (IsUnsupported(err) || api.HasCode(err, api.InsufficientScope)):
		if id != api.GetOutbound.Spec.ID && id != api.ExplainBalance.Spec.ID {
			p.unavailable[id] = true
		}
		p.tasks = p.tasks[1:]
		return Handled, nil

	case IsUnsupported(err): // not a service, or no longer the same one
		p.Reset()
		outcome = OtherService
		p.Log.Warn("the service has no reports, so there is nothing to sync", "error", err)
	}

	p.abortCycle()
	if p.opts.NotSent != nil && p.opts.NotSent(err) {
		p.pace.requests-- // the service did not count it
	}

	p.CycleSetAt = p.Now()
	p.NextCycle = p.CycleSetAt.Add(p.pace.afterError(err))
	p.learnQuota(requestLimit(err))

	return outcome, nil
}

// Reset implements Syncer.
func (p *poll) Reset() {
	p.HoldSends = false
	p.stage, p.cycle, p.tasks, p.nextPhase = nil, nil, nil, nil
}

// abortCycle discards the cycle, which starts again at the next answer; a
// filled stage remains.
func (p *poll) abortCycle() {
	p.HoldSends = false
	switch {
	case p.cycle == nil: // filling continues where it was
	case p.stage != nil:
		p.cycle, p.tasks, p.nextPhase = nil, nil, p.fillDone
	default:
		p.cycle, p.tasks, p.nextPhase = nil, nil, nil
	}
}
