package offline

import (
	"context"
	"maps"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/ledger"
)

// audit is how often all open transfers are looked through: planning one, and
// giving it up before anything was shipped, moves nothing.
const audit = 30 * time.Minute

// newTransfers reads the transfers planned since.
func (p *plain) newTransfers(ctx context.Context) error {
	r := p.round
	from := r.since()
	if r.audits = p.now().Sub(p.audited).Abs() >= audit; from != nil && r.audits {
		err := p.look(ctx, func(base *ledger.Replica) error {
			open, err := base.Open(api.ID{})
			for _, t := range open.Transfers {
				from = earlier(from, t.CreatedAt)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	walks(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		r.asks(cursor, &r.transfersUpto)
		return api.ListTransfersInput{CreatedFrom: unlessTime(bare, from), Limit: most(documentPage, bare), Cursor: cursor}
	}, func(_ context.Context, list []api.Transfer) error {
		for i := range list {
			t := &list[i]
			p.see(t.CreatedAt)
			r.transfersUpto = later(r.transfersUpto, t.CreatedAt)
			if p.planned[t.ID] != formOf(t) {
				r.docs[t.ID] = t
			}
		}
		return nil
	})
	return nil
}

// A form is what of a transfer changes. Its instant alone does not tell: a clock
// may stand still.
type form struct {
	status            api.TransferStatus
	shipped, received int64
	updated           time.Time
}

func formOf(t *api.Transfer) form {
	return form{t.Status, t.ShippedQuantity, t.ReceivedQuantity, t.UpdatedAt}
}

// documents has the documents read that movements or the work here have
// changed: all that are open there as far as is known, and what is new.
func (p *plain) documents(ctx context.Context) error {
	r := p.round
	for _, at := range inOrder(r.dirty) {
		k := r.dirty[at]
		r.read[at] = true
		var open ledger.Open
		err := p.look(ctx, func(base *ledger.Replica) (err error) {
			open, err = base.Open(at.product)
			return err
		})
		if err != nil {
			return err
		}
		if k&ofInbounds != 0 {
			p.inbounds(at, open.Inbounds)
		}
		if k&ofTransfers != 0 {
			p.transfers(at, open.Transfers)
		}
		if k&ofReservations != 0 {
			p.reservations(at, open.Reservations)
		}
		for i := range open.Outbounds {
			if out := &open.Outbounds[i]; k&ofOutbounds != 0 && at.location == out.LocationID {
				r.orders[out.ID] = true
			}
		}
	}
	clear(r.dirty)
	for _, id := range slices.SortedFunc(maps.Keys(r.orders), byID) {
		once(p, api.GetOutbound, api.OutboundInput{OutboundID: id}, func(out *api.Outbound) error {
			r.docs[id] = out
			return nil
		})
	}
	clear(r.orders)
	return nil
}

func (p *plain) inbounds(at spot, open []api.Inbound) {
	from := p.round.since()
	for i := range open {
		if d := &open[i]; at.meets(spot{d.ProductID, d.LocationID, d.OwnerID, d.ChannelID}) {
			from = earlier(from, d.CreatedAt)
		}
	}
	walks(p, api.ListInbounds, func(cursor string, bare bool) api.ListInboundsInput {
		return api.ListInboundsInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
			CreatedFrom: from, Limit: most(documentPage, bare), Cursor: cursor}
	}, kept(p.round, func(d *api.Inbound) api.ID { return d.ID }))
}

func (p *plain) transfers(at spot, open []api.Transfer) {
	from := p.round.since()
	for i := range open {
		if d := &open[i]; at.location == d.SourceLocationID || at.location == d.DestinationLocationID {
			from = earlier(from, d.CreatedAt)
		}
	}
	walks(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		return api.ListTransfersInput{ProductID: at.product, OwnerID: at.owner, ChannelID: at.channel,
			CreatedFrom: unlessTime(bare, from), Limit: most(documentPage, bare), Cursor: cursor}
	}, kept(p.round, func(d *api.Transfer) api.ID { return d.ID }))
}

func (p *plain) reservations(at spot, open []api.Reservation) {
	from := earlier(p.round.since(), p.now().Add(-24*time.Hour)) // one may end soon after it was made, by another clock
	for i := range open {
		if d := &open[i]; at.meets(spot{d.ProductID, d.LocationID, d.OwnerID, d.ChannelID}) {
			from = earlier(from, d.ExpiresAt)
		}
	}
	walks(p, api.ListReservations, func(cursor string, bare bool) api.ListReservationsInput {
		return api.ListReservationsInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
			ExpiresFrom: unlessTime(bare, from), Limit: most(documentPage, bare), Cursor: cursor}
	}, kept(p.round, func(d *api.Reservation) api.ID { return d.ID }))
}

// kept keeps a page for the end of the round.
func kept[T any](r *round, id func(*T) api.ID) func(context.Context, []T) error {
	return func(_ context.Context, list []T) error {
		for i := range list {
			r.docs[id(&list[i])] = &list[i]
		}
		return nil
	}
}

// earlier is the earlier of two instants; nil is the beginning of all.
func earlier(a *time.Time, b time.Time) *time.Time {
	if a == nil || a.Before(b) {
		return a
	}
	return &b
}

func unlessTime(bare bool, at *time.Time) *time.Time {
	if bare {
		return nil
	}
	return at
}

// document is a document by its id, as the round read it or as the base has it.
func (p *plain) document(ctx context.Context, id api.ID) (doc any, err error) {
	if p.round != nil && p.round.docs[id] != nil {
		return p.round.docs[id], nil
	}
	err = p.look(ctx, func(base *ledger.Replica) error {
		doc, err = base.Document(id)
		return err
	})
	return doc, err
}
