package stored

import (
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Reservation is the stored form of api.Reservation, without the embedded
// references. Holds has what it holds by lot, so that stock returns to its lots.
type Reservation struct {
	api.Reservation
	journal.Revision
	Holds []LotHold `json:"holds,omitzero"`
}

// A LotHold is what a reservation holds of one lot, or of stock without a lot.
type LotHold struct {
	Lot      api.ID `json:"lot,omitzero"`
	Quantity int64  `json:"quantity"`
}

// Reservations has all reservations.
var Reservations = store.NewTable(store.Table[Reservation]{
	Name:  "reservations",
	Key:   func(r *Reservation) []byte { return r.ID[:] },
	Codec: journal.DocumentCodec[Reservation, *Reservation]{},
	Indexes: []store.Index[Reservation]{
		{Name: "seq", Fixed: true, Keys: func(r *Reservation) [][]byte { return [][]byte{journal.SeqKey(r.Seq)} }},
		{
			Name: "status",
			Keys: func(r *Reservation) [][]byte { return [][]byte{journal.ReservationStatuses.Key(r.Status, r.Seq)} },
		},
		{
			Name:  "product",
			Fixed: true,
			Keys:  func(r *Reservation) [][]byte { return [][]byte{Join(r.ProductID[:], journal.SeqKey(r.Seq))} },
		},
		{
			Name:  "location",
			Fixed: true,
			Keys:  func(r *Reservation) [][]byte { return [][]byte{Join(r.LocationID[:], journal.SeqKey(r.Seq))} },
		},
		{Name: "due", Keys: dueKeys},
	},
})

// dueKeys index pending reservations by expiry time.
func dueKeys(r *Reservation) [][]byte {
	if r.Status != api.ReservationPending {
		return nil
	}
	return [][]byte{binary.BigEndian.AppendUint64(nil, uint64(r.ExpiresAt.UnixMilli()))}
}

// StockKey returns the balance that the reservation holds stock of.
func (r *Reservation) StockKey() StockKey {
	return StockKey{r.ProductID, r.LocationID, r.OwnerID, r.ChannelID}
}

// State returns the state in which a reservation holds stock; holds is false once it has ended.
func (r *Reservation) State() (state int, holds bool) {
	switch r.Status {
	case api.ReservationPending:
		return Reserved, true
	case api.ReservationCommitted:
		return Committed, true
	}

	return 0, false
}

// Held returns the quantity that it holds.
func (r *Reservation) Held() (q int64) {
	for _, h := range r.Holds {
		q += h.Quantity
	}
	return q
}

// ShowReservation renders the response of a write to a reservation.
func ShowReservation(tx *Tx, e *journal.Entry) (*api.ReservationResult, error) {
	doc, err := DocumentAt(tx, Reservations, e)
	if err != nil {
		return nil, err
	}

	doc.UpdatedAt = e.At
	out := &api.ReservationResult{Reservation: *tx.expandReservation(doc)}
	if out.Balance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}

	out.Movements, err = tx.Movements(e)

	return out, err
}

// SetTenant sets the fields that follow from the partition.
func (r *Reservation) SetTenant(p store.Partition) {
	r.OrganizationID, r.Environment = p.Organization, api.Environment(p.Environment)
}

// IsOpen reports whether the reservation can still change.
func (r *Reservation) IsOpen() bool {
	return r.Status == api.ReservationPending || r.Status == api.ReservationCommitted
}

// expandReservation returns the reservation with the embedded references.
func (tx *Tx) expandReservation(r *Reservation) *api.Reservation {
	r.SetTenant(tx.Partition)
	r.Product, r.Location = tx.ProductRef(r.ProductID), tx.PlaceRef(Locations, r.LocationID)
	r.Owner, r.Channel = tx.PlaceRef(Owners, r.OwnerID), tx.PlaceRef(Channels, r.ChannelID)
	return &r.Reservation
}

// GetReservation returns a reservation.
func (tx *Tx) GetReservation(in *api.ReservationInput) (*api.Reservation, error) {
	doc, err := Find(tx.Reader, Reservations, "reservation", in.ReservationID)
	if err != nil {
		return nil, err
	}
	return tx.expandReservation(doc), nil
}

// ListReservations returns a page of reservations, newest first.
func (tx *Tx) ListReservations(in *api.ListReservationsInput) (*api.List[api.Reservation], error) {
	l := Listing[Reservation]{
		Table: Reservations,
		Seq:   func(r *Reservation) uint64 { return r.Seq },
		ID:    func(r *Reservation) api.ID { return r.ID },
		Keep: func(r *Reservation) bool {
			return (in.Status == "" || r.Status == in.Status) && r.StockKey().Matches(in.StockFilter) &&
				(in.ReferenceType == "" || in.ReferenceType == r.ReferenceType) &&
				(in.ReferenceID == "" || in.ReferenceID == r.ReferenceID) &&
				InTimeRange(r.ExpiresAt, in.ExpiresFrom, in.ExpiresTo)
		},
	}

	switch {
	case in.Status == api.ReservationPending: // the only status that does not grow forever
		l.Index, l.Prefix = "status", journal.ReservationStatuses.Prefix(in.Status)
	case in.ProductID != api.NoID:
		l.Index, l.Prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.Index, l.Prefix = "status", journal.ReservationStatuses.Prefix(in.Status)
	case in.LocationID != api.NoID:
		l.Index, l.Prefix = "location", in.LocationID[:]
	}

	docs, next, err := l.Page(tx, in.Page)

	return ListOf(docs, next, err, tx.expandReservation)
}
