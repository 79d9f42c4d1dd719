package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// overlap is how far before the last reading a cycle starts: a movement may
// appear in the report some time after its timestamp.
const overlap = 5 * time.Minute

// maxPasses is how often a cycle reads the movements again for those that
// arrived while it was reading.
const maxPasses = 4

// A pollCycle reads what has happened since the last one: the movements, the
// balances that they do not explain, and their documents. Nothing is sent
// meanwhile, so the cycle contains exactly the operations that were answered
// before it began, and none that was not sent.
type pollCycle struct {
	from   time.Time
	latest time.Time // the latest time of the service's clock seen
	passes int
	audit  bool // read all open transfers
	// movementsUpTo and transfersUpTo are the times up to which the lists are
	// complete: the latest time seen when each list was requested.
	movementsUpTo, transfersUpTo time.Time

	seen          map[api.ID]bool
	pass          []*api.MovementRow            // of this pass
	movements     []*api.MovementRow            // oldest first, if the report is sorted by time
	balances      map[stockKey]*api.SnapshotRow // read again in full
	docs          map[api.ID]any                // *api.Inbound, *api.Transfer, *api.Reservation or *api.Outbound
	confirmed     map[string]bool               // operations that the cycle contains
	touched       map[stockKey]bool             // by new movements
	dirty         map[stockKey]documentKinds    // whose documents to read
	documentsRead map[stockKey]bool             // whose documents were read
	outbounds     map[api.ID]bool               // outbounds to read
	lookups       map[string]*lookup
}

// beginCycle begins a cycle from a time of the service's clock. Its first
// request waits until nothing is in flight.
func (p *pollingSyncer) beginCycle(from time.Time) {
	p.cycle = &pollCycle{from: from, latest: from, movementsUpTo: from, transfersUpTo: from, seen: map[api.ID]bool{}, balances: map[stockKey]*api.SnapshotRow{}, docs: map[api.ID]any{},
		confirmed: map[string]bool{}, touched: map[stockKey]bool{}, dirty: map[stockKey]documentKinds{}, documentsRead: map[stockKey]bool{}, outbounds: map[api.ID]bool{}, lookups: map[string]*lookup{}}
	p.pull.holdSends = true
	p.tasks, p.nextPhase = nil, p.readChanges
}

// observeTime records a time of the service's clock.
func (p *pollingSyncer) observeTime(at time.Time) {
	if p.cycle != nil {
		p.cycle.latest = later(p.cycle.latest, at)
	} else {
		p.since = later(p.since, at)
	}
}

// markAsked records that the first page of a list is requested.
func (r *pollCycle) markAsked(cursor string, upto *time.Time) {
	if cursor == "" {
		*upto = later(*upto, r.latest)
	}
}

// upTo returns the time up to which the cycle is complete.
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
	for _, op := range p.queue.Unconfirmed() {
		if err := p.confirmOperation(ctx, op); err != nil {
			return err
		}
	}
	p.readMovements()
	p.nextPhase = p.movementsRead
	return p.readNewTransfers(ctx)
}

// confirmOperation records that the cycle contains an operation.
func (p *pollingSyncer) confirmOperation(ctx context.Context, op *outbox.Operation) error {
	p.cycle.confirmed[op.Key] = true
	return p.markDirty(ctx, op)
}

// markDirty marks the documents of an operation to be read.
func (p *pollingSyncer) markDirty(ctx context.Context, op *outbox.Operation) error {
	t, err := p.affected(ctx, op)
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

// movementsRead reads what the movements do not explain, and then the
// movements again. Once nothing is left to read it looks up the unanswered
// operations.
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

// sortPass adds the movements of a pass, oldest first: the report is sorted
// newest first unless its timestamps show the opposite.
func (r *pollCycle) sortPass() {
	if n := len(r.pass); n > 0 && !r.pass[0].CreatedAt.Before(r.pass[n-1].CreatedAt) {
		slices.Reverse(r.pass)
	}
	r.movements, r.pass = append(r.movements, r.pass...), nil
}

func (r *pollCycle) byStockKey() map[stockKey][]*api.MovementRow {
	of := map[stockKey][]*api.MovementRow{}
	for _, m := range r.movements {
		of[stockKeyOf(m)] = append(of[stockKeyOf(m)], m)
	}
	return of
}

// readUnexplained reads the balances that the movements do not lead to.
func (p *pollingSyncer) readUnexplained(ctx context.Context) error {
	r := p.cycle
	return p.readReplica(ctx, func(replica *replica.Tx) error {
		moving := r.byStockKey()
		for _, at := range sortedKeys(moving) {
			moves := moving[at]
			if r.balances[at] != nil {
				continue
			}
			row, err := replica.BalanceRow(at.product, at.location, at.owner, at.channel)
			if err != nil {
				return err
			}
			if row != nil {
				if _, fits := rollForward(*row, moves); fits {
					continue
				}
			}
			readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
				return api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel},
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

func (p *pollingSyncer) readReplica(ctx context.Context, fn func(*replica.Tx) error) error {
	return replica.View(ctx, p.target(), p.partition(), fn)
}
