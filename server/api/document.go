package api

import (
	"context"
	"fmt"
)

// A StockKey identifies a balance. Without an owner or a channel it is the
// organization's default.
type StockKey struct{ ProductID, LocationID, OwnerID, ChannelID ID }

// A StockDocument is an inbound, an outbound, a transfer or a reservation.
type StockDocument interface {
	// References are what people call the document, the most common first. Some may be
	// empty.
	References() []string
	// StockKeys are the balances of the document; of a transfer the one at its source,
	// then the one at its destination.
	StockKeys() []StockKey
}

// ReadDocument reads a document of the kind that the Document of a Spec names.
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
	return nil, Internal(fmt.Errorf("%q is not the kind of a stock document", kind))
}

// References are the references of an inbound.
func (in *Inbound) References() []string {
	return []string{in.ReferenceID, in.ExternalOrderID, in.SupplierReference}
}

// StockKeys is the balance of an inbound.
func (in *Inbound) StockKeys() []StockKey {
	return []StockKey{{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}}
}

// References are the references of an outbound.
func (o *Outbound) References() []string { return []string{o.ReferenceID, o.ExternalOrderID} }

// StockKeys are the balances of an outbound, one for each line.
func (o *Outbound) StockKeys() (keys []StockKey) {
	if len(o.Lines) == 0 { // as another service may return it
		return []StockKey{{o.ProductID, o.LocationID, o.OwnerID, o.ChannelID}}
	}
	for i := range o.Lines {
		keys = append(keys, StockKey{o.Lines[i].ProductID, o.LocationID, o.OwnerID, o.ChannelID})
	}
	return keys
}

// References is the reference of a transfer.
func (t *Transfer) References() []string { return []string{t.ReferenceID} }

// StockKeys are the balances of a transfer at its source and at its destination.
func (t *Transfer) StockKeys() []StockKey {
	return []StockKey{{t.ProductID, t.SourceLocationID, t.OwnerID, t.ChannelID},
		{t.ProductID, t.DestinationLocationID, t.OwnerID, t.ChannelID}}
}

// References is the reference of a reservation.
func (r *Reservation) References() []string { return []string{r.ReferenceID} }

// StockKeys is the balance of a reservation.
func (r *Reservation) StockKeys() []StockKey {
	return []StockKey{{r.ProductID, r.LocationID, r.OwnerID, r.ChannelID}}
}
