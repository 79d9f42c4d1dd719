package dock

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"

	"github.com/google/uuid"
)

// Lookup returns the matches of the first code that has any. It is not an error if
// there are none.
func (s *Site) Lookup(ctx context.Context, codes ...string) ([]api.Match, error) {
	for _, code := range codes {
		out, err := Call(ctx, s, api.LookUp, api.LookupInput{Code: code})
		if err != nil {
			return nil, err
		}
		if len(out.Matches) > 0 {
			return out.Matches, nil
		}
	}
	return nil, nil
}

// maxRows limits how many rows of a list are loaded.
const maxRows = 500

// fetchPages reads a list to its end or to maxRows; more reports whether rows are
// left.
func fetchPages[T any](page func(limit *int64, cursor string) (api.List[T], error)) (rows []T, more bool, err error) {
	limit, cursor := int64(100), ""
	for {
		list, err := page(&limit, cursor)
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, list.Items...)
		if list.NextCursor == nil {
			return rows, false, nil
		}
		if len(rows) >= maxRows {
			return rows, true, nil
		}
		cursor = *list.NextCursor
	}
}

// Inbounds returns the open inbounds at a location, or everywhere if at is zero; more
// reports whether there are others.
func (s *Site) Inbounds(ctx context.Context, at Location) (rows []api.Inbound, more bool, err error) {
	for _, status := range []api.InboundStatus{api.InboundPartiallyReceived, api.InboundExpected} {
		part, partial, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Inbound], error) {
			return Call(ctx, s, api.ListInbounds, api.ListInboundsInput{Status: status, StockFilter: api.StockFilter{LocationID: at.ID}, Page: api.Page{Limit: limit, Cursor: cursor}})
		})
		if err != nil {
			return nil, false, err
		}
		rows, more = append(rows, part...), more || partial
	}
	return rows, more, nil
}

// Products returns the products of the catalog; more reports whether there are others.
func (s *Site) Products(ctx context.Context) (rows []api.Product, more bool, err error) {
	return fetchPages(func(limit *int64, cursor string) (api.List[api.Product], error) {
		return Call(ctx, s, api.ListProducts, api.ListProductsInput{Page: api.Page{Limit: limit, Cursor: cursor}})
	})
}

// Departures returns the transfers with a quantity to ship from a location.
func (s *Site) Departures(ctx context.Context, at Location) (rows []api.Transfer, more bool, err error) {
	all, more, err := s.transfers(ctx, api.ListTransfersInput{SourceLocationID: at.ID})
	for _, t := range all {
		if t.PendingShipmentQuantity > 0 {
			rows = append(rows, t)
		}
	}
	return rows, more, err
}

// Arrivals returns the transfers with a quantity to receive at a location.
func (s *Site) Arrivals(ctx context.Context, at Location) (rows []api.Transfer, more bool, err error) {
	all, more, err := s.transfers(ctx, api.ListTransfersInput{DestinationLocationID: at.ID})
	for _, t := range all {
		if t.PendingReceiveQuantity > 0 {
			rows = append(rows, t)
		}
	}
	return rows, more, err
}

func (s *Site) transfers(ctx context.Context, in api.ListTransfersInput) ([]api.Transfer, bool, error) {
	in.Status = api.TransferInTransit
	return fetchPages(func(limit *int64, cursor string) (api.List[api.Transfer], error) {
		in.Limit, in.Cursor = limit, cursor
		return Call(ctx, s, api.ListTransfers, in)
	})
}

// Reservations returns the reservations at a location, or everywhere if at is zero. An
// empty status means any.
func (s *Site) Reservations(ctx context.Context, at Location, status api.ReservationStatus) (rows []api.Reservation, more bool, err error) {
	return fetchPages(func(limit *int64, cursor string) (api.List[api.Reservation], error) {
		return Call(ctx, s, api.ListReservations, api.ListReservationsInput{Status: status, StockFilter: api.StockFilter{LocationID: at.ID}, Page: api.Page{Limit: limit, Cursor: cursor}})
	})
}

// Outbounds returns the open orders at a location, or everywhere if at is zero. It
// returns an UnsupportedError if the service cannot list them.
func (s *Site) Outbounds(ctx context.Context, at Location) (rows []api.Outbound, more bool, err error) {
	for _, status := range (api.OutboundStatus("")).Values() {
		if !api.OutboundStatus(status).Open() {
			continue
		}
		part, partial, err := fetchPages(func(limit *int64, cursor string) (api.List[api.Outbound], error) {
			return Call(ctx, s, api.ListOutbounds, api.ListOutboundsInput{Status: api.OutboundStatus(status), StockFilter: api.StockFilter{LocationID: at.ID}, Page: api.Page{Limit: limit, Cursor: cursor}})
		})
		if err != nil {
			return nil, false, err
		}
		rows, more = append(rows, part...), more || partial
	}
	return rows, more, nil
}

// InboundName returns the display name of an inbound.
func InboundName(in *api.Inbound) string { return displayName("IN", in.ID, in) }

// TransferName returns the display name of a transfer.
func TransferName(t *api.Transfer) string { return displayName("TR", t.ID, t) }

// OutboundName returns the display name of an order.
func OutboundName(o *api.Outbound) string { return displayName("OUT", o.ID, o) }

// ReservationName returns the display name of a reservation.
func ReservationName(r *api.Reservation) string { return displayName("RES", r.ID, r) }

func displayName(kind string, id api.ID, doc api.StockDocument) string {
	for _, n := range doc.References() {
		if strings.TrimSpace(n) != "" {
			return n
		}
	}
	return kind + "-" + ShortID(id)
}

// matchesRef reports whether ref is the ID of a document, its name or one of its
// references.
func matchesRef(ref string, id api.ID, name string, doc api.StockDocument) bool {
	if strings.EqualFold(ref, id.String()) {
		return true
	}
	for _, n := range append(doc.References(), name) {
		if n != "" && strings.EqualFold(strings.TrimSpace(ref), strings.TrimSpace(n)) {
			return true
		}
	}
	return false
}

func parseID(ref string) (api.ID, bool) {
	id, err := uuid.Parse(ref)
	return id, err == nil && len(ref) == 36
}

// notFoundError is the error of a document that nobody knows.
func notFoundError(t *i18n.Translator, kind api.Kind, ref string) error {
	switch kind {
	case api.KindTransfer:
		return errors.New(t.Get("There is no transfer %s here. Scan it again, or choose it from the list (esc).", ref))
	case api.KindOutbound:
		return errors.New(t.Get("There is no outbound %s here. Scan it again, or choose it from the list (esc).", ref))
	}
	return errors.New(t.Get("There is no inbound %s here. Scan it again, or choose it from the list (esc).", ref))
}

// LotID returns the ID of the counted lot. It is zero if no lot was counted or the
// service cannot list lots.
func (s *Site) LotID(ctx context.Context, l Line) (api.ID, error) {
	if l.Count.Lot == "" || l.Count.LotID != noID {
		return l.Count.LotID, nil
	}
	lots, err := Call(ctx, s, api.ListLots, api.ListLotsInput{ProductID: l.Item.ID, LotCode: l.Count.Lot})
	if IsUnsupported(err) {
		return noID, nil
	}
	if err != nil {
		return noID, err
	}
	for _, lot := range lots.Items {
		if lot.LotCode == l.Count.Lot {
			return lot.ID, nil
		}
	}
	return noID, errors.New(s.T().Get("%s has no lot %s. Check the label, or correct the lot (F7).", l.Item.SKU, l.Count.Lot))
}
