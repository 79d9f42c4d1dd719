package offline

import (
	"context"
	"errors"
	"maps"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// finish takes the round into the base in one transaction, and notes what of
// the work here is in it.
func (p *pollingSyncer) finish(ctx context.Context) error {
	r := p.cycle
	news := len(r.touched) > 0 || len(r.confirmed) > 0 || p.stage != nil
	changes := news || len(r.docs) > 0
	if changes {
		err := p.updateReplica(ctx, p.target(), func(base *ledger.Replica) error { return p.merge(base) })
		if err != nil {
			p.failures++
			return err
		}
	}
	if p.stage != nil {
		p.stage = nil
		release, err := p.swapReplica()
		if err != nil {
			return err
		}
		defer release()
		p.polled.Store(true)
		p.pace.resetRequests()
	}
	p.failures = 0
	p.since, p.knownMovements = p.upTo(), map[api.ID]bool{}
	for id := range r.seen {
		p.knownMovements[id] = true
	}
	if r.audit {
		p.auditedAt = p.now()
	}
	for id, doc := range r.docs {
		if t, ok := doc.(*api.Transfer); ok {
			p.transferStates[id] = transferStateOf(t)
		}
	}
	p.pull.syncedAt, p.pull.holdSends = p.now(), false
	p.cycle, p.nextPhase = nil, nil
	p.pull.dueSetAt = p.now()
	p.pull.nextCycle = p.pull.dueSetAt.Add(p.pace.afterCycle(news || len(p.queue.Unanswered()) > 0))
	p.notify()
	if !changes {
		return nil
	}
	err := p.recordConfirmed(slices.Sorted(maps.Keys(r.confirmed)))
	return errors.Join(err, p.rebuild(ctx))
}

// recordConfirmed notes in the journal which operations the base has.
func (p *pollingSyncer) recordConfirmed(keys []string) error {
	keys = slices.DeleteFunc(keys, func(key string) bool {
		it := p.queue.Operation(key)
		return it == nil || it.State != outbox.Done || it.Confirmed
	})
	if len(keys) == 0 {
		return nil
	}
	if err := p.commit(&outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}}); err != nil {
		return err
	}
	return p.compactJournal()
}

// merge puts what a round read into the base.
func (p *pollingSyncer) merge(base *ledger.Replica) error {
	r := p.cycle
	grown, err := p.mergeBalances(base)
	if err != nil {
		return err
	}
	for _, id := range slices.SortedFunc(maps.Keys(r.docs), compareIDs) {
		doc := r.docs[id]
		switch d := doc.(type) {
		case *api.Inbound:
			err = base.Inbound(d)
		case *api.Transfer:
			err = base.Transfer(d)
		case *api.Reservation:
			err = base.Reservation(d)
		case *api.Outbound:
			err = base.Outbound(d)
		}
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.confirmed)) {
		it := p.queue.Operation(key)
		if err := base.ConfirmKey(key, it.SpecID, it.At); err != nil {
			return err
		}
	}
	if grown || p.stage != nil {
		if err := p.setDefaults(base); err != nil {
			return err
		}
	}
	return base.FinishCycle(p.upTo())
}

// mergeBalances brings the balances forward, and tells whether there are new ones.
func (p *pollingSyncer) mergeBalances(base *ledger.Replica) (grown bool, err error) {
	r := p.cycle
	moving := r.byStockKey()
	for at := range r.balances {
		if _, ok := moving[at]; !ok {
			moving[at] = nil
		}
	}
	for _, at := range sortedKeys(moving) {
		moves := moving[at]
		row, err := base.BalanceRow(at.product, at.location, at.owner, at.channel)
		if err != nil {
			return grown, err
		}
		grown = grown || row == nil
		if fresh := r.balances[at]; fresh != nil {
			row = fresh
		}
		if row == nil {
			continue // it is not in the report yet; the next round finds it
		}
		if next, fits := rollForward(*row, moves); fits {
			row = &next
		}
		if err := base.SetBalanceRow(row); err != nil {
			return grown, err
		}
	}
	return grown, nil
}

// setDefaults takes for the organization's own owner and channel those that most is of.
func (p *pollingSyncer) setDefaults(base *ledger.Replica) error {
	owner, channel, err := base.Defaults()
	if err != nil {
		return err
	}
	return base.SetOrganization(api.Organization{ID: p.cfg.Caller.Organization, Name: p.cfg.Name, DefaultOwnerID: owner, DefaultChannelID: channel})
}
