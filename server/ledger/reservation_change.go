package ledger

import (
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// createReservation reserves the whole quantity or nothing.
func (c *writeTx) createReservation(in *api.CreateReservationInput) error {
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(at); err != nil {
		return err
	}
	expires := api.Instant(*in.ExpiresAt)
	// Compare with the clock used for expiry, which may be behind c.now.
	if now := c.clock(); !expires.After(now) {
		var p api.Problems
		p.Add("expiresAt", "future", "must be after the service's time (%s), is %s", now.Format(time.RFC3339), expires.Format(time.RFC3339))
		return p.Err()
	}
	parts, err := c.reservableLots(at, in.Quantity)
	if err != nil {
		return err
	}
	doc := &stored.Reservation{Revision: journal.Revision{Seq: c.entry.Seq}, Reservation: api.Reservation{ID: c.newID("reservation"), ProductID: at.Product, LocationID: at.Location, OwnerID: at.Owner,
		ChannelID: at.Channel, Quantity: in.Quantity, Status: api.ReservationPending, ExpiresAt: expires,
		ReferenceType: in.ReferenceType, ReferenceID: in.ReferenceID, Metadata: in.Metadata,
		CreatedBy: c.entry.Operator, Actor: c.entry.Actor, CreatedAt: c.Now}}
	if err := c.reserve(at, parts); err != nil {
		return err
	}
	setHolds(doc, parts)
	c.l.expiry.Add(c.Partition, expires)
	return c.saveReservation(doc)
}

// reservableLots returns the available stock for a reservation, without expired lots.
func (c *writeTx) reservableLots(at stored.StockKey, q int64) ([]lotQuantity, error) {
	policy := lotPolicy{skipExpired: true}
	free, err := c.pickable(at, available, policy)
	if err != nil {
		return nil, err
	}
	if free < q {
		b, err := c.balance(at)
		if err != nil {
			return nil, err
		}
		return nil, c.shortage(b, available, free, q, policy)
	}
	return c.pickLots(at, available, q, policy)
}

// reserve applies the two rules of a new reservation, which balance only together.
func (c *writeTx) reserve(at stored.StockKey, parts []lotQuantity) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	b.Changed = true
	for _, rule := range []postingRule{reservationCreate, reservationReserve} {
		b.Operations |= 1 << journal.OperationNumber(rule.op)
		for _, part := range parts {
			if err := c.move(rule, rule.legs[0], b, part, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *writeTx) commitReservation(in *api.ReservationInput) error {
	doc, err := c.reservation(in.ReservationID)
	if err != nil {
		return err
	}
	if doc.Status != api.ReservationPending {
		return notPending(doc, "committed")
	}
	parts, err := c.heldLots(doc, reserved)
	if err != nil {
		return err
	}
	if err := c.post(reservationCommit, doc.StockKey(), parts, nil); err != nil {
		return err
	}
	setHolds(doc, parts)
	doc.Status = api.ReservationCommitted
	return c.saveReservation(doc)
}

// releaseReservation releases what a pending or committed reservation holds.
func (c *writeTx) releaseReservation(in *api.ReservationInput) error {
	doc, err := c.reservation(in.ReservationID)
	if err != nil {
		return err
	}
	if _, holds := doc.State(); !holds {
		return notPending(doc, "released")
	}
	if doc.Held() == 0 {
		return api.Fail(api.NothingPending, api.Details{"status": doc.Status, "quantity": doc.Quantity, "fulfilled": doc.FulfilledQuantity},
			"All %d reserved are fulfilled. Nothing is left to release.", doc.Quantity)
	}
	return c.endReservation(doc, api.OpRelease, api.ReservationReleased)
}

func (c *writeTx) cancelReservation(in *api.ReservationInput) error {
	doc, err := c.reservation(in.ReservationID)
	if err != nil {
		return err
	}
	if doc.Status != api.ReservationPending {
		return notPending(doc, "canceled")
	}
	return c.endReservation(doc, api.OpReservationCancel, api.ReservationCancelled)
}

// endReservation makes what a reservation holds available, and ends it.
func (c *writeTx) endReservation(doc *stored.Reservation, op api.MovementOperation, status api.ReservationStatus) error {
	state, _ := doc.State()
	parts, err := c.heldLots(doc, state)
	if err != nil {
		return err
	}
	if err := c.post(releaseRule(op, state), doc.StockKey(), parts, nil); err != nil {
		return err
	}
	doc.Holds, doc.Status = nil, status
	return c.saveReservation(doc)
}

// reservation reads the reservation of a write, and checks the version of its balance.
func (c *writeTx) reservation(id api.ID) (*stored.Reservation, error) {
	doc, err := stored.Reservations.Get(c.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, stored.NotFound("reservation", "reservationId", id)
	}
	return doc, c.matchBalance(doc.StockKey())
}

// notPending returns the error of a reservation whose status does not allow an action.
func notPending(doc *stored.Reservation, action string) error {
	next := api.Text("Create a new reservation.")
	if doc.Status == api.ReservationCommitted && action == "canceled" {
		next = api.Text("Release it instead.")
	} else if doc.Status == api.ReservationCommitted {
		next = api.Text("Fulfill or release it.")
	}
	return api.Fail(api.ReservationNotPending, api.Details{"status": doc.Status, "quantity": doc.Quantity, "expiresAt": doc.ExpiresAt},
		"The reservation is %v, so it cannot be %v. %v", doc.Status, api.Text(action), next)
}

// saveReservation stores the document, also in the journal entry.
func (c *writeTx) saveReservation(doc *stored.Reservation) error {
	doc.UpdatedAt = c.Now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "reservation", doc.ID)
	return saveDocument(c, stored.Reservations, journal.ReservationKind, doc.ID, doc)
}
