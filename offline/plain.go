package offline

import (
	"context"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A plain way reads from a service that has the documented operations alone:
// the reports and the lists, page by page, and then in rounds the movements
// since, with what they are of.
type plain struct {
	*Node
	stage store.Store // being filled; nil while the current base is followed
	tasks []*task     // to be read, in their order
	then  func(context.Context) error
	round *round // nil while a stage is filled for the first time

	since time.Time       // the service's clock, as far as it was seen
	known map[api.ID]bool // the movements of the last look
	leery map[string]bool // operations that take no filter or limit
	shut  map[string]bool // operations that the key may not, or the service cannot
	pace  pace
	told  int64 // requests a month, as the service said
	// failed is how often the base did not take a round, one after the other.
	failed int

	planned map[api.ID]form // the transfers of the last looks
	audited time.Time
}

// A task is something to read: an answer, or pages until there is no more.
type task struct {
	// ask is the question. A bare one leaves out what the interface does not
	// promise: page sizes and statuses.
	ask func(cursor string, bare bool) *api.Request
	// take takes an answer, and tells the cursor of the next page.
	take   func(ctx context.Context, out any) (next *string, err error)
	cursor string
}

func newPlain(n *Node) *plain {
	p := &plain{Node: n, known: map[api.ID]bool{}, leery: map[string]bool{}, shut: map[string]bool{}, planned: map[api.ID]form{}}
	p.pace.of(n.requests())
	return p
}

func (p *plain) question(ctx context.Context) (*api.Request, time.Time, error) {
	if p.then == nil {
		if err := p.begin(ctx); err != nil {
			return nil, time.Time{}, err
		}
	}
	for len(p.tasks) == 0 {
		if p.round != nil && p.box.Flying() > 0 {
			return nil, time.Time{}, nil // what is under way is answered first
		}
		then := p.then
		if err := then(ctx); err != nil {
			return nil, time.Time{}, p.halted(err)
		}
		if p.then == nil { // it is done
			return nil, p.pull.due, nil
		}
	}
	req := p.tasks[0].ask(p.tasks[0].cursor, false)
	if p.leery[req.Spec.ID] {
		req = p.tasks[0].ask(p.tasks[0].cursor, true)
	}
	p.pace.asked++
	return req, time.Time{}, nil
}

// begin begins a stage where there is no base of this kind, else a round.
func (p *plain) begin(ctx context.Context) error {
	at, err := p.place(ctx, p.cfg.Bases.Current())
	if ctx.Err() != nil {
		return err
	}
	if err != nil || p.failed >= hopeless {
		p.cfg.Log.Warn("what was read from the service is of no use any more and is read anew", "error", err)
		at, p.failed = ledger.ReplicaPlace{}, 0
	}
	if at.Plain() && at.Whole {
		p.since = at.Upto
		p.begins(at.Upto)
		return nil
	}
	if p.stage, err = p.cfg.Bases.Stage(); err != nil {
		return p.halted(err)
	}
	clear(p.known)
	clear(p.planned)
	p.fill()
	return p.halted(p.replica(ctx, p.stage, (*ledger.Replica).BeginPlainly))
}

// base is the one that is read into.
func (p *plain) base() store.Store {
	if p.stage != nil {
		return p.stage
	}
	return p.cfg.Bases.Current()
}

func (p *plain) answer(ctx context.Context, asked *api.Request, res *api.Response) error {
	if len(p.tasks) == 0 {
		return nil
	}
	t := p.tasks[0]
	next, err := t.take(ctx, res.Output)
	if err != nil {
		return p.halted(fmt.Errorf("%s: %w", asked.Spec.ID, err))
	}
	if next == nil || *next == "" || *next == t.cursor {
		p.tasks = p.tasks[1:]
		return nil
	}
	t.cursor = *next
	return nil
}

// fault takes what can be done without: filters that a service does not take,
// lists that it has not or that the key may not read, a document that is gone.
func (p *plain) fault(_ context.Context, asked *api.Request, err error) (bool, error) {
	id := asked.Spec.ID
	optional := id != api.ReportMovements.ID && id != api.ReportSnapshot.ID
	switch {
	case len(p.tasks) == 0:
	case api.HasCode(err, api.ValidationError) && !p.leery[id]:
		p.leery[id] = true
		return true, nil
	case api.HasCode(err, api.InvalidCursor) && p.tasks[0].cursor != "":
		p.tasks[0].cursor = ""
		return true, nil
	case optional && (foreign(err) || api.HasCode(err, api.InsufficientScope)):
		if id != api.GetOutbound.ID && id != api.ExplainBalance.ID {
			p.shut[id] = true
		}
		p.tasks = p.tasks[1:]
		return true, nil
	case foreign(err): // it is no service at all, or another one than it was
		p.drop()
		p.pull.way = &probe{Node: p.Node}
		p.cfg.Log.Warn("the service has no reports, so nothing can be read from it", "error", err)
	}
	p.pause()
	if p.cfg.NotSent != nil && p.cfg.NotSent(err) {
		p.pace.asked-- // the service has not counted it
	}
	p.pull.paced = p.now()
	p.pull.due = p.pull.paced.Add(p.pace.spent(err))
	p.heard(requestsOf(err))
	return false, nil
}

// drop gives up what is half read.
func (p *plain) drop() {
	p.pull.quiet = false
	p.stage, p.round, p.tasks, p.then = nil, nil, nil, nil
}

// pause gives up the round, which begins again when there is an answer; what
// was filled before it stays.
func (p *plain) pause() {
	p.pull.quiet = false
	switch {
	case p.round == nil: // it goes on where it was
	case p.stage != nil:
		p.round, p.tasks, p.then = nil, nil, p.filled
	default:
		p.round, p.tasks, p.then = nil, nil, nil
	}
}

// walks reads a list with all its pages, unless it is shut.
func walks[I, T any](p *plain, op api.Operation[I, api.List[T]], in func(cursor string, bare bool) I, take func(context.Context, []T) error) {
	if p.shut[op.ID] {
		return
	}
	p.tasks = append(p.tasks, &task{
		ask: func(cursor string, bare bool) *api.Request { return ask(op, in(cursor, bare)) },
		take: func(ctx context.Context, out any) (*string, error) {
			page, ok := out.(*api.List[T])
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return page.NextCursor, take(ctx, page.Items)
		},
	})
}

// once reads one answer.
func once[I, O any](p *plain, op api.Operation[I, O], in I, take func(*O) error) {
	p.tasks = append(p.tasks, &task{
		ask: func(string, bool) *api.Request { return ask(op, in) },
		take: func(_ context.Context, out any) (*string, error) {
			o, ok := out.(*O)
			if !ok {
				return nil, fmt.Errorf("the answer is a %T", out)
			}
			return nil, take(o)
		},
	})
}

// most is a page size, nil where none is to be named.
func most(n int64, bare bool) *int64 {
	if bare {
		return nil
	}
	return &n
}
