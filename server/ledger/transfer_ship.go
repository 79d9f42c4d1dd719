package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// shippableLots returns the stock to ship: the named serials, the named lot, or by the
// default lot policy, never from an expired lot.
func (c *writeTx) shippableLots(p *stored.Product, at stored.StockKey, q int64, lot api.ID, named []*stored.Serial) ([]lotQuantity, error) {
	for _, s := range named {
		if err := c.checkInStock(s, at, lot); err != nil {
			return nil, err
		}
	}
	parts := groupByLot(named)
	if len(named) == 0 {
		var err error
		if parts, err = c.pickLots(at, available, q, lotPolicy{lot: lot, skipExpired: true}); err != nil {
			return nil, err
		}
	}
	for _, part := range parts {
		if part.Lot == (api.ID{}) {
			continue
		}
		if err := c.checkLotUsable(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 {
		return parts, nil
	}
	return parts, c.addOldestSerials(at, parts)
}

// checkInStock checks that a serial is in stock and available.
func (c *writeTx) checkInStock(s *stored.Serial, at stored.StockKey, lot api.ID) error {
	if s.StockKey() != at || s.Status != api.InStock || s.State != available || s.Holder != (api.ID{}) {
		return c.serialUnavailable(s, api.Textf("in stock and available at %s", locationCode(c.Tx, at.Location)))
	}
	if lot != (api.ID{}) && s.LotID != lot {
		return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": lot},
			"Serial %s belongs to another lot. Name its lot, or choose another serial.", s.SerialNumber)
	}
	return nil
}

// checkLotUsable checks that stock of a lot may leave: the lot is the product's, active and unexpired.
func (c *writeTx) checkLotUsable(p *stored.Product, at stored.StockKey, id api.ID, q int64) error {
	l, err := c.LotOf(p, id)
	if err != nil || !l.Expired(c.Now) {
		return err
	}
	return api.Fail(api.InsufficientStock,
		api.Details{"productId": p.ID, "sku": p.SKU, "locationId": at.Location, "inventoryState": api.Available, "current": int64(0),
			"requested": q, "lotId": id, "lotCode": l.LotCode, "expiresAt": l.ExpiresAt},
		"%v: lot %s expired on %s and cannot ship. Choose another lot.", c.DescribeStockKey(at), l.LotCode, l.ExpiresAt.Format("2006-01-02"))
}

// addOldestSerials adds to available stock the serials that must be part of it, oldest
// first: stock without serial numbers goes first.
func (c *writeTx) addOldestSerials(at stored.StockKey, parts []lotQuantity) error {
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	q := total(parts)
	if q > b.Q[available] {
		return nil // post rejects it
	}
	need := q - (b.Q[onHand] - b.Serials)
	for i := range parts {
		if need <= 0 {
			return nil
		}
		found, err := c.oldestSerials(at, min(need, parts[i].Quantity), &parts[i].Lot)
		if err != nil {
			return err
		}
		parts[i].Serials = found
		need -= int64(len(found))
	}
	if need > 0 {
		return api.Fail(api.SerialCountMismatch, c.withBalance(b, api.Details{"serials": q - need, "quantity": q}),
			"%v: %d requested, but only %d can be chosen by serial number. Name the serials.", c.DescribeStockKey(at), q, q-need)
	}
	return nil
}

// updateSerials changes the serials of parts.
func (c *writeTx) updateSerials(parts []lotQuantity, change func(*stored.Serial)) error {
	for _, part := range parts {
		for _, s := range part.Serials {
			if err := c.updateSerial(s, change); err != nil {
				return err
			}
		}
	}
	return nil
}

func locationCode(tx *stored.Tx, id api.ID) string {
	if ref := tx.PlaceRef(stored.Locations, id); ref != nil {
		return ref.Code
	}
	return id.String()
}

// putInStock returns a change that puts a serial in stock at a location.
func putInStock(location api.ID) func(*stored.Serial) {
	return func(s *stored.Serial) {
		s.Status, s.Away, s.Holder, s.LocationID, s.State = api.InStock, false, api.ID{}, location, available
	}
}
