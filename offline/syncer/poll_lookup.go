package syncer

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// readLookups looks up the operations that were sent and not answered, if the
// cycle may contain them or the service may have forgotten their keys.
func (p *poll) readLookups(ctx context.Context) error {
	r := p.cycle
	expired := p.Queue.WithExpiredKeys(p.Now())
	for _, op := range slices.Concat(p.Queue.Unanswered(), expired) {
		if r.lookups[op.Key] != nil || r.confirmed[op.Key] {
			continue
		}

		t, err := p.affected(ctx, op)
		if err != nil {
			return err
		}

		l := &movementLookup{op: op, keyExpired: slices.Contains(expired, op)}
		if !l.keyExpired && p.stage == nil && !r.touches(t.keys) {
			continue // nothing changed there
		}

		r.lookups[op.Key] = l
		for _, at := range t.keys {
			p.search(l, at)
		}
	}

	return nil
}

// search requests the explanation of all balances of a stock key.
func (p *poll) search(l *movementLookup, at api.StockKey) {
	l.expected++
	readBalances(p, at, func(row *api.SnapshotRow) {
		l.expected++
		l.explain(p, row.ID)
	})
	l.complete++ // a balance that does not exist has no movements
}

// resolveLookups marks operations whose key was found as done: their changes
// must be read. Operations proven absent may be sent again; those that stay unclear
// are quarantined.
func (p *poll) resolveLookups(ctx context.Context) (found bool, err error) {
	// In the order in which they were done, so that the same answers give the same journal.
	bySeq := func(a, b *movementLookup) int { return cmp.Compare(a.op.Seq, b.op.Seq) }
	for _, l := range slices.SortedFunc(maps.Values(p.cycle.lookups), bySeq) {
		if l.resolved || l.op.State != outbox.Pending {
			continue
		}

		l.resolved = true
		switch {
		case l.found:
			if err := p.Queue.Commit(p.Queue.MarkDone(p.Now(), l.op)); err != nil {
				return found, err
			}
			if err := p.confirmOperation(ctx, l.op); err != nil {
				return found, err
			}
			found = true

		case !l.keyExpired:
		case l.expected > 0 && l.complete == l.expected:
			p.Queue.MarkNotDone(p.Now(), l.op)
		default:
			if err := p.Queue.Commit(p.Queue.HoldUnanswered(p.Now(), l.op)); err != nil {
				return found, err
			}
			p.Outdated = true // the operation is no longer applied
		}
	}

	return found, nil
}
