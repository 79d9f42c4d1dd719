package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// An issueSelection says which stock a direct issue takes.
type issueSelection struct {
	state   int
	lot     api.ID
	fefo    bool
	fresh   bool
	numbers []string
	ids     []api.ID
}

func stateOf(s api.OnHandState) int {
	if s == "" {
		return available
	}
	return api.State(s).Index()
}

// fulfillStock issues stock to a recipient, never from an expired lot.
func (c *writeTx) fulfillStock(in *api.FulfillStockInput) error {
	if in.ReservationID != (api.ID{}) {
		return c.fulfillReservation(in)
	}
	x := issueSelection{state: stateOf(in.InventoryState), lot: in.LotID, fefo: in.LotStrategy == api.FEFO, fresh: true,
		numbers: in.SerialNumbers, ids: in.SerialIDs}
	n := annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata}
	return c.issue(stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, n, in.Quantity, in.UnitCode, in.UnitQuantity, x, api.OpFulfill, api.Consumed)
}

// writeOffStock writes off stock, including expired lots.
func (c *writeTx) writeOffStock(in *api.WriteOffStockInput) error {
	x := issueSelection{state: stateOf(in.InventoryState), lot: in.LotID, fefo: in.LotStrategy == api.FEFO,
		numbers: in.SerialNumbers, ids: in.SerialIDs}
	n := annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata}
	return c.issue(stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, n, in.Quantity, in.UnitCode, in.UnitQuantity, x, api.OpWriteOff, api.WrittenOff)
}

// issue takes stock out of one state and out of on hand.
func (c *writeTx) issue(at stored.StockKey, n annotation, quantity *int64, unitCode string, unitQuantity *int64, x issueSelection, op api.MovementOperation, status api.SerialStatus) error {
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return err
	}
	if at, err = c.beginDirect(at, n); err != nil {
		return err
	}
	named, err := c.namedSerials(p, x.ids, x.numbers)
	if err != nil {
		return err
	}
	q, err := c.requestedQuantity(p, quantity, len(named), unitCode, unitQuantity)
	if err != nil {
		return err
	}
	parts, err := c.selectIssue(p, at, q, named, x)
	if err != nil {
		return err
	}
	if err := c.post(issueRule(op, x.state, true), at, parts, nil); err != nil {
		return err
	}
	return c.updateSerials(parts, func(s *stored.Serial) { s.Status, s.Holder = status, api.ID{} })
}

// selectIssue returns the stock to issue: the named serials, or as x selects.
func (c *writeTx) selectIssue(p *stored.Product, at stored.StockKey, q int64, named []*stored.Serial, x issueSelection) ([]lotQuantity, error) {
	if x.lot != (api.ID{}) {
		if _, err := c.LotOf(p, x.lot); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if err := c.checkIssuable(s, at, x); err != nil {
			return nil, err
		}
	}
	parts := groupByLot(named)
	switch {
	case len(named) > 0:
	case x.state == committed:
		// Only documents commit stock of a lot.
		parts = withoutLot(q)
	default:
		var err error
		if parts, err = c.pickLots(at, x.state, q, lotPolicy{lot: x.lot, fefo: x.fefo, skipExpired: x.fresh}); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		if !x.fresh || part.Lot == (api.ID{}) {
			continue
		}
		if err := c.checkLotUsable(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 || x.state != available {
		return parts, nil
	}
	return parts, c.addOldestSerials(at, parts)
}

// checkIssuable checks that a serial can be issued directly.
func (c *writeTx) checkIssuable(s *stored.Serial, at stored.StockKey, x issueSelection) error {
	switch {
	case s.StockKey() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != serialState(x.state):
		return c.serialUnavailable(s, api.Textf("in stock at %s, %v", locationCode(c.Tx, at.Location), api.States[x.state].Title()))
	case x.lot != (api.ID{}) && s.LotID != x.lot:
		return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": x.lot},
			"Serial %s belongs to another lot. Name its lot, or choose another serial.", s.SerialNumber)
	case x.state == committed && s.LotID != (api.ID{}):
		return api.Fail(api.StateBackedByDocuments, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID},
			"Serial %s belongs to a lot whose committed stock is held by an outbound or reservation. Fulfill that document.", s.SerialNumber)
	}
	return nil
}

// fulfillReservation issues what a committed reservation holds.
func (c *writeTx) fulfillReservation(in *api.FulfillStockInput) error {
	doc, err := stored.Reservations.Get(c.Reader, in.ReservationID[:])
	if err != nil {
		return err
	}
	if doc == nil {
		return stored.NotFound("reservation", "reservationId", in.ReservationID)
	}
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	if err := c.checkMatchesReservation(doc, in); err != nil {
		return err
	}
	at, err := c.beginDirect(doc.StockKey(), annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	if in.ReferenceType == "" && in.ReferenceID == "" {
		c.setReference(doc.ReferenceType, doc.ReferenceID, "reservation", doc.ID)
	}
	if doc.Status != api.ReservationCommitted {
		return api.Fail(api.ReservationNotCommitted, api.Details{"status": doc.Status, "quantity": doc.Quantity},
			"The reservation is %v; only a committed reservation can be fulfilled.", doc.Status)
	}
	named, err := c.namedSerials(p, in.SerialIDs, in.SerialNumbers)
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
	if q, err = c.requestedQuantity(p, &q, len(named), in.UnitCode, in.UnitQuantity); err != nil {
		return err
	}
	parts, err := c.takeReserved(doc, q, named)
	if err != nil {
		return err
	}
	if err := c.post(issueRule(api.OpFulfill, committed, false), at, parts, nil); err != nil {
		return err
	}
	if err := c.updateSerials(parts, func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.ID{} }); err != nil {
		return err
	}
	doc.FulfilledQuantity += q
	doc.UpdatedAt = c.Now
	return saveDocument(c, stored.Reservations, journal.ReservationKind, doc.ID, doc)
}

// checkMatchesReservation checks that the request's ids match the reservation.
func (c *writeTx) checkMatchesReservation(doc *stored.Reservation, in *api.FulfillStockInput) error {
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
func (c *writeTx) takeReserved(doc *stored.Reservation, q int64, named []*stored.Serial) ([]lotQuantity, error) {
	for _, s := range named {
		x := issueSelection{state: committed}
		if s.LotID != (api.ID{}) {
			x.state = reserved // serials count the same in both
		}
		if err := c.checkIssuable(s, doc.StockKey(), x); err != nil {
			return nil, err
		}
	}
	parts := groupByLot(named)
	if len(named) == 0 {
		rest := q
		for _, h := range doc.Holds {
			if n := min(rest, h.Quantity); n > 0 {
				parts = append(parts, lotQuantity{Lot: h.Lot, Quantity: n})
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
			return nil, api.Fail(api.LotMismatch, api.Details{"lotId": part.Lot, "lotCode": lotCode(c.Tx, part.Lot), "held": held, "requested": part.Quantity},
				"The reservation holds %d of %v, but %d requested. Use serials of the lots it holds.", held, lotCode(c.Tx, part.Lot), part.Quantity)
		}
		doc.Holds[i].Quantity -= part.Quantity
	}
	doc.Holds = slices.DeleteFunc(doc.Holds, func(h stored.LotHold) bool { return h.Quantity == 0 })
	return parts, nil
}
