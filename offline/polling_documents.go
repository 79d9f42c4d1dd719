package offline

import (
	"context"
	"maps"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// auditInterval is how often all open transfers are read. Planning a transfer,
// or canceling one before it ships, causes no movement.
const auditInterval = 30 * time.Minute

// readNewTransfers reads the transfers created since the last cycle, and all
// open ones if an audit is due.
func (p *pollingSyncer) readNewTransfers(ctx context.Context) error {
	r := p.cycle
	from := r.since()
	if r.audit = p.now().Sub(p.auditedAt).Abs() >= auditInterval; from != nil && r.audit {
		err := p.readReplica(ctx, func(replica *replica.Tx) error {
			open, err := replica.OpenDocuments(api.ID{})
			for _, t := range open.Transfers {
				from = earlier(from, t.CreatedAt)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	readList(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		r.markAsked(cursor, &r.transfersUpTo)
		return api.ListTransfersInput{CreatedFrom: omitTimeIf(bare, from), Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, func(_ context.Context, list []api.Transfer) error {
		for i := range list {
			t := &list[i]
			p.observeTime(t.CreatedAt)
			r.transfersUpTo = later(r.transfersUpTo, t.CreatedAt)
			if p.transferStates[t.ID] != transferStateOf(t) {
				r.docs[t.ID] = t
			}
		}
		return nil
	})
	return nil
}

// A transferState is what changes in a transfer. UpdatedAt alone does not
// reveal a change if the service's clock stood still.
type transferState struct {
	status            api.TransferStatus
	shipped, received int64
	updated           time.Time
}

func transferStateOf(t *api.Transfer) transferState {
	return transferState{t.Status, t.ShippedQuantity, t.ReceivedQuantity, t.UpdatedAt}
}

// readDocuments reads the documents that movements or local operations have
// changed: those open in the replica, and new ones.
func (p *pollingSyncer) readDocuments(ctx context.Context) error {
	r := p.cycle
	for _, at := range sortedKeys(r.dirty) {
		k := r.dirty[at]
		r.documentsRead[at] = true
		var open replica.OpenDocuments
		err := p.readReplica(ctx, func(replica *replica.Tx) (err error) {
			open, err = replica.OpenDocuments(at.product)
			return err
		})
		if err != nil {
			return err
		}
		if k&inboundDocuments != 0 {
			p.readInbounds(at, open.Inbounds)
		}
		if k&transferDocuments != 0 {
			p.readTransfers(at, open.Transfers)
		}
		if k&reservationDocuments != 0 {
			p.readReservations(at, open.Reservations)
		}
		for i := range open.Outbounds {
			if out := &open.Outbounds[i]; k&outboundDocuments != 0 && at.location == out.LocationID {
				r.outbounds[out.ID] = true
			}
		}
	}
	clear(r.dirty)
	for _, id := range slices.SortedFunc(maps.Keys(r.outbounds), compareIDs) {
		readOne(p, api.GetOutbound, api.OutboundInput{OutboundID: id}, func(out *api.Outbound) error {
			r.docs[id] = out
			return nil
		})
	}
	clear(r.outbounds)
	return nil
}

func (p *pollingSyncer) readInbounds(at stockKey, open []api.Inbound) {
	from := p.cycle.since()
	for i := range open {
		if d := &open[i]; at.matches(stockKey{d.ProductID, d.LocationID, d.OwnerID, d.ChannelID}) {
			from = earlier(from, d.CreatedAt)
		}
	}
	readList(p, api.ListInbounds, func(cursor string, bare bool) api.ListInboundsInput {
		return api.ListInboundsInput{StockFilter: api.StockFilter{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel},
			CreatedFrom: from, Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Inbound) api.ID { return d.ID }))
}

func (p *pollingSyncer) readTransfers(at stockKey, open []api.Transfer) {
	from := p.cycle.since()
	for i := range open {
		if d := &open[i]; at.location == d.SourceLocationID || at.location == d.DestinationLocationID {
			from = earlier(from, d.CreatedAt)
		}
	}
	readList(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		return api.ListTransfersInput{ProductID: at.product, OwnerID: at.owner, ChannelID: at.channel,
			CreatedFrom: omitTimeIf(bare, from), Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Transfer) api.ID { return d.ID }))
}

func (p *pollingSyncer) readReservations(at stockKey, open []api.Reservation) {
	from := earlier(p.cycle.since(), p.now().Add(-24*time.Hour)) // the clocks may differ, and a reservation may expire soon
	for i := range open {
		if d := &open[i]; at.matches(stockKey{d.ProductID, d.LocationID, d.OwnerID, d.ChannelID}) {
			from = earlier(from, d.ExpiresAt)
		}
	}
	readList(p, api.ListReservations, func(cursor string, bare bool) api.ListReservationsInput {
		return api.ListReservationsInput{StockFilter: api.StockFilter{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel},
			ExpiresFrom: omitTimeIf(bare, from), Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Reservation) api.ID { return d.ID }))
}

// collect stores a page until the end of the cycle.
func collect[T any](r *pollCycle, id func(*T) api.ID) func(context.Context, []T) error {
	return func(_ context.Context, list []T) error {
		for i := range list {
			r.docs[id(&list[i])] = &list[i]
		}
		return nil
	}
}

// earlier returns the earlier of two times; nil is before all others.
func earlier(a *time.Time, b time.Time) *time.Time {
	if a == nil || a.Before(b) {
		return a
	}
	return &b
}

func omitTimeIf(bare bool, at *time.Time) *time.Time {
	if bare {
		return nil
	}
	return at
}

// document returns a document from the cycle or the replica.
func (p *pollingSyncer) document(ctx context.Context, id api.ID) (doc any, err error) {
	if p.cycle != nil && p.cycle.docs[id] != nil {
		return p.cycle.docs[id], nil
	}
	err = p.readReplica(ctx, func(replica *replica.Tx) error {
		doc, err = replica.Document(id)
		return err
	})
	return doc, err
}
