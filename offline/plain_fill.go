package offline

import (
	"context"

	"bincard/server/api"
	"bincard/server/ledger"
)

const (
	reportPage   = 500 // of the reports
	documentPage = 100 // of the lists of documents
)

// fill reads the balances and what is open into the stage. The movements since
// follow in a round of their own.
func (p *plain) fill() {
	p.round = nil
	p.then = p.filled
	walks(p, api.ReportMovements, func(string, bool) api.ReportMovementsInput {
		one := int64(1)
		return api.ReportMovementsInput{Limit: &one}
	}, func(_ context.Context, rows []api.MovementRow) error {
		for i := range rows {
			p.see(rows[i].CreatedAt)
		}
		return nil
	})
	p.tasks[0].take = firstPage(p.tasks[0].take)
	walks(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
		return api.ReportSnapshotInput{Limit: most(reportPage, bare), Cursor: cursor}
	}, paged(p, (*ledger.Replica).Row))
	for _, s := range []api.InboundStatus{api.InboundExpected, api.InboundPartiallyReceived} {
		walks(p, api.ListInbounds, func(cursor string, bare bool) api.ListInboundsInput {
			return api.ListInboundsInput{Status: s, Limit: most(documentPage, bare), Cursor: cursor}
		}, paged(p, (*ledger.Replica).Inbound))
	}
	walks(p, api.ListTransfers, func(cursor string, bare bool) api.ListTransfersInput {
		return api.ListTransfersInput{Status: unless(bare, api.TransferInTransit), Limit: most(documentPage, bare), Cursor: cursor}
	}, paged(p, open((*ledger.Replica).Transfer, func(t *api.Transfer) bool { return t.Status == api.TransferInTransit })))
	walks(p, api.ListReservations, func(cursor string, bare bool) api.ListReservationsInput {
		return api.ListReservationsInput{Status: unless(bare, api.ReservationPending), Limit: most(documentPage, bare), Cursor: cursor}
	}, paged(p, open((*ledger.Replica).Reservation, func(r *api.Reservation) bool { return r.Status == api.ReservationPending })))
}

// filled goes on with the movements since the filling began.
func (p *plain) filled(context.Context) error {
	p.begins(p.since)
	return nil
}

// firstPage takes a page and no more.
func firstPage(take func(context.Context, any) (*string, error)) func(context.Context, any) (*string, error) {
	return func(ctx context.Context, out any) (*string, error) {
		_, err := take(ctx, out)
		return nil, err
	}
}

// paged takes a page into the base in one transaction.
func paged[T any](p *plain, put func(*ledger.Replica, *T) error) func(context.Context, []T) error {
	return func(ctx context.Context, items []T) error {
		return p.replica(ctx, p.base(), func(r *ledger.Replica) error {
			for i := range items {
				if err := put(r, &items[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// open puts only what is open: a service that takes no status tells all.
func open[T any](put func(*ledger.Replica, *T) error, is func(*T) bool) func(*ledger.Replica, *T) error {
	return func(r *ledger.Replica, x *T) error {
		if !is(x) {
			return nil
		}
		return put(r, x)
	}
}

func unless[S ~string](bare bool, s S) S {
	if bare {
		return ""
	}
	return s
}
