package ledger

import (
	"encoding/binary"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// A reservation is an api.Reservation as it is kept: without the embedded
// references, with its place in the lists and with what it holds by lot, so
// that its stock goes back to the lots it came from.
type reservation struct {
	api.Reservation
	revision
	Holds []lotHold `json:"holds,omitzero"`
}

// A lotHold is what a reservation holds of one lot, or of none.
type lotHold struct {
	Lot      api.ID `json:"lot,omitzero"`
	Quantity int64  `json:"quantity"`
}

var reservations = &store.Table[reservation]{
	Name:  "reservations",
	Key:   func(r *reservation) []byte { return r.ID[:] },
	Codec: documentCodec[reservation, *reservation]{},
	Indexes: []store.Index[reservation]{
		{Name: "seq", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{seqKey(r.Seq)} }},
		{Name: "status", Keys: func(r *reservation) [][]byte { return [][]byte{reservationStatuses.key(r.Status, r.Seq)} }},
		{Name: "product", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{join(r.ProductID[:], seqKey(r.Seq))} }},
		{Name: "location", Fixed: true, Keys: func(r *reservation) [][]byte { return [][]byte{join(r.LocationID[:], seqKey(r.Seq))} }},
		{Name: "due", Keys: dueKeys},
	},
}

// dueKeys sort the reservations that can expire by when they do.
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

// state is where a reservation holds stock; holds is false once it does not.
func (r *reservation) state() (state int, holds bool) {
	switch r.Status {
	case api.ReservationPending:
		return reserved, true
	case api.ReservationCommitted:
		return committed, true
	}
	return 0, false
}

// held is how much it holds.
func (r *reservation) held() (q int64) {
	for _, h := range r.Holds {
		q += h.Quantity
	}
	return q
}

// setHolds notes what it holds from now on.
func (r *reservation) setHolds(parts []lotQuantity) {
	r.Holds = nil
	for _, p := range parts {
		r.Holds = append(r.Holds, lotHold{p.Lot, p.Quantity})
	}
}

// heldLots is the stock that a reservation holds, lot by lot. Reserved stock
// can be moved by hand as long as there is enough for all reservations: where
// a lot has been moved away the reservation has other stock in its place.
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
	left := int64(0)
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
		left += h.Quantity - n
	}
	for _, p := range stock {
		n := min(left, p.Quantity)
		if n == 0 {
			continue
		}
		left -= n
		if i := slices.IndexFunc(out, func(x lotQuantity) bool { return x.Lot == p.Lot }); i >= 0 {
			out[i].Quantity += n
		} else {
			out = append(out, lotQuantity{Lot: p.Lot, Quantity: n})
		}
	}
	if left > 0 {
		return nil, c.insufficientStock(b, state, r.held()-left, r.held())
	}
	return out, nil
}

func showReservation(rd *readTx, rec *entry) (*api.ReservationResult, error) {
	doc, err := documentAt(rd, reservations, rec)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = rec.At
	rd.expandReservation(doc)
	out := &api.ReservationResult{Reservation: doc.Reservation}
	if out.Balance, err = rd.showBalance(rec, 0); err != nil {
		return nil, err
	}
	out.Movements, err = rd.movements(rec)
	return out, err
}

// setReservationTenant adds what no row says, because its partition does.
func (rd *readTx) setReservationTenant(r *reservation) {
	r.OrganizationID, r.Environment = rd.p.Organization, api.Environment(rd.p.Environment)
}

// expandReservation adds the embedded references.
func (rd *readTx) expandReservation(r *reservation) {
	rd.setReservationTenant(r)
	r.Product, r.Location = rd.productRef(r.ProductID), rd.placeRef(locations, r.LocationID)
	r.Owner, r.Channel = rd.placeRef(owners, r.OwnerID), rd.placeRef(channels, r.ChannelID)
}

func (rd *readTx) getReservation(in *api.ReservationInput) (*api.Reservation, error) {
	doc, err := reservations.Get(rd.r, in.ReservationID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("reservation", "reservationId", in.ReservationID)
	}
	rd.expandReservation(doc)
	return &doc.Reservation, nil
}

func (rd *readTx) listReservations(in *api.ListReservationsInput) (*api.List[api.Reservation], error) {
	l := listing[reservation]{table: reservations, seq: func(r *reservation) uint64 { return r.Seq }, id: func(r *reservation) api.ID { return r.ID },
		keep: func(r *reservation) bool {
			return (in.Status == "" || r.Status == in.Status) && matchesID(in.ProductID, r.ProductID) &&
				matchesID(in.LocationID, r.LocationID) && matchesID(in.OwnerID, r.OwnerID) && matchesID(in.ChannelID, r.ChannelID) &&
				(in.ReferenceType == "" || in.ReferenceType == r.ReferenceType) &&
				(in.ReferenceID == "" || in.ReferenceID == r.ReferenceID) &&
				inTimeRange(r.ExpiresAt, in.ExpiresFrom, in.ExpiresTo)
		}}
	switch {
	case in.Status == api.ReservationPending: // the others grow without end
		l.index, l.prefix = "status", reservationStatuses.prefix(in.Status)
	case in.ProductID != api.ID{}:
		l.index, l.prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.index, l.prefix = "status", reservationStatuses.prefix(in.Status)
	case in.LocationID != api.ID{}:
		l.index, l.prefix = "location", in.LocationID[:]
	}
	docs, next, err := l.page(rd, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Reservation]{Items: make([]api.Reservation, len(docs)), NextCursor: next}
	for i, d := range docs {
		rd.expandReservation(d)
		out.Items[i] = d.Reservation
	}
	return out, nil
}
