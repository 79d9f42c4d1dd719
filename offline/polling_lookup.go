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
	keyExpired bool // the service may not know the key any more
	found      bool
	// expected and whole are how many balances were to be explained, and of how many
	// the movements that were read add up to what there is.
	expected, complete int
	resolved           bool
}

// beginLookups searches for what was sent and not answered: where the round may have
// it, and where it is to be sent again after so long that the service may not
// know it for the same.
func (p *pollingSyncer) beginLookups(ctx context.Context) error {
	r := p.cycle
	forgotten := p.queue.WithExpiredKeys(p.now())
	for _, it := range slices.Concat(p.queue.Unanswered(), forgotten) {
		if r.lookups[it.Key] != nil || r.confirmed[it.Key] {
			continue
		}
		t, err := p.affected(ctx, it)
		if err != nil {
			return err
		}
		l := &lookup{op: it, keyExpired: slices.Contains(forgotten, it)}
		if !l.keyExpired && p.stage == nil && !r.touches(t.keys) {
			continue // nothing has happened there
		}
		r.lookups[it.Key] = l
		for _, at := range t.keys {
			p.search(l, at)
		}
	}
	p.nextPhase = p.resolveLookups
	return nil
}

// touches tells whether the round read anything new of one of the spots.
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

// search has the balances of a spot explained.
func (p *pollingSyncer) search(l *lookup, at stockKey) {
	l.expected++
	readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
			Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.SnapshotRow) error {
		for i := range rows {
			l.expected++
			readOne(p, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: rows[i].ID}, l.add)
		}
		return nil
	})
	l.complete++ // a balance that is not there has no movements
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

// resolveLookups takes what was found for done, and reads what it did; what was not
// found may be sent again, and what cannot be told a person decides.
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
			p.stale.Store(true) // what shows changes
		}
	}
	if again {
		p.readMovements()
		p.nextPhase = p.movementsRead
		return nil
	}
	return p.finish(ctx)
}
