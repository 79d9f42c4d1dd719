package syncer

import (
	"context"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// readAll reads the balances and the open documents into the stage.
func (p *poll) readAll() {
	readList(p, api.ReportMovements, func(string, bool) api.ReportMovementsInput {
		one := int64(1)
		return api.ReportMovementsInput{Limit: &one}
	}, func(_ context.Context, rows []api.MovementRow) error {
		for i := range rows {
			p.observeTime(rows[i].CreatedAt)
		}
		return nil
	})

	p.tasks[0].handle = firstPage(p.tasks[0].handle)
	readList(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{Limit: pageSize(reportPage, bare), Cursor: cursor}
	}, putPage(p, (*replica.Tx).SetBalanceRow))
	for _, s := range []api.InboundStatus{api.InboundExpected, api.InboundPartiallyReceived} {
		readList(p, api.ListInbounds, func(cursor string, bare bool) api.ListInboundsInput {
			return api.ListInboundsInput{Status: s, Page: api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor}}
		}, putPage(p, (*replica.Tx).Inbound))
	}

	readList(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		return api.ListTransfersInput{
			Status: omitIf(bare, api.TransferInTransit),
			Page:   api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor},
		}
	}, putPage(p, onlyOpen((*replica.Tx).Transfer, func(t *api.Transfer) bool { return t.Status == api.TransferInTransit })))

	for _, s := range []api.ReservationStatus{api.ReservationPending, api.ReservationCommitted} { // both hold stock
		readList(p, api.ListReservations, func(cursor string, bare bool) api.ListReservationsInput {
			return api.ListReservationsInput{
				Status: omitIf(bare, s),
				Page:   api.Page{Limit: pageSize(documentPage, bare), Cursor: cursor},
			}
		}, putPage(p, onlyOpen((*replica.Tx).Reservation, func(r *api.Reservation) bool { return r.Status == s })))
	}
}

// firstPage takes one page only.
func firstPage(take func(context.Context, any) (*string, error)) func(context.Context, any) (*string, error) {
	return func(ctx context.Context, out any) (*string, error) {
		_, err := take(ctx, out)
		return nil, err
	}
}

// putPage puts a page into the replica in one transaction.
func putPage[T any](p *poll, put func(*replica.Tx, *T) error) func(context.Context, []T) error {
	return func(ctx context.Context, items []T) error {
		return p.Replicas.Update(ctx, p.target(), func(r *replica.Tx) error {
			for i := range items {
				if err := put(r, &items[i]); err != nil {
					return err
				}
			}

			return nil
		})
	}
}

// onlyOpen puts open documents only: a service that does not filter by status
// returns all.
func onlyOpen[T any](put func(*replica.Tx, *T) error, is func(*T) bool) func(*replica.Tx, *T) error {
	return func(r *replica.Tx, x *T) error {
		if !is(x) {
			return nil
		}
		return put(r, x)
	}
}
