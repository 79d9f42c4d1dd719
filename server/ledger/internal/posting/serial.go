package posting

import (
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// NewSerials creates the serials of a receipt.
func (c *Tx) NewSerials(
	p *stored.Product,
	at stored.StockKey,
	lot api.ID,
	in []api.SerialInput,
) ([]*stored.Serial, error) {
	if err := checkDuplicateSerials(in); err != nil {
		return nil, err
	}

	var out []*stored.Serial
	for _, s := range in {
		old, err := c.SerialByNumber(p.ID, s.SerialNumber)
		if err != nil {
			return nil, err
		}
		if old != nil {
			return nil, api.Fail(api.SerialExists,
				api.Details{"serialId": old.ID, "serialNumber": old.SerialNumber, "status": old.Status},
				"%s already has serial number %s (%v). Check the label.", p.SKU, old.SerialNumber, old.Status)
		}

		number := api.CleanCode(s.SerialNumber)
		x := &stored.Serial{
			State:    stored.Available,
			Metadata: s.Metadata,
			Seq:      c.Entry.Seq,
			Serial: api.Serial{
				ID:           stored.SerialID(c.Partition, p.ID, number),
				SerialNumber: number,
				Status:       api.InStock,
				ProductID:    p.ID,
				LocationID:   at.Location,
				OwnerID:      at.Owner,
				ChannelID:    at.Channel,
				LotID:        lot,
			},
		}

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
		number := api.CleanCode(s.SerialNumber)
		if at, ok := first[number]; ok {
			p.Add(fmt.Sprintf("serials[%d].serialNumber", i), "distinct",
				"is %s, the same as serials[%d]; serial numbers must be unique", number, at)
			continue
		}

		first[number] = i
	}

	return p.Err()
}

// Serial reads a serial within the write; it returns nil if the serial does not exist.
func (c *Tx) Serial(id api.ID) (*stored.Serial, error) {
	for _, s := range c.serials {
		if s.ID == id {
			return s, nil
		}
	}

	return stored.Serials.Get(c.Reader, id[:])
}

// SerialByNumber reads a product's serial within the write; it returns nil if the product
// has none with the number.
func (c *Tx) SerialByNumber(product api.ID, number string) (s *stored.Serial, err error) {
	for _, spelling := range stored.Spellings(number) {
		if s, err = c.Serial(stored.SerialID(c.Partition, product, spelling)); s != nil || err != nil {
			break
		}
	}
	return s, err
}

// UpdateSerial changes a serial and updates the serial counts of its balances.
func (c *Tx) UpdateSerial(s *stored.Serial, change func(*stored.Serial)) error {
	if !slices.Contains(c.serials, s) {
		c.serials = append(c.serials, s)
	}
	if err := c.countSerial(s, -1); err != nil {
		return err
	}
	change(s)
	return c.countSerial(s, +1)
}

// UpdateSerials changes the serials of parts.
func (c *Tx) UpdateSerials(parts []LotQuantity, change func(*stored.Serial)) error {
	for _, part := range parts {
		for _, s := range part.Serials {
			if err := c.UpdateSerial(s, change); err != nil {
				return err
			}
		}
	}

	return nil
}

func (c *Tx) countSerial(s *stored.Serial, n int64) error {
	if !s.OnHand() || !c.Locations.Has(s.LocationID) {
		return nil
	}

	b, err := c.BalanceAt(s.StockKey())
	if err != nil {
		return err
	}

	b.Serials += n
	b.Changed = true

	return nil
}

// serialIndexes returns the indexes of serials in the journal entry, adding them if needed.
func (c *Tx) serialIndexes(list []*stored.Serial) []int {
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

// SerialState returns the state that a serial counts in: for serials, reserved and
// committed count as available.
func SerialState(state int) int {
	if state == stored.Reserved || state == stored.Committed {
		return stored.Available
	}
	return state
}
