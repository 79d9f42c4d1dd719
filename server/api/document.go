package api

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
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

// Announced is what the sender of a document has announced about it. An import saves it in
// the document's metadata, as the member named announced.
type Announced struct {
	// Digest identifies the content of the whole document in its file.
	Digest string `json:"digest,omitzero"`
	// DueDay reports that the document is due on a day, the date of its due time in UTC.
	DueDay bool `json:"dueDay,omitzero"`
	// Line is the sender's number of the line.
	Line string `json:"line,omitzero"`
	// Lines are the sender's numbers of all lines of an outbound.
	Lines []string `json:"lines,omitzero"`
	// SSCC is the number on the label of the pallet or box that has the stock, 18 digits.
	SSCC string `json:"sscc,omitzero"`
	// LotCode is the code of the stock's lot.
	LotCode string `json:"lotCode,omitzero"`
	// BatchCode is the manufacturer's code of the lot.
	BatchCode string `json:"batchCode,omitzero"`
	// ExpiresAt is when the lot expires.
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	// SerialNumbers are the serial numbers of the pieces: one for each, or none.
	SerialNumbers []string `json:"serialNumbers,omitzero"`
}

// announcement is the part of a document's metadata that an import writes.
type announcement struct {
	Announced Announced `json:"announced"`
}

// AnnouncedIn returns what a document's metadata announces, or zero if it announces nothing.
func AnnouncedIn(m Metadata) Announced {
	var in announcement
	if len(m) == 0 || json.Unmarshal(m, &in) != nil { // written by another program
		return Announced{}
	}
	return in.Announced
}

// Metadata returns the metadata of a document that announces a.
func (a *Announced) Metadata() (Metadata, error) {
	return json.Marshal(announcement{*a}, json.Deterministic(true))
}

// Due returns when the inbound is due, or nil if that is unknown. A day ends in the zone, a
// nanosecond before the next one.
func (in *Inbound) Due(zone *time.Location) *time.Time { return due(in.ExpectedAt, in.Metadata, zone) }

// Due is Inbound.Due for an outbound.
func (o *Outbound) Due(zone *time.Location) *time.Time {
	return due(o.ExpectedShipAt, o.Metadata, zone)
}

func due(at *time.Time, m Metadata, zone *time.Location) *time.Time {
	if at == nil || !at.Equal(at.Truncate(24*time.Hour)) || !AnnouncedIn(m).DueDay {
		return at
	}
	y, month, day := at.UTC().Date()
	end := time.Date(y, month, day+1, 0, 0, 0, -1, zone)
	return &end
}

// FindSSCC returns the indexes of the inbounds whose stock is announced on the pallet or box
// with an SSCC of 18 digits.
func FindSSCC(inbounds []Inbound, sscc string) (found []int) {
	for i := range inbounds {
		if sscc != "" && AnnouncedIn(inbounds[i].Metadata).SSCC == sscc {
			found = append(found, i)
		}
	}

	return found
}
