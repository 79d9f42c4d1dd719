package ledger

import (
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// newSerials creates the serials of a receipt.
func (c *writeTx) newSerials(p *stored.Product, at stored.StockKey, lot api.ID, in []api.SerialInput) ([]*stored.Serial, error) {
	if err := checkDuplicateSerials(in); err != nil {
		return nil, err
	}
	var out []*stored.Serial
	for _, s := range in {
		s.SerialNumber = strings.TrimSpace(s.SerialNumber)
		id := stored.SerialID(c.Partition, p.ID, s.SerialNumber)
		old, err := c.serial(id)
		if err != nil {
			return nil, err
		}
		if old != nil {
			return nil, api.Fail(api.SerialExists, api.Details{"serialId": id, "serialNumber": s.SerialNumber, "status": old.Status},
				"%s already has serial number %s (%v). Check the label.", p.SKU, s.SerialNumber, old.Status)
		}
		x := &stored.Serial{State: available, Metadata: s.Metadata, Seq: c.entry.Seq, Serial: api.Serial{ID: id, SerialNumber: s.SerialNumber,
			Status: api.InStock, ProductID: p.ID, LocationID: at.Location, OwnerID: at.Owner, ChannelID: at.Channel, LotID: lot}}
		c.serials = append(c.serials, x)
		if err := c.countSerial(x, +1); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// checkDuplicateSerials rejects duplicate serial numbers in a request.
func checkDuplicateSerials(in []api.SerialInput) error {
	var p api.Problems
	first := make(map[string]int, len(in))
	for i, s := range in {
		number := strings.TrimSpace(s.SerialNumber)
		if at, ok := first[number]; ok {
			p.Add(fmt.Sprintf("serials[%d].serialNumber", i), "distinct", "is %s, the same as serials[%d]; serial numbers must be unique", number, at)
			continue
		}
		first[number] = i
	}
	return p.Err()
}

// serial reads a serial within the write; it returns nil when there is none.
func (c *writeTx) serial(id api.ID) (*stored.Serial, error) {
	for _, s := range c.serials {
		if s.ID == id {
			return s, nil
		}
	}
	return stored.Serials.Get(c.Reader, id[:])
}

// updateSerial changes a serial and updates the serial counts of its balances.
func (c *writeTx) updateSerial(s *stored.Serial, change func(*stored.Serial)) error {
	if !slices.Contains(c.serials, s) {
		c.serials = append(c.serials, s)
	}
	if err := c.countSerial(s, -1); err != nil {
		return err
	}
	change(s)
	return c.countSerial(s, +1)
}

func (c *writeTx) countSerial(s *stored.Serial, n int64) error {
	if !s.OnHand() {
		return nil
	}
	b, err := c.balance(s.StockKey())
	if err != nil {
		return err
	}
	b.Serials += n
	b.Changed = true
	return nil
}

// checkSerialCounts checks that a balance has no more serials on hand than stock, and
// exactly as many for a serial-tracked product.
func (c *writeTx) checkSerialCounts(b *stored.Balance) error {
	if !b.Changed {
		return nil
	}
	p, err := stored.Products.Shared(c.Reader, b.Key.Product[:])
	if err != nil || p == nil {
		return err
	}
	if b.Serials > b.Q[onHand] || p.Tracking == api.TrackSerial && b.Serials != b.Q[onHand] {
		advice := api.Text("Name one serial number per unit.")
		if spec := c.req.Spec; spec != nil && spec.Direction == api.DirectionEither {
			advice = api.Text("Receive or write off the units by serial number instead.")
		}
		return api.Fail(api.SerialCountMismatch, c.withBalance(b, api.Details{"serials": b.Serials, "onHand": b.Q[onHand]}),
			"%v: this would leave %d on hand, but %d with a serial number. %v", c.DescribeStockKey(b.Key.StockKey), b.Q[onHand], b.Serials, advice)
	}
	return nil
}

// namedSerials finds the serials that a request names by id or number, without duplicates.
func (c *writeTx) namedSerials(p *stored.Product, ids []api.ID, numbers []string) ([]*stored.Serial, error) {
	all := slices.Clone(ids)
	for _, n := range numbers {
		all = append(all, stored.SerialID(c.Partition, p.ID, n))
	}
	var out []*stored.Serial
	for i, id := range all {
		s, err := c.serial(id)
		if err != nil {
			return nil, err
		}
		if s == nil || s.ProductID != p.ID {
			name := id.String()
			if i >= len(ids) {
				name = numbers[i-len(ids)]
			}
			return nil, api.Fail(api.SerialNotAvailable, api.Details{"serial": name, "productId": p.ID, "sku": p.SKU},
				"%s has no serial number %s. Check the label, or receive it first.", p.SKU, name)
		}
		// Compare ids: each read of a serial returns another copy.
		if !slices.ContainsFunc(out, func(x *stored.Serial) bool { return x.ID == s.ID }) {
			out = append(out, s)
		}
	}
	return out, nil
}

// serialUnavailable returns the error of a serial whose location or status does not fit.
func (c *writeTx) serialUnavailable(s *stored.Serial, want string) error {
	code := s.LocationID.String()
	if ref := c.PlaceRef(stored.Locations, s.LocationID); ref != nil {
		code = ref.Code
	}
	return api.Fail(api.SerialNotAvailable, api.Details{"serialId": s.ID, "serialNumber": s.SerialNumber, "status": s.Status,
		"locationId": s.LocationID, "locationCode": code, "inventoryState": api.States[s.State]},
		"Serial %s is %v at %s (%v); it must be %v.", s.SerialNumber, s.Status, code, api.States[s.State].Title(), api.Text(want))
}

// oldestSerials returns up to n serials in stock, oldest first, of one lot if lot is
// not nil.
func (c *writeTx) oldestSerials(at stored.StockKey, n int64, lot *api.ID) (out []*stored.Serial, err error) {
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
		if s.StockKey() == at && s.Status == api.InStock && s.State == available && s.Holder == (api.ID{}) && (lot == nil || s.LotID == *lot) {
			out = append(out, s)
		}
		return nil
	})
	return out, err
}

// groupByLot groups serials by lot, in the order of their first serial.
func groupByLot(list []*stored.Serial) (out []lotQuantity) {
	for _, s := range list {
		i := slices.IndexFunc(out, func(p lotQuantity) bool { return p.Lot == s.LotID })
		if i < 0 {
			out = append(out, lotQuantity{Lot: s.LotID})
			i = len(out) - 1
		}
		out[i].Quantity++
		out[i].Serials = append(out[i].Serials, s)
	}
	return out
}

// quantityOf returns the quantity of a request: as given, or the number of named
// serials, or what is pending. Serials and a given quantity must agree.
func quantityOf(quantity *int64, named []*stored.Serial, pending int64) (int64, error) {
	n := int64(len(named))
	switch {
	case quantity == nil && n > 0:
		return n, nil
	case quantity == nil:
		return pending, nil
	case n > 0 && n != *quantity:
		return 0, countMismatch(n, *quantity)
	}
	return *quantity, nil
}

func countMismatch(serials, quantity int64) error {
	return api.Fail(api.SerialCountMismatch, api.Details{"serials": serials, "quantity": quantity},
		"%d serial numbers for a quantity of %d. Provide one per unit.", serials, quantity)
}

// serialIndexes returns the indexes of serials in the journal entry, adding them if needed.
func (c *writeTx) serialIndexes(list []*stored.Serial) []int {
	if len(list) == 0 {
		return nil
	}
	out := make([]int, len(list))
	for i, s := range list {
		at := slices.Index(c.serials, s)
		if at < 0 {
			at = len(c.serials)
			c.serials = append(c.serials, s)
		}
		out[i] = at
	}
	return out
}

// saveSerials writes the serials of the write, also to the journal entry.
func (c *writeTx) saveSerials() error {
	for _, s := range c.serials {
		if err := stored.Serials.Put(c.tx, s); err != nil {
			return err
		}
		c.entry.Serials = append(c.entry.Serials, s.Serial)
	}
	return nil
}
