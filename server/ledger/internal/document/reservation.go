package document

import (
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// CreateReservation reserves the whole quantity or nothing.
func CreateReservation(c *posting.Tx, in *api.CreateReservationInput) error {
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}

	at, err := c.RequestedKey(in.StockKey)
	if err != nil {
		return err
	}

	expires := api.Instant(*in.ExpiresAt)
	if !expires.After(c.Clock) {
		if occurred := c.Request.OccurredAt; !occurred.IsZero() && occurred.Before(expires) {
			return reservationTooLate(in, expires, occurred)
		}
		var p api.Problems
		p.Add("expiresAt", "future", "must be after the service's time (%s), is %s", c.Clock.Format(time.RFC3339),
			expires.Format(time.RFC3339))
		return p.Err()
	}

	parts, err := reservableLots(c, at, in.Quantity)
	if err != nil {
		return err
	}

	doc := &stored.Reservation{
		Revision: journal.Revision{Seq: c.Entry.Seq},
		Reservation: api.Reservation{
			ID:            c.NewID("reservation"),
			ProductID:     at.Product,
			LocationID:    at.Location,
			OwnerID:       at.Owner,
			ChannelID:     at.Channel,
			Quantity:      in.Quantity,
			Status:        api.ReservationPending,
			ExpiresAt:     expires,
			ReferenceType: in.ReferenceType,
			ReferenceID:   in.ReferenceID,
			Metadata:      in.Metadata,
			CreatedBy:     c.Entry.Operator,
			Actor:         c.Entry.Actor,
			CreatedAt:     c.Now,
		},
	}

	if err := c.PostTogether(posting.ReservationCreate, at, parts, nil); err != nil {
		return err
	}

	setHolds(doc, parts)
	c.Expires = expires

	return saveReservation(c, doc)
}

// reservationTooLate is the error for a reservation that was made in time, at a node, and expired
// before the service received it.
func reservationTooLate(in *api.CreateReservationInput, expires, occurred time.Time) error {
	return api.Fail(
		api.ReservationTooLate,
		api.Details{"expiresAt": expires.Format(time.RFC3339), "occurredAt": occurred.UTC().Format(time.RFC3339),
			"productId": in.ProductID, "locationId": in.LocationID, "quantity": in.Quantity},
		"The reservation of %d, made %s, expired %s, before the service received it. Reserve again if the stock is still needed.",
		in.Quantity,
		occurred.UTC().Format(time.RFC3339),
		expires.Format(time.RFC3339),
	)
}

// CommitReservation commits what a pending reservation holds.
func CommitReservation(c *posting.Tx, in *api.ReservationInput) error {
	doc, err := ReadReservation(c, in.ReservationID)
	if err != nil {
		return err
	}
	if doc.Status != api.ReservationPending {
		return reservationNotPending(c, doc, "committed")
	}

	parts, err := heldLots(c, doc, stored.Reserved)
	if err != nil {
		return err
	}
	if err := c.Post(posting.ReservationCommit, doc.StockKey(), parts, nil); err != nil {
		return err
	}

	setHolds(doc, parts)
	doc.Status = api.ReservationCommitted

	return saveReservation(c, doc)
}

// ReleaseReservation releases what a pending or committed reservation holds.
func ReleaseReservation(c *posting.Tx, in *api.ReservationInput) error {
	doc, err := ReadReservation(c, in.ReservationID)
	if err != nil {
		return err
	}
	if _, holds := doc.State(); !holds {
		return reservationNotPending(c, doc, "released")
	}
	if doc.Held() == 0 {
		return api.Fail(api.NothingPending,
			api.Details{"status": doc.Status, "quantity": doc.Quantity, "fulfilled": doc.FulfilledQuantity},
			"All %d reserved are fulfilled. Nothing is left to release.", doc.Quantity)
	}

	return EndReservation(c, doc, api.OpRelease, api.ReservationReleased)
}

// CancelReservation cancels a pending reservation.
func CancelReservation(c *posting.Tx, in *api.ReservationInput) error {
	doc, err := ReadReservation(c, in.ReservationID)
	if err != nil {
		return err
	}
	if doc.Status != api.ReservationPending {
		return reservationNotPending(c, doc, "canceled")
	}
	return EndReservation(c, doc, api.OpReservationCancel, api.ReservationCancelled)
}

// EndReservation makes what a reservation holds available, and ends it.
func EndReservation(
	c *posting.Tx,
	doc *stored.Reservation,
	op api.MovementOperation,
	status api.ReservationStatus,
) error {
	state, _ := doc.State()
	parts, err := heldLots(c, doc, state)
	if err != nil {
		return err
	}
	if err := c.Post(posting.ReleaseRule(op, state), doc.StockKey(), parts, nil); err != nil {
		return err
	}

	doc.Holds, doc.Status = nil, status

	return saveReservation(c, doc)
}

// ReadReservation reads the reservation of a write, and checks the version of its balance.
func ReadReservation(c *posting.Tx, id api.ID) (*stored.Reservation, error) {
	doc, err := stored.Find(c.Reader, stored.Reservations, "reservation", id)
	if err != nil {
		return nil, err
	}
	return doc, c.MatchBalance(doc.StockKey())
}

// reservationNotPending returns the error of a reservation whose status does not allow an action.
func reservationNotPending(c *posting.Tx, doc *stored.Reservation, action string) error {
	next := api.Text("Create a new reservation.")
	if doc.Status == api.ReservationCommitted && action == "canceled" {
		next = api.Text("Release it instead.")
	} else if doc.Status == api.ReservationCommitted {
		next = api.Text("Fulfill or release it.")
	}

	details := api.Details{"status": doc.Status, "quantity": doc.Quantity, "expiresAt": doc.ExpiresAt}
	if doc.Status != api.ReservationExpired { // nobody did that
		details = c.WithLastChange(doc.Last, details)
	}

	return api.Fail(api.ReservationNotPending, details,
		"The reservation is %v, so it cannot be %v. %v", doc.Status, api.Text(action), next)
}

// saveReservation stores the document, also in the journal entry.
func saveReservation(c *posting.Tx, doc *stored.Reservation) error {
	doc.UpdatedAt = c.Now
	c.SetReference(doc.ReferenceType, doc.ReferenceID, "reservation", doc.ID)
	return posting.SaveDocument(c, stored.Reservations, journal.ReservationKind, doc.ID, doc)
}
