package syncer

import (
	"context"
	"maps"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// finish merges the cycle into the replica in one transaction, and records
// which operations it contains.
func (p *poll) finish(ctx context.Context) error {
	r := p.cycle
	busy := len(r.touched) > 0 || len(r.confirmed) > 0 || p.stage != nil
	changes := busy || len(r.docs) > 0
	if changes {
		err := p.Replicas.Update(ctx, p.target(), func(replica *replica.Tx) error { return p.merge(replica) })
		if err != nil {
			p.failures++
			return err
		}
	}

	if p.stage != nil {
		p.stage = nil
		if err := p.Replicas.Replace(true); err != nil {
			return err
		}
		p.pace.resetRequests()
	}

	p.failures = 0
	p.since, p.knownMovements = p.upTo(), map[api.ID]bool{}
	for id := range r.seen {
		p.knownMovements[id] = true
	}
	if r.audit {
		p.auditedAt = p.Now()
	}
	for id, doc := range r.docs {
		if t, ok := doc.(*api.Transfer); ok {
			p.transferStates[id] = transferStateOf(t)
		}
	}

	p.SyncedAt, p.HoldSends = p.Now(), false
	p.cycle, p.nextPhase = nil, nil
	p.CycleSetAt = p.Now()
	p.NextCycle = p.CycleSetAt.Add(p.pace.afterCycle(p.pace.awaits(p.Queue.Unanswered()) || busy))
	p.Rebuild = changes
	if !changes {
		return nil
	}

	return p.recordConfirmed(slices.Sorted(maps.Keys(r.confirmed)))
}

// recordConfirmed writes to the journal which operations the replica contains.
func (p *poll) recordConfirmed(keys []string) error {
	keys = slices.DeleteFunc(keys, func(key string) bool {
		op := p.Queue.Operation(key)
		return op == nil || op.State != outbox.Done || op.Confirmed
	})
	if len(keys) == 0 {
		return nil
	}
	if err := p.Queue.Commit(&outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}}); err != nil {
		return err
	}

	return p.Queue.CompactJournal(p.Now())
}

// merge writes what a cycle read into the replica.
func (p *poll) merge(replica *replica.Tx) error {
	r := p.cycle
	grown, err := p.mergeBalances(replica)
	if err != nil {
		return err
	}

	for _, id := range slices.SortedFunc(maps.Keys(r.docs), compareIDs) {
		doc := r.docs[id]
		switch d := doc.(type) {
		case *api.Inbound:
			err = replica.Inbound(d)
		case *api.Transfer:
			err = replica.Transfer(d)
		case *api.Reservation:
			err = replica.Reservation(d)
		case *api.Outbound:
			err = replica.Outbound(d)
		}

		if err != nil {
			return err
		}
	}

	for _, key := range slices.Sorted(maps.Keys(r.confirmed)) {
		op := p.Queue.Operation(key)
		if err := replica.ConfirmKey(key, op.SpecID, op.At); err != nil {
			return err
		}
	}

	if grown || p.stage != nil {
		if err := p.setDefaults(replica); err != nil {
			return err
		}
	}

	return replica.FinishCycle(p.upTo())
}

// mergeBalances rolls the balances forward, and reports whether there are new
// ones.
func (p *poll) mergeBalances(replica *replica.Tx) (grown bool, err error) {
	r := p.cycle
	moving := r.byStockKey()
	for at := range r.balances {
		if _, ok := moving[at]; !ok {
			moving[at] = nil
		}
	}

	for _, at := range sortedKeys(moving) {
		moves := moving[at]
		row, err := replica.BalanceRow(at.ProductID, at.LocationID, at.OwnerID, at.ChannelID)
		if err != nil {
			return grown, err
		}

		grown = grown || row == nil
		if fresh := r.balances[at]; fresh != nil {
			row = fresh
		}
		if row == nil {
			continue // not in the report yet; the next cycle finds it
		}
		if next, fits := rollForward(*row, moves); fits {
			row = &next
		}
		if err := replica.SetBalanceRow(row); err != nil {
			return grown, err
		}
	}

	return grown, nil
}

// setDefaults takes the most frequent owner and channel as the organization's
// defaults.
func (p *poll) setDefaults(replica *replica.Tx) error {
	owner, channel, err := replica.Defaults()
	if err != nil {
		return err
	}

	return replica.SetOrganization(api.Organization{
		ID:               p.Caller.Organization,
		Name:             p.opts.Organization,
		DefaultOwnerID:   owner,
		DefaultChannelID: channel,
	})
}
