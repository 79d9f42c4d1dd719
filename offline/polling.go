package offline

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A pollingSyncer way reads from a service that has the documented operations alone:
// the reports and the lists, page by page, and then in rounds the movements
// since, with what they are of.
type pollingSyncer struct {
	*Node
	stage     store.Store // being filled; nil while the current base is followed
	tasks     []*pollTask // to be read, in their order
	nextPhase func(context.Context) error
	cycle     *pollCycle // nil while a stage is filled for the first time

	since          time.Time       // the service's clock, as far as it was seen
	knownMovements map[api.ID]bool // the movements of the last look
	noFilters      map[string]bool // operations that take no filter or limit
	unavailable    map[string]bool // operations that the key may not, or the service cannot
	pace           pacer
	learnedQuota   int64 // requests a month, as the service said
	// failures is how often the base did not take a round, one after the other.
	failures int

	transferStates map[api.ID]transferState // the transfers of the last looks
	auditedAt      time.Time
}

// A pollTask is something to read: an answer, or pages until there is no more.
type pollTask struct {
	// request is the question. A bare one leaves out what the interface does not
	// promise: page sizes and statuses.
	request func(cursor string, bare bool) *api.Request
	// handle takes an answer, and tells the cursor of the next page.
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
			return nil, time.Time{}, nil // what is under way is answered first
		}
		then := p.nextPhase
		if err := then(ctx); err != nil {
			return nil, time.Time{}, p.abortPull(err)
		}
		if p.nextPhase == nil { // it is done
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

// begin begins a stage where there is no base of this kind, else a round.
func (p *pollingSyncer) begin(ctx context.Context) error {
	at, err := p.replicaPosition(ctx, p.cfg.Replicas.Current())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || p.failures >= maxFailures {
		p.cfg.Log.Warn("the replica is outdated; downloading it again", "error", err)
		at, p.failures = ledger.ReplicaPosition{}, 0
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
	return p.abortPull(p.updateReplica(ctx, p.stage, (*ledger.Replica).BeginPolled))
}

// target is the one that is read into.
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

// handleError takes what can be done without: filters that a service does not take,
// lists that it has not or that the key may not read, a document that is gone.
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
	case isUnsupported(err): // it is no service at all, or another one than it was
		p.reset()
		p.pull.syncer = &probe{Node: p.Node}
		p.cfg.Log.Warn("the service has no reports, so there is nothing to sync", "error", err)
	}
	p.abortCycle()
	if p.cfg.NotSent != nil && p.cfg.NotSent(err) {
		p.pace.requests-- // the service has not counted it
	}
	p.pull.dueSetAt = p.now()
	p.pull.nextCycle = p.pull.dueSetAt.Add(p.pace.afterError(err))
	p.learnQuota(requestLimit(err))
	return false, nil
}

// reset gives up what is half read.
func (p *pollingSyncer) reset() {
	p.pull.holdSends = false
	p.stage, p.cycle, p.tasks, p.nextPhase = nil, nil, nil, nil
}

// abortCycle gives up the round, which begins again when there is an answer; what
// was filled before it stays.
func (p *pollingSyncer) abortCycle() {
	p.pull.holdSends = false
	switch {
	case p.cycle == nil: // it goes on where it was
	case p.stage != nil:
		p.cycle, p.tasks, p.nextPhase = nil, nil, p.fillDone
	default:
		p.cycle, p.tasks, p.nextPhase = nil, nil, nil
	}
}

// readList reads a list with all its pages, unless it is shut.
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

// pageSize is a page size, nil where none is to be named.
func pageSize(n int64, bare bool) *int64 {
	if bare {
		return nil
	}
	return &n
}
