package ledger

import (
	"slices"

	"bincard/server/api"
)

// An exit is what goods that go out by hand are chosen by.
type exit struct {
	state   int
	lot     api.ID
	fefo    bool
	fresh   bool
	numbers []string
	ids     []api.ID
}

func stateOf(s api.GoodsState) int {
	if s == "" {
		return available
	}
	return api.State(s).Index()
}

// fulfillStock sends stock out to somebody: never of an expired lot.
func (c *change) fulfillStock(in *api.FulfillStockInput) error {
	if in.ReservationID != (api.ID{}) {
		return c.fulfillReservation(in)
	}
	x := exit{state: stateOf(in.InventoryState), lot: in.LotID, fefo: in.LotStrategy == api.FEFO, fresh: true,
		numbers: in.SerialNumbers, ids: in.SerialIDs}
	n := note{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata}
	return c.takeOut(place{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}, n, in.Quantity, in.UnitCode, in.UnitQuantity, x, api.OpFulfill, api.Consumed)
}

// writeOffStock takes stock out of the books: expired lots too.
func (c *change) writeOffStock(in *api.WriteOffStockInput) error {
	x := exit{state: stateOf(in.InventoryState), lot: in.LotID, fefo: in.LotStrategy == api.FEFO,
		numbers: in.SerialNumbers, ids: in.SerialIDs}
	n := note{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata}
	return c.takeOut(place{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}, n, in.Quantity, in.UnitCode, in.UnitQuantity, x, api.OpWriteOff, api.WrittenOff)
}

// takeOut takes goods out of one state, and of what is on hand.
func (c *change) takeOut(at place, n note, quantity *int64, unitCode string, unitQuantity *int64, x exit, op api.MovementOperation, left api.SerialStatus) error {
	p, err := c.product("productId", at.Product)
	if err != nil {
		return err
	}
	if at, err = c.direct(at, n); err != nil {
		return err
	}
	named, err := c.named(p, x.ids, x.numbers)
	if err != nil {
		return err
	}
	q, err := c.asked(p, quantity, len(named), unitCode, unitQuantity)
	if err != nil {
		return err
	}
	parts, err := c.leaving(p, at, q, named, x)
	if err != nil {
		return err
	}
	if err := c.post(taking(op, x.state, true), at, parts, nil); err != nil {
		return err
	}
	return c.alterAll(parts, func(s *piece) { s.Status, s.Holder = left, api.ID{} })
}

// leaving is the stock that goes out: the pieces named, or what the exit chooses.
func (c *change) leaving(p *product, at place, q int64, named []*piece, x exit) ([]portion, error) {
	if x.lot != (api.ID{}) {
		if _, err := c.lotOf(p, x.lot); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if err := c.leavable(s, at, x); err != nil {
			return nil, err
		}
	}
	parts := byLot(named)
	switch {
	case len(named) > 0:
	case x.state == committed:
		// What is committed of a lot is a document's.
		parts = whole(q)
	default:
		var err error
		if parts, err = c.choose(at, x.state, q, wish{lot: x.lot, fefo: x.fefo, fresh: x.fresh}); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		if !x.fresh || part.Lot == (api.ID{}) {
			continue
		}
		if err := c.takeableLot(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 || x.state != available {
		return parts, nil
	}
	return parts, c.fillPieces(at, parts)
}

// leavable holds that a piece can go out by hand.
func (c *change) leavable(s *piece, at place, x exit) error {
	switch {
	case s.place() != at || s.Status != api.InStock || s.Holder != (api.ID{}) || s.State != pool(x.state):
		return c.unavailable(s, "in stock at "+c.locationCode(at.Location)+", "+api.States[x.state].Title())
	case x.lot != (api.ID{}) && s.LotID != x.lot:
		return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": x.lot},
			"Piece %s is of another lot than the one named. Name its lot, or another piece.", s.SerialNumber)
	case x.state == committed && s.LotID != (api.ID{}):
		return api.Fail(api.StateBackedByDocuments, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID},
			"Piece %s is of a lot, and what is committed of a lot is held by an outbound or a reservation. Fulfil that one.", s.SerialNumber)
	}
	return nil
}

// fulfillReservation sends out what a committed reservation holds.
func (c *change) fulfillReservation(in *api.FulfillStockInput) error {
	doc, err := reservations.Get(c.r, in.ReservationID[:])
	if err != nil {
		return err
	}
	if doc == nil {
		return missing("reservation", "reservationId", in.ReservationID)
	}
	p, err := c.product("productId", in.ProductID)
	if err != nil {
		return err
	}
	if err := c.agrees(doc, in); err != nil {
		return err
	}
	at, err := c.direct(doc.place(), note{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	if in.ReferenceType == "" && in.ReferenceID == "" {
		c.reference(doc.ReferenceType, doc.ReferenceID, "reservation", doc.ID)
	}
	if doc.Status != api.ReservationCommitted {
		return api.Fail(api.ReservationNotCommitted, api.Details{"status": doc.Status, "quantity": doc.Quantity},
			"The reservation is %s; only what is committed can be fulfilled.", doc.Status)
	}
	named, err := c.named(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	q := doc.held()
	if in.Quantity != nil {
		q = *in.Quantity
	} else if len(named) > 0 {
		q = int64(len(named))
	}
	switch {
	case doc.held() == 0:
		return api.Fail(api.NothingPending, api.Details{"quantity": doc.Quantity, "fulfilled": doc.FulfilledQuantity},
			"All %d of the reservation are fulfilled.", doc.Quantity)
	case q > doc.held():
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": doc.held(), "requested": q},
			"The reservation holds %d and %d were to leave. Fulfil at most %d.", doc.held(), q, doc.held())
	}
	if q, err = c.asked(p, &q, len(named), in.UnitCode, in.UnitQuantity); err != nil {
		return err
	}
	parts, err := c.ofReservation(doc, q, named)
	if err != nil {
		return err
	}
	if err := c.post(taking(api.OpFulfill, committed, false), at, parts, nil); err != nil {
		return err
	}
	if err := c.alterAll(parts, func(s *piece) { s.Status, s.Holder = api.Consumed, api.ID{} }); err != nil {
		return err
	}
	doc.FulfilledQuantity += q
	doc.UpdatedAt = c.now
	return saveDocument(c, reservations, reservationKind, doc.ID, doc)
}

// agrees holds that what an input names is the reservation's.
func (c *change) agrees(doc *reservation, in *api.FulfillStockInput) error {
	var p api.Problems
	for _, x := range []struct {
		field    string
		want, is api.ID
	}{{"productId", in.ProductID, doc.ProductID}, {"locationId", in.LocationID, doc.LocationID},
		{"ownerId", in.OwnerID, doc.OwnerID}, {"channelId", in.ChannelID, doc.ChannelID}} {
		if !same(x.want, x.is) {
			p.Add(x.field, "reservation", "must be the reservation's, %s", x.is)
		}
	}
	return p.Err()
}

// ofReservation takes q of what a reservation holds, or the pieces named, which
// must be of its lots.
func (c *change) ofReservation(doc *reservation, q int64, named []*piece) ([]portion, error) {
	for _, s := range named {
		x := exit{state: committed}
		if s.LotID != (api.ID{}) {
			x.state = reserved // a piece counts alike in both
		}
		if err := c.leavable(s, doc.place(), x); err != nil {
			return nil, err
		}
	}
	parts := byLot(named)
	if len(named) == 0 {
		left := q
		for _, h := range doc.Holds {
			if n := min(left, h.Quantity); n > 0 {
				parts = append(parts, portion{Lot: h.Lot, Quantity: n})
				left -= n
			}
		}
	}
	for _, part := range parts {
		i := slices.IndexFunc(doc.Holds, func(h holding) bool { return h.Lot == part.Lot })
		if i < 0 || doc.Holds[i].Quantity < part.Quantity {
			held := int64(0)
			if i >= 0 {
				held = doc.Holds[i].Quantity
			}
			return nil, api.Fail(api.LotMismatch, api.Details{"lotId": part.Lot, "lotCode": c.lotCode(part.Lot), "held": held, "requested": part.Quantity},
				"The reservation holds %d of %s and %d were to leave. Take pieces of the lots it holds.", held, c.lotCode(part.Lot), part.Quantity)
		}
		doc.Holds[i].Quantity -= part.Quantity
	}
	doc.Holds = slices.DeleteFunc(doc.Holds, func(h holding) bool { return h.Quantity == 0 })
	return parts, nil
}
