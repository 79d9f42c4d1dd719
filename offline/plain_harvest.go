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
func (p *plain) finish(ctx context.Context) error {
	r := p.round
	news := len(r.touched) > 0 || len(r.sure) > 0 || p.stage != nil
	changes := news || len(r.docs) > 0
	if changes {
		err := p.replica(ctx, p.base(), func(base *ledger.Replica) error { return p.harvest(base) })
		if err != nil {
			p.failed++
			return err
		}
	}
	if p.stage != nil {
		p.stage = nil
		release, err := p.swap()
		if err != nil {
			return err
		}
		defer release()
		p.plainly.Store(true)
		p.pace.filled()
	}
	p.failed = 0
	p.since, p.known = p.upto(), map[api.ID]bool{}
	for id := range r.rows {
		p.known[id] = true
	}
	if r.audits {
		p.audited = p.now()
	}
	for id, doc := range r.docs {
		if t, ok := doc.(*api.Transfer); ok {
			p.planned[id] = formOf(t)
		}
	}
	p.pull.heard, p.pull.quiet = p.now(), false
	p.round, p.then = nil, nil
	p.pull.paced = p.now()
	p.pull.due = p.pull.paced.Add(p.pace.rest(news || len(p.box.Unanswered()) > 0))
	p.wake()
	if !changes {
		return nil
	}
	err := p.settled(slices.Sorted(maps.Keys(r.sure)))
	return errors.Join(err, p.rebuild(ctx))
}

// settled notes in the journal which operations the base has.
func (p *plain) settled(keys []string) error {
	keys = slices.DeleteFunc(keys, func(key string) bool {
		it := p.box.Item(key)
		return it == nil || it.State != outbox.Done || it.Settled
	})
	if len(keys) == 0 {
		return nil
	}
	if err := p.keep(&outbox.Entry{Settle: &outbox.Settle{Keys: keys}}); err != nil {
		return err
	}
	return p.tidy()
}

// harvest puts what a round read into the base.
func (p *plain) harvest(base *ledger.Replica) error {
	r := p.round
	grown, err := p.balances(base)
	if err != nil {
		return err
	}
	for _, id := range slices.SortedFunc(maps.Keys(r.docs), byID) {
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
	for _, key := range slices.Sorted(maps.Keys(r.sure)) {
		it := p.box.Item(key)
		if err := base.Kept(key, it.Operation, it.At); err != nil {
			return err
		}
	}
	if grown || p.stage != nil {
		if err := p.home(base); err != nil {
			return err
		}
	}
	return base.Upto(p.upto())
}

// balances brings the balances forward, and tells whether there are new ones.
func (p *plain) balances(base *ledger.Replica) (grown bool, err error) {
	r := p.round
	moving := r.moving()
	for at := range r.fresh {
		if _, ok := moving[at]; !ok {
			moving[at] = nil
		}
	}
	for _, at := range inOrder(moving) {
		moves := moving[at]
		row, err := base.Standing(at.product, at.location, at.owner, at.channel)
		if err != nil {
			return grown, err
		}
		grown = grown || row == nil
		if fresh := r.fresh[at]; fresh != nil {
			row = fresh
		}
		if row == nil {
			continue // it is not in the report yet; the next round finds it
		}
		if next, fits := brought(*row, moves); fits {
			row = &next
		}
		if err := base.Row(row); err != nil {
			return grown, err
		}
	}
	return grown, nil
}

// home takes for the organization's own owner and channel those that most is of.
func (p *plain) home(base *ledger.Replica) error {
	owner, channel, err := base.Defaults()
	if err != nil {
		return err
	}
	return base.Home(api.Organization{ID: p.cfg.Caller.Organization, Name: p.cfg.Name, DefaultOwnerID: owner, DefaultChannelID: channel})
}
