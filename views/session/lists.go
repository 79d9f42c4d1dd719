package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
)

// maxRows limits how many rows of a list are loaded.
const maxRows = 500

// fetchPages reads a list to its end or to maxRows; more reports whether rows are
// left.
func fetchPages[T any](read func(page api.Page) (api.List[T], error)) (rows []T, more bool, err error) {
	return fetchRows(100, maxRows, read)
}

// fetchRows reads a list in pages of a size to its end or to limit rows; more reports
// whether rows are left.
func fetchRows[T any](size int64, limit int,
	read func(page api.Page) (api.List[T], error)) (rows []T, more bool, err error) {
	page := api.Page{Limit: &size}
	for {
		list, err := read(page)
		if err != nil {
			return nil, false, err
		}

		rows = append(rows, list.Items...)
		if list.NextCursor == nil {
			return rows, false, nil
		}
		if len(rows) >= limit {
			return rows, true, nil
		}

		page.Cursor = *list.NextCursor
	}
}

// Inbounds returns the open inbounds at a location, or everywhere if at is zero; more
// reports whether there are others.
func (s *Site) Inbounds(ctx context.Context, at Location) (rows []api.Inbound, more bool, err error) {
	for _, status := range []api.InboundStatus{api.InboundPartiallyReceived, api.InboundExpected} {
		part, partial, err := inboundsIn(ctx, s, at, status)
		if err != nil {
			return nil, false, err
		}
		rows, more = append(rows, part...), more || partial
	}

	return rows, more, nil
}

// inboundsIn returns the inbounds with a status, the newest first.
func inboundsIn(ctx context.Context, s *Site, at Location, status api.InboundStatus) ([]api.Inbound, bool, error) {
	return fetchPages(func(page api.Page) (api.List[api.Inbound], error) {
		return Call(ctx, s, api.ListInbounds, api.ListInboundsInput{
			Status:      status,
			StockFilter: api.StockFilter{LocationID: at.ID},
			Page:        page,
		})
	})
}

// Products returns the products of the catalog; more reports whether there are others.
func (s *Site) Products(ctx context.Context) (rows []api.Product, more bool, err error) {
	return fetchPages(func(page api.Page) (api.List[api.Product], error) {
		return Call(ctx, s, api.ListProducts, api.ListProductsInput{Page: page})
	})
}

// Departures returns the transfers with a quantity to ship from a location.
func (s *Site) Departures(ctx context.Context, at Location) (rows []api.Transfer, more bool, err error) {
	rows, more, err = transfers(ctx, s, api.ListTransfersInput{SourceLocationID: at.ID})
	return slices.DeleteFunc(rows, func(t api.Transfer) bool { return t.PendingShipmentQuantity <= 0 }), more, err
}

// Arrivals returns the transfers with a quantity to receive at a location.
func (s *Site) Arrivals(ctx context.Context, at Location) (rows []api.Transfer, more bool, err error) {
	rows, more, err = transfers(ctx, s, api.ListTransfersInput{DestinationLocationID: at.ID})
	return slices.DeleteFunc(rows, func(t api.Transfer) bool { return t.PendingReceiveQuantity <= 0 }), more, err
}

func transfers(ctx context.Context, s *Site, in api.ListTransfersInput) ([]api.Transfer, bool, error) {
	in.Status = api.TransferInTransit
	return fetchPages(func(page api.Page) (api.List[api.Transfer], error) {
		in.Page = page
		return Call(ctx, s, api.ListTransfers, in)
	})
}

// Reservations returns the reservations at a location, or everywhere if at is zero. An
// empty status means any.
func (s *Site) Reservations(ctx context.Context, at Location,
	status api.ReservationStatus) (rows []api.Reservation, more bool, err error) {
	return fetchPages(func(page api.Page) (api.List[api.Reservation], error) {
		return Call(ctx, s, api.ListReservations, api.ListReservationsInput{
			Status:      status,
			StockFilter: api.StockFilter{LocationID: at.ID},
			Page:        page,
		})
	})
}

// Outbounds returns the open orders at a location, or everywhere if at is zero. It
// returns an UnsupportedError if the service cannot list them.
func (s *Site) Outbounds(ctx context.Context, at Location) (rows []api.Outbound, more bool, err error) {
	for _, status := range (api.OutboundStatus("")).Values() {
		if !api.OutboundStatus(status).Open() {
			continue
		}

		part, partial, err := fetchPages(func(page api.Page) (api.List[api.Outbound], error) {
			return Call(ctx, s, api.ListOutbounds, api.ListOutboundsInput{
				Status:      api.OutboundStatus(status),
				StockFilter: api.StockFilter{LocationID: at.ID},
				Page:        page,
			})
		})
		if err != nil {
			return nil, false, err
		}

		rows, more = append(rows, part...), more || partial
	}

	return rows, more, nil
}

// A Due is what documents are ordered by.
type Due struct {
	At        *time.Time // nil if the document has no due date
	Created   time.Time
	Reference string
	ID        api.ID
}

// Compare orders documents by their due date, then by reference and ID. Those without a due
// date come last, the oldest first.
func (d Due) Compare(other Due) int {
	same := func() int {
		return cmp.Or(strings.Compare(d.Reference, other.Reference), slices.Compare(d.ID[:], other.ID[:]))
	}
	switch {
	case d.At != nil && other.At != nil:
		return cmp.Or(d.At.Compare(*other.At), same())
	case d.At != nil:
		return -1
	case other.At != nil:
		return 1
	}

	return cmp.Or(d.Created.Compare(other.Created), same())
}
