package posting

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// NamedSerials finds the serials that a request names by id or number, without duplicates.
func (c *Tx) NamedSerials(p *stored.Product, in api.SerialChoice) ([]*stored.Serial, error) {
	var out []*stored.Serial
	add := func(name string, s *stored.Serial, err error) error {
		if err != nil {
			return err
		}
		if s == nil || s.ProductID != p.ID {
			return api.Fail(api.SerialNotAvailable, api.Details{"serial": name, "productId": p.ID, "sku": p.SKU},
				"%s has no serial number %s. Check the label, or receive it first.", p.SKU, name)
		}

		// Compare ids: each read of a serial returns another copy.
		if !slices.ContainsFunc(out, func(x *stored.Serial) bool { return x.ID == s.ID }) {
			out = append(out, s)
		}

		return nil
	}

	for _, id := range in.SerialIDs {
		s, err := c.Serial(id)
		if err := add(id.String(), s, err); err != nil {
			return nil, err
		}
	}
	for _, number := range in.SerialNumbers {
		s, err := c.SerialByNumber(p.ID, number)
		if err := add(number, s, err); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// CheckInStock checks that a serial is in stock and available.
func (c *Tx) CheckInStock(s *stored.Serial, at stored.StockKey, lot api.ID) error {
	if !s.Pickable(at) {
		return c.SerialUnavailable(s, api.Textf("in stock and available at %s", LocationCode(c.Tx, at.Location)))
	}
	if lot != api.NoID && s.LotID != lot {
		return OtherLot(s, lot, "Specify its lot, or choose another serial.")
	}
	return nil
}

// OtherLot returns the error of a serial that is not of the requested lot.
func OtherLot(s *stored.Serial, lot api.ID, advice string) error {
	return api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": lot},
		"Serial %s belongs to another lot. %v", s.SerialNumber, api.Text(advice))
}

// SerialUnavailable returns the error of a serial whose location or status does not fit.
func (c *Tx) SerialUnavailable(s *stored.Serial, want string) error {
	code := s.LocationID.String()
	if ref := c.PlaceRef(stored.Locations, s.LocationID); ref != nil {
		code = ref.Code
	}

	return api.Fail(
		api.SerialNotAvailable,
		api.Details{"serialId": s.ID, "serialNumber": s.SerialNumber, "status": s.Status,
			"locationId": s.LocationID, "locationCode": code, "inventoryState": api.States[s.State]},
		"Serial %s is %v at %s (%v); it must be %v.",
		s.SerialNumber,
		s.Status,
		code,
		api.States[s.State].Title(),
		api.Text(want),
	)
}

// AddOldestSerials adds to available stock the serials that must be part of it, oldest
// first: stock without serial numbers goes first.
func (c *Tx) AddOldestSerials(at stored.StockKey, parts []LotQuantity) error {
	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}

	q := Total(parts)
	if q > b.Q[stored.Available] {
		return nil // Post rejects it
	}

	need := q - (b.Q[stored.OnHand] - b.Serials)
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
		return api.Fail(
			api.SerialCountMismatch,
			c.withBalance(b, api.Details{"serials": q - need, "quantity": q}),
			"%v: %d requested, but only %d can be chosen by serial number. Specify the serials.",
			c.DescribeStockKey(at),
			q,
			q-need,
		)
	}

	return nil
}

// oldestSerials returns up to n serials in stock, oldest first, of one lot if lot is
// not nil.
func (c *Tx) oldestSerials(at stored.StockKey, n int64, lot *api.ID) (out []*stored.Serial, err error) {
	prefix := stored.Join(at.Product[:], at.Location[:])
	err = stored.Serials.ScanIndex(c.Reader, "shelf", store.Prefix(prefix), func(s *stored.Serial) error {
		if int64(len(out)) == n {
			return store.ErrStop
		}
		for _, staged := range c.serials {
			if staged.ID == s.ID {
				s = staged
			}
		}

		if s.Pickable(at) && (lot == nil || s.LotID == *lot) {
			out = append(out, s)
		}

		return nil
	})

	return out, err
}

// GroupByLot groups serials by lot, in the order of their first serial.
func GroupByLot(list []*stored.Serial) (out []LotQuantity) {
	for _, s := range list {
		i := slices.IndexFunc(out, func(p LotQuantity) bool { return p.Lot == s.LotID })
		if i < 0 {
			out = append(out, LotQuantity{Lot: s.LotID})
			i = len(out) - 1
		}
		out[i].Quantity++
		out[i].Serials = append(out[i].Serials, s)
	}

	return out
}

// QuantityOf returns the quantity of a request: as given, or the number of named
// serials, or what is pending. Serials and a given quantity must agree.
func QuantityOf(quantity *int64, named []*stored.Serial, pending int64) (int64, error) {
	n := int64(len(named))
	switch {
	case quantity == nil && n > 0:
		return n, nil
	case quantity == nil:
		return pending, nil
	case n > 0 && n != *quantity:
		return 0, CountMismatch(n, *quantity)
	}

	return *quantity, nil
}

// CheckSerialCount checks that there is a serial for each unit, if there are any or the
// product is tracked by serial number.
func CheckSerialCount(p *stored.Product, serials int, quantity int64) error {
	if n := int64(serials); (n > 0 || p.Tracking == api.TrackSerial) && n != quantity {
		return CountMismatch(n, quantity)
	}
	return nil
}

// CountMismatch returns the error of serials that are not one per unit.
func CountMismatch(serials, quantity int64) error {
	return api.Fail(api.SerialCountMismatch, api.Details{"serials": serials, "quantity": quantity},
		"%d serial numbers for a quantity of %d. Provide one per unit.", serials, quantity)
}

// LocationCode returns the code of a location for messages.
func LocationCode(tx *stored.Tx, id api.ID) string {
	if ref := tx.PlaceRef(stored.Locations, id); ref != nil {
		return ref.Code
	}
	return id.String()
}
