package api

import (
	"context"
	"fmt"
)

// A StockDocument is an inbound, an outbound, a transfer or a reservation.
type StockDocument interface {
	// References returns the references that people use for the document, the most
	// common first. Some may be empty.
	References() []string
	// StockKeys returns the stock keys of the document. A transfer has two: its source,
	// then its destination.
	StockKeys() []StockKey
}

// ReadDocument reads a stock document. The kind is the Document of a Spec.
func ReadDocument(ctx context.Context, svc Service, kind DocumentKind, id ID) (StockDocument, error) {
	switch kind {
	case DocInbound:
		d, err := GetInbound.Call(ctx, svc, InboundInput{InboundID: id})
		return &d, err
	case DocOutbound:
		d, err := GetOutbound.Call(ctx, svc, OutboundInput{OutboundID: id})
		return &d, err
	case DocTransfer:
		d, err := GetTransfer.Call(ctx, svc, TransferInput{TransferID: id})
		return &d, err
	case DocReservation:
		d, err := GetReservation.Call(ctx, svc, ReservationInput{ReservationID: id})
		return &d, err
	}
	return nil, Internal(fmt.Errorf("%q is not a kind of stock document", kind))
}

// LocationsOf returns the locations of a document, one per stock key.
func LocationsOf(doc StockDocument) (locations []ID) {
	for _, k := range doc.StockKeys() {
		locations = append(locations, k.LocationID)
	}
	return locations
}

// DoneAt returns which of a document's locations the operation may be done at. A transfer is shipped at its source and received at its destination; its other
// operations may be done at either.
func (s *Spec) DoneAt(locations []ID) []ID {
	if s.Document == DocTransfer {
		switch s.Direction {
		case DirectionOut:
			return locations[:1]
		case DirectionIn:
			return locations[1:]
		}
	}
	return locations
}

// References returns the references of the inbound.
func (in *Inbound) References() []string {
	return []string{in.ReferenceID, in.ExternalOrderID, in.SupplierReference}
}

// StockKeys returns the stock key of the inbound.
func (in *Inbound) StockKeys() []StockKey {
	return []StockKey{{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}}
}

// References returns the references of the outbound.
func (o *Outbound) References() []string { return []string{o.ReferenceID, o.ExternalOrderID} }

// StockKeys returns the stock key of each line.
func (o *Outbound) StockKeys() (keys []StockKey) {
	if len(o.Lines) == 0 { // not every service returns lines
		return []StockKey{{o.ProductID, o.LocationID, o.OwnerID, o.ChannelID}}
	}
	for i := range o.Lines {
		keys = append(keys, StockKey{o.Lines[i].ProductID, o.LocationID, o.OwnerID, o.ChannelID})
	}
	return keys
}

// References returns the reference of the transfer.
func (t *Transfer) References() []string { return []string{t.ReferenceID} }

// StockKeys returns the stock keys of the source and the destination.
func (t *Transfer) StockKeys() []StockKey {
	return []StockKey{{t.ProductID, t.SourceLocationID, t.OwnerID, t.ChannelID},
		{t.ProductID, t.DestinationLocationID, t.OwnerID, t.ChannelID}}
}

// References returns the reference of the reservation.
func (r *Reservation) References() []string { return []string{r.ReferenceID} }

// StockKeys returns the stock key of the reservation.
func (r *Reservation) StockKeys() []StockKey {
	return []StockKey{{r.ProductID, r.LocationID, r.OwnerID, r.ChannelID}}
}
