package ledger

import "bincard/server/api"

// shippable is the stock of the source that a shipment takes: the named pieces,
// the named lot, or what choose takes, and never an expired lot.
func (c *change) shippable(p *product, at place, q int64, lot api.ID, named []*piece) ([]portion, error) {
	for _, s := range named {
		if err := c.takeable(s, at, lot); err != nil {
			return nil, err
		}
	}
	parts := byLot(named)
	if len(named) == 0 {
		var err error
		if parts, err = c.choose(at, available, q, wish{lot: lot, fresh: true}); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		if part.Lot == (api.ID{}) {
			continue
		}
		if err := c.takeableLot(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 {
		return parts, nil
	}
	return parts, c.fillPieces(at, parts)
}

// takeable holds that a piece is free to be taken from a place.
func (c *change) takeable(s *piece, at place, lot api.ID) error {
	if s.place() != at || s.Status != api.InStock || s.State != available || s.Holder != (api.ID{}) {
		return c.unavailable(s, "in stock and available at "+c.locationCode(at.Location))
	}
	if lot != (api.ID{}) && s.LotID != lot {
		return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": lot},
			"Piece %s is of another lot than the one named. Name its lot, or another piece.", s.SerialNumber)
	}
	return nil
}

// takeableLot holds that a lot may leave: it is the product's, active and not expired.
func (c *change) takeableLot(p *product, at place, id api.ID, q int64) error {
	l, err := c.lotOf(p, id)
	if err != nil || !l.expired(c.now) {
		return err
	}
	return api.Fail(api.InsufficientStock,
		api.Details{"productId": p.ID, "sku": p.SKU, "locationId": at.Location, "inventoryState": api.Available, "current": int64(0),
			"requested": q, "lotId": id, "lotCode": l.LotCode, "expiresAt": l.ExpiresAt},
		"%s: lot %s expired on %s, so none of it can leave. Take another lot.", c.saying(at), l.LotCode, l.ExpiresAt.Format("2006-01-02"))
}

// fillPieces adds to portions of available stock the oldest pieces that must
// be among them: what has no serial number goes first, then pieces.
func (c *change) fillPieces(at place, parts []portion) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	q := total(parts)
	if q > b.Q[available] {
		return nil // which post refuses with the numbers
	}
	need := q - (b.Q[onHand] - b.Pieces)
	for i := range parts {
		if need <= 0 {
			return nil
		}
		found, err := c.oldest(at, min(need, parts[i].Quantity), &parts[i].Lot)
		if err != nil {
			return err
		}
		parts[i].Pieces = found
		need -= int64(len(found))
	}
	if need > 0 {
		return api.Fail(api.SerialCountMismatch, c.about(b, api.Details{"serials": q - need, "quantity": q}),
			"%s: of %d asked for only %d can be told by serial number. Name the pieces.", c.saying(at), q, q-need)
	}
	return nil
}

// alterAll changes the pieces of the portions.
func (c *change) alterAll(parts []portion, how func(*piece)) error {
	for _, part := range parts {
		for _, s := range part.Pieces {
			if err := c.alter(s, how); err != nil {
				return err
			}
		}
	}
	return nil
}

func (rd *reading) locationCode(id api.ID) string {
	if ref := rd.placeRef(locations, id); ref != nil {
		return ref.Code
	}
	return id.String()
}

// shelve puts a piece in stock at a location.
func shelve(location api.ID) func(*piece) {
	return func(s *piece) {
		s.Status, s.Away, s.Holder, s.LocationID, s.State = api.InStock, false, api.ID{}, location, available
	}
}
