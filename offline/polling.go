package offline

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A pollingSyncer reads from a service that has the documented operations
// only: first the reports and lists page by page, and then in cycles the
// movements since, with the documents they belong to.
type pollingSyncer struct {
	*Node
	stage     store.Store // being filled; nil while the current replica is updated
	tasks     []*pollTask // to read, in order
	nextPhase func(context.Context) error
	cycle     *pollCycle // nil while a stage is filled for the first time

	since          time.Time       // the latest time of the service's clock seen
	knownMovements map[api.ID]bool // the movements of the last cycle
	noFilters      map[string]bool // operations that accept no filter or limit
	unavailable    map[string]bool // operations that the key or the service does not permit
	pace           pacer
	learnedQuota   int64 // requests a month, as reported by the service
	// failures is how often in a row a cycle could not be merged.
	failures int

	transferStates map[api.ID]transferState // the transfers of the last cycles
	auditedAt      time.Time
}

// A pollTask reads one answer, or all pages of a list.
type pollTask struct {
	// request returns the request. If bare is true it omits page sizes and
	// statuses, which not every service accepts.
	request func(cursor string, bare bool) *api.Request
	// handle takes an answer and returns the cursor of the next page.
	handle func(ctx context.Context, out any) (next *string, err error)
	cursor string
}

func newPollingSyncer(n *Node) *pollingSyncer {
	p := &pollingSyncer{Node: n, knownMovements: map[api.ID]bool{}, noFilters: map[string]bool{}, unavailable: map[string]bool{}, transferStates: map[api.ID]transferState{}}
	p.pace.setQuota(n.monthlyRequests())
	return p
}

func (p *pollingSyncer) next(ctx context.Context) (*api.Request, time.Time, error) {
	if p.nextPhase == nil {
		if err := p.begin(ctx); err != nil {
			return nil, time.Time{}, err
		}
	}
	for len(p.tasks) == 0 {
		if p.cycle != nil && p.queue.InFlight() > 0 {
			return nil, time.Time{}, nil // wait for the answers in flight
		}
		phase := p.nextPhase
		if err := phase(ctx); err != nil {
			return nil, time.Time{}, p.abortPull(err)
		}
		if p.nextPhase == nil { // the cycle is finished
			return nil, p.pull.nextCycle, nil
		}
	}
	req := p.tasks[0].request(p.tasks[0].cursor, false)
	if p.noFilters[req.Spec.ID] {
		req = p.tasks[0].request(p.tasks[0].cursor, true)
	}
	p.pace.requests++
	return req, time.Time{}, nil
}

// begin stages a replica if there is none that was polled, else begins a
// cycle.
func (p *pollingSyncer) begin(ctx context.Context) error {
	at, err := p.replicaPosition(ctx, p.cfg.Replicas.Current())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || p.failures >= maxFailures {
		p.cfg.Log.Warn("the replica is outdated; downloading it again", "error", err)
		at, p.failures = replica.Position{}, 0
	}
	if at.IsPolled() && at.Complete {
		p.since = at.SyncedUntil
		p.beginCycle(at.SyncedUntil)
		return nil
	}
	if p.stage, err = p.cfg.Replicas.Stage(); err != nil {
		return p.abortPull(err)
	}
	clear(p.knownMovements)
	clear(p.transferStates)
	p.beginFill()
	return p.abortPull(p.updateReplica(ctx, p.stage, (*replica.Tx).BeginPolled))
}

// target returns the replica that is being read into.
func (p *pollingSyncer) target() store.Store {
	if p.stage != nil {
		return p.stage
	}
	return p.cfg.Replicas.Current()
}

func (p *pollingSyncer) handleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error {
	if len(p.tasks) == 0 {
		return nil
	}
	t := p.tasks[0]
	next, err := t.handle(ctx, res.Output)
	if err != nil {
		return p.abortPull(fmt.Errorf("%s: %w", asked.Spec.ID, err))
	}
	if next == nil || *next == "" || *next == t.cursor {
		p.tasks = p.tasks[1:]
		return nil
	}
	t.cursor = *next
	return nil
}

// handleError handles what reading can do without: filters that the service
// does not accept, lists that it does not have or the key may not read,
// deleted documents.
func (p *pollingSyncer) handleError(_ context.Context, asked *api.Request, err error) (bool, error) {
	id := asked.Spec.ID
	optional := id != api.ReportMovements.ID && id != api.ReportSnapshot.ID
	switch {
	case len(p.tasks) == 0:
	case api.HasCode(err, api.ValidationError) && !p.noFilters[id]:
		p.noFilters[id] = true
		return true, nil
	case api.HasCode(err, api.InvalidCursor) && p.tasks[0].cursor != "":
		p.tasks[0].cursor = ""
		return true, nil
	case optional && (isUnsupported(err) || api.HasCode(err, api.InsufficientScope)):
		if id != api.GetOutbound.ID && id != api.ExplainBalance.ID {
			p.unavailable[id] = true
		}
		p.tasks = p.tasks[1:]
		return true, nil
	case isUnsupported(err): // not a service, or no longer the same one
		p.reset()
		p.pull.syncer = &probe{Node: p.Node}
		p.cfg.Log.Warn("the service has no reports, so there is nothing to sync", "error", err)
	}
	p.abortCycle()
	if p.cfg.NotSent != nil && p.cfg.NotSent(err) {
		p.pace.requests-- // the service did not count it
	}
	p.pull.dueSetAt = p.now()
	p.pull.nextCycle = p.pull.dueSetAt.Add(p.pace.afterError(err))
	p.learnQuota(requestLimit(err))
	return false, nil
}

// reset discards what is only partly read.
func (p *pollingSyncer) reset() {
	p.pull.holdSends = false
	p.stage, p.cycle, p.tasks, p.nextPhase = nil, nil, nil, nil
}

// abortCycle discards the cycle, which starts again at the next answer; a
// filled stage remains.
func (p *pollingSyncer) abortCycle() {
	p.pull.holdSends = false
	switch {
	case p.cycle == nil: // filling continues where it was
	case p.stage != nil:
		p.cycle, p.tasks, p.nextPhase = nil, nil, p.fillDone
	default:
		p.cycle, p.tasks, p.nextPhase = nil, nil, nil
	}
}

// readList reads all pages of a list, unless it is unavailable.
func readList[I, T any](p *pollingSyncer, op api.Operation[I, api.List[T]], in func(cursor string, bare bool) I, take func(context.Context, []T) error) {
	if p.unavailable[op.ID] {
		return
	}
	p.tasks = append(p.tasks, &pollTask{
		request: func(cursor string, bare bool) *api.Request { return newRequest(op, in(cursor, bare)) },
		handle: func(ctx context.Context, out any) (*string, error) {
			page, ok := out.(*api.List[T])
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return page.NextCursor, take(ctx, page.Items)
		},
	})
}

// readOne reads one answer.
func readOne[I, O any](p *pollingSyncer, op api.Operation[I, O], in I, take func(*O) error) {
	p.tasks = append(p.tasks, &pollTask{
		request: func(string, bool) *api.Request { return newRequest(op, in) },
		handle: func(_ context.Context, out any) (*string, error) {
			o, ok := out.(*O)
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return nil, take(o)
		},
	})
}

// pageSize returns a page size, nil if bare.
func pageSize(n int64, bare bool) *int64 {
	if bare {
		return nil
	}
	return &n
}
