package ledger

import (
	"encoding/binary"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A reservation is the stored form of api.Reservation, without the embedded
// references. Holds has what it holds by lot, so that stock returns to its lots.
type reservation struct {
	api.Reservation
	journal.Revision
	Holds []lotHold `json:"holds,omitzero"`
}

// A lotHold is what a reservation holds of one lot, or of stock without a lot.
type lotHold struct {
	Lot      api.ID `json:"lot,omitzero"`
	Quantity int64  `json:"quantity"`
}

var reservations = &store.Table[reservation]{
	Name:  "reservations",
	Key:   func(r *reservation) []byte { return r.ID[:] },
	Codec: journal.DocumentCodec[reservation, *reservation]{},
	Indexes: []store.Index[reservation]{
		{Name: "seq", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{journal.SeqKey(r.Seq)} }},
		{Name: "status", Keys: func(r *reservation) [][]byte { return [][]byte{journal.ReservationStatuses.Key(r.Status, r.Seq)} }},
		{Name: "product", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{join(r.ProductID[:], journal.SeqKey(r.Seq))} }},
		{Name: "location", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{join(r.LocationID[:], journal.SeqKey(r.Seq))} }},
		{Name: "due", Keys: dueKeys},
	},
}

// dueKeys index pending reservations by expiry time.
func dueKeys(r *reservation) [][]byte {
	if r.Status != api.ReservationPending {
		return nil
	}
	return [][]byte{binary.BigEndian.AppendUint64(nil, uint64(r.ExpiresAt.UnixMilli()))}
}

func bindReservations(b map[string]binding) {
	writes(b, api.CreateReservation, (*writeTx).createReservation, showReservation)
	writes(b, api.CommitReservation, (*writeTx).commitReservation, showReservation)
	writes(b, api.ReleaseReservation, (*writeTx).releaseReservation, showReservation)
	writes(b, api.CancelReservation, (*writeTx).cancelReservation, showReservation)
	reads(b, api.GetReservation, (*readTx).getReservation)
	reads(b, api.ListReservations, (*readTx).listReservations)
}

func (r *reservation) stockKey() stockKey {
	return stockKey{r.ProductID, r.LocationID, r.OwnerID, r.ChannelID}
}

// state returns the state in which a reservation holds stock; holds is false once it has ended.
func (r *reservation) state() (state int, holds bool) {
	switch r.Status {
	case api.ReservationPending:
		return Reserved, true
	case api.ReservationCommitted:
		return Committed, true
	}
	return 0, false
}

// held returns the quantity that it holds.
func (r *reservation) held() (q int64) {
	for _, h := range r.Holds {
		q += h.Quantity
	}
	return q
}

// setHolds replaces the holds.
func (r *reservation) setHolds(parts []lotQuantity) {
	r.Holds = nil
	for _, p := range parts {
		r.Holds = append(r.Holds, lotHold{p.Lot, p.Quantity})
	}
}

// heldLots returns the stock that a reservation holds, by lot. Reserved stock may be
// moved manually as long as enough remains for all reservations; if its lot was
// moved, the reservation uses other stock.
func (c *writeTx) heldLots(r *reservation, state int) ([]lotQuantity, error) {
	b, err := c.balance(r.stockKey())
	if err != nil {
		return nil, err
	}
	if !b.HasLots {
		return withoutLot(r.held()), nil
	}
	stock, err := c.lotCandidates(b, state, lotPolicy{})
	if err != nil {
		return nil, err
	}
	var out []lotQuantity
	missing := int64(0)
	for _, h := range r.Holds {
		i := slices.IndexFunc(stock, func(p lotQuantity) bool { return p.Lot == h.Lot })
		n := int64(0)
		if i >= 0 {
			n = min(h.Quantity, stock[i].Quantity)
			stock[i].Quantity -= n
		}
		if n > 0 {
			out = append(out, lotQuantity{Lot: h.Lot, Quantity: n})
		}
		missing += h.Quantity - n
	}
	for _, p := range stock {
		n := min(missing, p.Quantity)
		if n == 0 {
			continue
		}
		missing -= n
		if i := slices.IndexFunc(out, func(x lotQuantity) bool { return x.Lot == p.Lot }); i >= 0 {
			out[i].Quantity += n
		} else {
			out = append(out, lotQuantity{Lot: p.Lot, Quantity: n})
		}
	}
	if missing > 0 {
		return nil, c.insufficientStock(b, state, r.held()-missing, r.held())
	}
	return out, nil
}

func showReservation(tx *readTx, e *journal.Entry) (*api.ReservationResult, error) {
	doc, err := documentAt(tx, reservations, e)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = e.At
	tx.expandReservation(doc)
	out := &api.ReservationResult{Reservation: doc.Reservation}
	if out.Balance, err = tx.showBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.movements(e)
	return out, err
}

// setReservationTenant sets the fields that follow from the partition.
func (tx *readTx) setReservationTenant(r *reservation) {
	r.OrganizationID, r.Environment = tx.p.Organization, api.Environment(tx.p.Environment)
}

// expandReservation adds the embedded references.
func (tx *readTx) expandReservation(r *reservation) {
	tx.setReservationTenant(r)
	r.Product, r.Location = tx.productRef(r.ProductID), tx.placeRef(locations, r.LocationID)
	r.Owner, r.Channel = tx.placeRef(owners, r.OwnerID), tx.placeRef(channels, r.ChannelID)
}

func (tx *readTx) getReservation(in *api.ReservationInput) (*api.Reservation, error) {
	doc, err := reservations.Get(tx.r, in.ReservationID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("reservation", "reservationId", in.ReservationID)
	}
	tx.expandReservation(doc)
	return &doc.Reservation, nil
}

func (tx *readTx) listReservations(in *api.ListReservationsInput) (*api.List[api.Reservation], error) {
	l := listing[reservation]{table: reservations, seq: func(r *reservation) uint64 { return r.Seq }, id: func(r *reservation) api.ID { return r.ID },
		keep: func(r *reservation) bool {
			return (in.Status == "" || r.Status == in.Status) && matchesID(in.ProductID, r.ProductID) &&
				matchesID(in.LocationID, r.LocationID) && matchesID(in.OwnerID, r.OwnerID) && matchesID(in.ChannelID, r.ChannelID) &&
				(in.ReferenceType == "" || in.ReferenceType == r.ReferenceType) &&
				(in.ReferenceID == "" || in.ReferenceID == r.ReferenceID) &&
				inTimeRange(r.ExpiresAt, in.ExpiresFrom, in.ExpiresTo)
		}}
	switch {
	case in.Status == api.ReservationPending: // the only status that does not grow forever
		l.index, l.prefix = "status", journal.ReservationStatuses.Prefix(in.Status)
	case in.ProductID != api.ID{}:
		l.index, l.prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.index, l.prefix = "status", journal.ReservationStatuses.Prefix(in.Status)
	case in.LocationID != api.ID{}:
		l.index, l.prefix = "location", in.LocationID[:]
	}
	docs, next, err := l.page(tx, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Reservation]{Items: make([]api.Reservation, len(docs)), NextCursor: next}
	for i, d := range docs {
		tx.expandReservation(d)
		out.Items[i] = d.Reservation
	}
	return out, nil
}
