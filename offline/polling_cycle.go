package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// overlap is how far a round looks back beyond what was read: what was written
// at one time may show a little later.
const overlap = 5 * time.Minute

// maxPasses is how often a round looks again for what came while it was reading.
const maxPasses = 4

// A pollCycle reads what has happened since the last one: the movements, what they
// do not explain, and the documents they are of. Nothing is sent meanwhile, so
// that of what was done here it is known whether the round has it: all that was
// answered before it began, and nothing that was not sent.
type pollCycle struct {
	from   time.Time
	latest time.Time // that was seen of the service's clock
	passes int
	audit  bool // it looks through all open transfers
	// upto is to when each list was read: what the service had then is in it, and
	// what came after it was asked may not be, however late its answer was.
	movementsUpTo, transfersUpTo time.Time

	seen          map[api.ID]bool
	pass          []*api.MovementRow            // in this pass
	movements     []*api.MovementRow            // oldest first, as far as the order of the report tells
	balances      map[stockKey]*api.SnapshotRow // read again as a whole
	docs          map[api.ID]any                // pointers to inbounds, transfers, reservations, outbounds
	confirmed     map[string]bool               // operations that the round has
	touched       map[stockKey]bool             // by movements that were not known
	dirty         map[stockKey]documentKinds    // whose documents are to be read
	documentsRead map[stockKey]bool             // whose documents were read
	outbounds     map[api.ID]bool               // outbounds that are to be read
	lookups       map[string]*lookup
}

// beginCycle begins a round from an instant of the service's clock. Its questions
// come when nothing is under way any more.
func (p *pollingSyncer) beginCycle(from time.Time) {
	p.cycle = &pollCycle{from: from, latest: from, movementsUpTo: from, transfersUpTo: from, seen: map[api.ID]bool{}, balances: map[stockKey]*api.SnapshotRow{}, docs: map[api.ID]any{},
		confirmed: map[string]bool{}, touched: map[stockKey]bool{}, dirty: map[stockKey]documentKinds{}, documentsRead: map[stockKey]bool{}, outbounds: map[api.ID]bool{}, lookups: map[string]*lookup{}}
	p.pull.holdSends = true
	p.tasks, p.nextPhase = nil, p.readChanges
}

// observeTime notes an instant of the service's clock.
func (p *pollingSyncer) observeTime(at time.Time) {
	if p.cycle != nil {
		p.cycle.latest = later(p.cycle.latest, at)
	} else {
		p.since = later(p.since, at)
	}
}

// markAsked notes that a list is asked from its beginning.
func (r *pollCycle) markAsked(cursor string, upto *time.Time) {
	if cursor == "" {
		*upto = later(*upto, r.latest)
	}
}

// upTo is to when the round has all that the service had.
func (p *pollingSyncer) upTo() time.Time {
	r := p.cycle
	if p.unavailable[api.ListTransfers.ID] || r.transfersUpTo.After(r.movementsUpTo) {
		return r.movementsUpTo
	}
	return r.transfersUpTo
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (r *pollCycle) since() *time.Time {
	if r.from.IsZero() {
		return nil
	}
	at := r.from.Add(-overlap)
	return &at
}

func (p *pollingSyncer) readChanges(ctx context.Context) error {
	for _, it := range p.queue.Unconfirmed() {
		if err := p.confirmOperation(ctx, it); err != nil {
			return err
		}
	}
	p.readMovements()
	p.nextPhase = p.movementsRead
	return p.readNewTransfers(ctx)
}

// confirmOperation takes an operation for one that the round has.
func (p *pollingSyncer) confirmOperation(ctx context.Context, it *outbox.Operation) error {
	p.cycle.confirmed[it.Key] = true
	return p.markDirty(ctx, it)
}

// markDirty has the documents of an operation read.
func (p *pollingSyncer) markDirty(ctx context.Context, it *outbox.Operation) error {
	t, err := p.affected(ctx, it)
	if err != nil {
		return err
	}
	for _, at := range t.keys {
		p.cycle.dirty[at] |= t.documents
	}
	if t.outbound != (api.ID{}) {
		p.cycle.outbounds[t.outbound] = true
	}
	return nil
}

// readMovements reads the movements.
func (p *pollingSyncer) readMovements() {
	r := p.cycle
	readList(p, api.ReportMovements, func(cursor string, bare bool) api.ReportMovementsInput {
		r.markAsked(cursor, &r.movementsUpTo)
		return api.ReportMovementsInput{CreatedFrom: r.since(), Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.MovementRow) error {
		for i := range rows {
			m := &rows[i]
			if r.seen[m.ID] {
				continue
			}
			r.seen[m.ID] = true
			r.pass = append(r.pass, m)
			p.observeTime(m.CreatedAt)
			r.movementsUpTo = later(r.movementsUpTo, m.CreatedAt)
			if !p.knownMovements[m.ID] {
				r.touched[stockKeyOf(m)] = true
				r.dirty[stockKeyOf(m)] |= documentKindsOf(m.Operation.Document())
			}
		}
		return nil
	})
}

// movementsRead reads what the movements leave open, and then looks whether there are
// more; where they leave nothing open, it looks up what was not answered.
func (p *pollingSyncer) movementsRead(ctx context.Context) error {
	r := p.cycle
	r.passes++
	r.sortPass()
	if err := p.readUnexplained(ctx); err != nil {
		return err
	}
	if err := p.readDocuments(ctx); err != nil {
		return err
	}
	switch {
	case len(p.tasks) == 0 || r.passes > maxPasses:
		p.nextPhase = p.beginLookups
	default:
		p.readMovements()
	}
	return nil
}

// sortPass adds the movements of a pass: the report has the newest first, unless
// what it had tells that it begins with the oldest.
func (r *pollCycle) sortPass() {
	if n := len(r.pass); n > 0 && !r.pass[0].CreatedAt.Before(r.pass[n-1].CreatedAt) {
		slices.Reverse(r.pass)
	}
	r.movements, r.pass = append(r.movements, r.pass...), nil
}

// byStockKey are the movements by what they are of.
func (r *pollCycle) byStockKey() map[stockKey][]*api.MovementRow {
	of := map[stockKey][]*api.MovementRow{}
	for _, m := range r.movements {
		of[stockKeyOf(m)] = append(of[stockKeyOf(m)], m)
	}
	return of
}

// readUnexplained has the balances read again that the movements do not lead to.
func (p *pollingSyncer) readUnexplained(ctx context.Context) error {
	r := p.cycle
	return p.readReplica(ctx, func(base *ledger.Replica) error {
		moving := r.byStockKey()
		for _, at := range sortedKeys(moving) {
			moves := moving[at]
			if r.balances[at] != nil {
				continue
			}
			row, err := base.BalanceRow(at.product, at.location, at.owner, at.channel)
			if err != nil {
				return err
			}
			if row != nil {
				if _, fits := rollForward(*row, moves); fits {
					continue
				}
			}
			readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
				return api.ReportSnapshotInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
					Limit: pageSize(reportPage, bare), Cursor: cursor}
			}, func(_ context.Context, rows []api.SnapshotRow) error {
				for i := range rows {
					x := &rows[i]
					r.balances[stockKey{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID}] = x
				}
				return nil
			})
		}
		return nil
	})
}

func (p *pollingSyncer) readReplica(ctx context.Context, fn func(*ledger.Replica) error) error {
	return ledger.ViewReplica(ctx, p.target(), p.partition(), fn)
}
