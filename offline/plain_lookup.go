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
	it     *outbox.Item
	forgot bool // the service may not know the key any more
	found  bool
	// asked and whole are how many balances were to be explained, and of how many
	// the movements that were read add up to what there is.
	asked, whole int
	judged       bool
}

// lookups searches for what was sent and not answered: where the round may have
// it, and where it is to be sent again after so long that the service may not
// know it for the same.
func (p *plain) lookups(ctx context.Context) error {
	r := p.round
	forgotten := p.box.Forgotten(p.now())
	for _, it := range slices.Concat(p.box.Unanswered(), forgotten) {
		if r.looked[it.Key] != nil || r.sure[it.Key] {
			continue
		}
		t, err := p.touches(ctx, it)
		if err != nil {
			return err
		}
		l := &lookup{it: it, forgot: slices.Contains(forgotten, it)}
		if !l.forgot && p.stage == nil && !r.meets(t.spots) {
			continue // nothing has happened there
		}
		r.looked[it.Key] = l
		for _, at := range t.spots {
			p.search(l, at)
		}
	}
	p.then = p.judged
	return nil
}

// meets tells whether the round read anything new of one of the spots.
func (r *round) meets(list []spot) bool {
	for _, of := range []map[spot]bool{r.touched, r.read} {
		for at := range of {
			if slices.ContainsFunc(list, at.meets) {
				return true
			}
		}
	}
	return false
}

// search has the balances of a spot explained.
func (p *plain) search(l *lookup, at spot) {
	l.asked++
	walks(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
			Limit: most(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.SnapshotRow) error {
		for i := range rows {
			l.asked++
			once(p, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: rows[i].ID}, l.take)
		}
		return nil
	})
	l.whole++ // a balance that is not there has no movements
}

func (l *lookup) take(x *api.Explanation) error {
	var sum api.Quantities
	for i := range x.Movements {
		m := &x.Movements[i]
		sum.Add(m.InventoryState, m.Quantity)
		l.found = l.found || m.IdempotencyKey == l.it.Key
	}
	if sum == x.Balance.Quantities && x.NextCursor == nil {
		l.whole++
	}
	return nil
}

// judged takes what was found for done, and reads what it did; what was not
// found may be sent again, and what cannot be told a person decides.
func (p *plain) judged(ctx context.Context) error {
	again := false
	for _, l := range p.round.looked {
		if l.judged || l.it.State != outbox.Captured {
			continue
		}
		l.judged = true
		switch {
		case l.found:
			if err := p.keep(p.box.Seen(p.now(), l.it.Key)); err != nil {
				return err
			}
			if err := p.sure(ctx, l.it); err != nil {
				return err
			}
			again = true
		case !l.forgot:
		case l.asked > 0 && l.whole == l.asked:
			p.box.Missed(p.now(), l.it.Key)
		default:
			if err := p.keep(p.box.Doubt(p.now(), l.it.Key)); err != nil {
				return err
			}
			p.stale.Store(true) // what shows changes
		}
	}
	if again {
		p.moves()
		p.then = p.moved
		return nil
	}
	return p.finish(ctx)
}
