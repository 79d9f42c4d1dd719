package syncer

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
func (p *poll) readNewTransfers(ctx context.Context) error {
	r := p.cycle
	from := r.since()
	r.audit = p.Now().Sub(p.auditedAt).Abs() >= auditInterval
	if from != nil && r.audit {
		err := p.readReplica(ctx, func(replica *replica.Tx) error {
			open, err := replica.OpenDocuments(api.NoID)
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
		return api.ListTransfersInput{
			CreatedFrom: omitTimeIf(bare, from),
			Page:        api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor},
		}
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

// readDocuments reads the documents that movements or local operations have
// changed: those open in the replica, and new ones.
func (p *poll) readDocuments(ctx context.Context) error {
	r := p.cycle
	for _, at := range sortedKeys(r.dirty) {
		k := r.dirty[at]
		r.documentsRead[at] = true
		var open replica.OpenDocuments
		err := p.readReplica(ctx, func(replica *replica.Tx) (err error) {
			open, err = replica.OpenDocuments(at.ProductID)
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
			if out := &open.Outbounds[i]; k&outboundDocuments != 0 && at.LocationID == out.LocationID {
				r.outbounds[out.ID] = true
			}
		}
	}

	clear(r.dirty)
	for _, id := range slices.SortedFunc(maps.Keys(r.outbounds), compareIDs) {
		in := api.OutboundInput{OutboundID: id}
		readPages(p, api.GetOutbound, func(string) api.OutboundInput { return in }, func(out *api.Outbound) *string {
			r.docs[id] = out
			return nil
		})
	}

	clear(r.outbounds)

	return nil
}

func (p *poll) readInbounds(at api.StockKey, open []api.Inbound) {
	from := p.cycle.since()
	for i := range open {
		if d := &open[i]; sameStock(at, d.StockKeys()[0]) {
			from = earlier(from, d.CreatedAt)
		}
	}

	readList(p, api.ListInbounds, func(cursor string, bare bool) api.ListInboundsInput {
		return api.ListInboundsInput{StockFilter: api.StockFilter(at),
			CreatedFrom: from, Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Inbound) api.ID { return d.ID }))
}

func (p *poll) readTransfers(at api.StockKey, open []api.Transfer) {
	from := p.cycle.since()
	for i := range open {
		if d := &open[i]; at.LocationID == d.SourceLocationID || at.LocationID == d.DestinationLocationID {
			from = earlier(from, d.CreatedAt)
		}
	}

	readList(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		return api.ListTransfersInput{ProductID: at.ProductID, OwnerID: at.OwnerID, ChannelID: at.ChannelID,
			CreatedFrom: omitTimeIf(bare, from), Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Transfer) api.ID { return d.ID }))
}

func (p *poll) readReservations(at api.StockKey, open []api.Reservation) {
	from := earlier(p.cycle.since(),
		p.Now().Add(-24*time.Hour)) // the clocks may differ, and a reservation may expire soon
	for i := range open {
		if d := &open[i]; sameStock(at, d.StockKeys()[0]) {
			from = earlier(from, d.ExpiresAt)
		}
	}

	for key := range p.cycle.confirmed { // even if a clock is wrong
		if req, err := p.Queue.Request(p.Queue.Operation(key), false); err == nil {
			if in, ok := req.Input.(*api.CreateReservationInput); ok && in.ExpiresAt != nil {
				from = earlier(from, *in.ExpiresAt)
			}
		}
	}

	readList(p, api.ListReservations, func(cursor string, bare bool) api.ListReservationsInput {
		return api.ListReservationsInput{StockFilter: api.StockFilter(at),
			ExpiresFrom: omitTimeIf(bare, from), Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
	}, collect(p.cycle, func(d *api.Reservation) api.ID { return d.ID }))
}

// collect stores a page until the end of the cycle.
func collect[T any](r *cycle, id func(*T) api.ID) func(context.Context, []T) error {
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
