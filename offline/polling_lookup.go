package offline

import (
	"context"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A lookup searches the movements of the balances that an operation touches
// for its key.
type lookup struct {
	op         *outbox.Operation
	keyExpired bool // the service may have forgotten the key
	found      bool
	// expected is how many answers are needed, and complete how many arrived
	// with movements that add up to the balance.
	expected, complete int
	resolved           bool
}

// beginLookups looks up the operations that were sent and not answered, if the
// cycle may contain them or the service may have forgotten their keys.
func (p *pollingSyncer) beginLookups(ctx context.Context) error {
	r := p.cycle
	expired := p.queue.WithExpiredKeys(p.now())
	for _, op := range slices.Concat(p.queue.Unanswered(), expired) {
		if r.lookups[op.Key] != nil || r.confirmed[op.Key] {
			continue
		}
		t, err := p.affected(ctx, op)
		if err != nil {
			return err
		}
		l := &lookup{op: op, keyExpired: slices.Contains(expired, op)}
		if !l.keyExpired && p.stage == nil && !r.touches(t.keys) {
			continue // nothing changed there
		}
		r.lookups[op.Key] = l
		for _, at := range t.keys {
			p.search(l, at)
		}
	}
	p.nextPhase = p.resolveLookups
	return nil
}

// touches reports whether the cycle read anything new of one of the stock
// keys.
func (r *pollCycle) touches(list []stockKey) bool {
	for _, of := range []map[stockKey]bool{r.touched, r.documentsRead} {
		for at := range of {
			if slices.ContainsFunc(list, at.matches) {
				return true
			}
		}
	}
	return false
}

// search requests the explanation of all balances of a stock key.
func (p *pollingSyncer) search(l *lookup, at stockKey) {
	l.expected++
	readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel},
			Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.SnapshotRow) error {
		for i := range rows {
			l.expected++
			readOne(p, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: rows[i].ID}, l.add)
		}
		return nil
	})
	l.complete++ // a balance that does not exist has no movements
}

func (l *lookup) add(x *api.Explanation) error {
	var sum api.Quantities
	for i := range x.Movements {
		m := &x.Movements[i]
		sum.Add(m.InventoryState, m.Quantity)
		l.found = l.found || m.IdempotencyKey == l.op.Key
	}
	if sum == x.Balance.Quantities && x.NextCursor == nil {
		l.complete++
	}
	return nil
}

// resolveLookups marks operations whose key was found as done and reads their
// changes. Operations proven absent may be sent again; those that stay unclear
// are quarantined.
func (p *pollingSyncer) resolveLookups(ctx context.Context) error {
	again := false
	for _, l := range p.cycle.lookups {
		if l.resolved || l.op.State != outbox.Pending {
			continue
		}
		l.resolved = true
		switch {
		case l.found:
			if err := p.commit(p.queue.MarkDone(p.now(), l.op.Key)); err != nil {
				return err
			}
			if err := p.confirmOperation(ctx, l.op); err != nil {
				return err
			}
			again = true
		case !l.keyExpired:
		case l.expected > 0 && l.complete == l.expected:
			p.queue.MarkNotDone(p.now(), l.op.Key)
		default:
			if err := p.commit(p.queue.HoldUnanswered(p.now(), l.op.Key)); err != nil {
				return err
			}
			p.stale.Store(true) // the operation is no longer applied
		}
	}
	if again {
		p.readMovements()
		p.nextPhase = p.movementsRead
		return nil
	}
	return p.finish(ctx)
}
