package stock

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// Fulfill issues stock to a recipient, never from an expired lot.
func Fulfill(c *posting.Tx, in *api.FulfillStockInput) error {
	if in.ReservationID != api.NoID {
		return fulfillReservation(c, in)
	}

	return issue(
		c,
		&api.WriteOffStockInput{
			StockKey:       in.StockKey,
			Quantity:       in.Quantity,
			InventoryState: in.InventoryState,
			Reason:         in.Reason,
			Metadata:       in.Metadata,
			LotChoice:      in.LotChoice,
			SerialChoice:   in.SerialChoice,
			UnitInput:      in.UnitInput,
			Reference:      in.Reference,
		},
		api.OpFulfill,
		api.Consumed,
		true,
	)
}

// fulfillReservation issues what a committed reservation holds.
func fulfillReservation(c *posting.Tx, in *api.FulfillStockInput) error {
	doc, err := stored.Find(c.Reader, stored.Reservations, "reservation", in.ReservationID)
	if err != nil {
		return err
	}

	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	if err := checkMatchesReservation(c, doc, in); err != nil {
		return err
	}

	at, err := begin(
		c,
		api.StockKey{
			ProductID:  doc.ProductID,
			LocationID: doc.LocationID,
			OwnerID:    doc.OwnerID,
			ChannelID:  doc.ChannelID,
		},
		in.Reference,
		in.Reason,
		in.Metadata,
	)
	if err != nil {
		return err
	}
	if in.ReferenceType == "" && in.ReferenceID == "" {
		c.SetReference(doc.ReferenceType, doc.ReferenceID, "reservation", doc.ID)
	}
	if doc.Status != api.ReservationCommitted {
		return api.Fail(api.ReservationNotCommitted, api.Details{"status": doc.Status, "quantity": doc.Quantity},
			"The reservation is %v; only a committed reservation can be fulfilled.", doc.Status)
	}

	named, err := c.NamedSerials(p, in.SerialChoice)
	if err != nil {
		return err
	}

	q := doc.Held()
	if in.Quantity != nil {
		q = *in.Quantity
	} else if len(named) > 0 {
		q = int64(len(named))
	}

	switch {
	case doc.Held() == 0:
		return api.Fail(api.NothingPending, api.Details{"quantity": doc.Quantity, "fulfilled": doc.FulfilledQuantity},
			"All %d reserved are already fulfilled.", doc.Quantity)
	case q > doc.Held():
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": doc.Held(), "requested": q},
			"The reservation holds %d, but %d requested. Fulfill at most %d.", doc.Held(), q, doc.Held())
	}

	if q, err = requestedQuantity(c, p, &q, len(named), in.UnitInput); err != nil {
		return err
	}

	parts, err := takeReserved(c, doc, q, named)
	if err != nil {
		return err
	}
	if err := c.Post(posting.IssueRule(api.OpFulfill, stored.Committed, false), at, parts, nil); err != nil {
		return err
	}
	if err := c.UpdateSerials(parts,
		func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.NoID }); err != nil {
		return err
	}

	doc.FulfilledQuantity += q
	doc.UpdatedAt = c.Now

	return posting.SaveDocument(c, stored.Reservations, journal.ReservationKind, doc.ID, doc)
}

// checkMatchesReservation checks that the request's ids match the reservation.
func checkMatchesReservation(c *posting.Tx, doc *stored.Reservation, in *api.FulfillStockInput) error {
	var p api.Problems
	for _, x := range []struct {
		field     string
		want, got api.ID
	}{{"productId", in.ProductID, doc.ProductID}, {"locationId", in.LocationID, doc.LocationID},
		{"ownerId", in.OwnerID, doc.OwnerID}, {"channelId", in.ChannelID, doc.ChannelID}} {
		if !stored.MatchesID(x.want, x.got) {
			p.Add(x.field, "reservation", "must match the reservation: %s", x.got)
		}
	}

	return p.Err()
}

// takeReserved takes q from the holds of a reservation, or the named serials, which
// must be of the lots it holds.
func takeReserved(
	c *posting.Tx,
	doc *stored.Reservation,
	q int64,
	named []*stored.Serial,
) ([]posting.LotQuantity, error) {
	for _, s := range named {
		x := issueSelection{state: stored.Committed}
		if s.LotID != api.NoID {
			x.state = stored.Reserved // serials count the same in both
		}
		if err := checkIssuable(c, s, doc.StockKey(), x); err != nil {
			return nil, err
		}
	}

	parts := posting.GroupByLot(named)
	if len(named) == 0 {
		rest := q
		for _, h := range doc.Holds {
			if n := min(rest, h.Quantity); n > 0 {
				parts = append(parts, posting.LotQuantity{Lot: h.Lot, Quantity: n})
				rest -= n
			}
		}
	}

	for _, part := range parts {
		i := slices.IndexFunc(doc.Holds, func(h stored.LotHold) bool { return h.Lot == part.Lot })
		if i < 0 || doc.Holds[i].Quantity < part.Quantity {
			held := int64(0)
			if i >= 0 {
				held = doc.Holds[i].Quantity
			}

			return nil, api.Fail(
				api.LotMismatch,
				api.Details{
					"lotId":     part.Lot,
					"lotCode":   posting.LotCode(c.Tx, part.Lot),
					"held":      held,
					"requested": part.Quantity,
				},
				"The reservation holds %d of %v, but %d requested. Use serials of the lots it holds.",
				held,
				posting.LotCode(c.Tx, part.Lot),
				part.Quantity,
			)
		}

		doc.Holds[i].Quantity -= part.Quantity
	}

	doc.Holds = slices.DeleteFunc(doc.Holds, func(h stored.LotHold) bool { return h.Quantity == 0 })

	return parts, nil
}
