package document

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// linesOfLot returns the lines that have the product of a lot.
func linesOfLot(c *posting.Tx, doc *stored.Outbound, lines []int, id api.ID) (out []int, err error) {
	l, err := stored.Lots.Shared(c.Reader, id[:])
	if err != nil {
		return nil, err
	}
	for _, i := range lines {
		if l != nil && doc.Lines[i].ProductID == l.ProductID {
			out = append(out, i)
		}
	}

	line := lines[0]
	if len(out) > 0 {
		line = out[0]
	}

	p, err := c.Product("productId", doc.Lines[line].ProductID)
	if err != nil {
		return nil, err
	}

	_, err = c.LotOf(p, id)

	return out, err
}

// serialsOnLines returns the named serials of the products of the lines.
func serialsOnLines(
	c *posting.Tx,
	doc *stored.Outbound,
	lines []int,
	in api.SerialChoice,
) (out []*stored.Serial, err error) {
	var products []api.ID
	named := map[api.ID]*api.SerialChoice{}
	for _, i := range lines {
		if id := doc.Lines[i].ProductID; named[id] == nil {
			named[id] = &api.SerialChoice{}
			products = append(products, id)
		}
	}

	for _, id := range in.SerialIDs {
		of := named[products[0]] // for the not-found error
		if s, err := c.Serial(id); err != nil {
			return nil, err
		} else if s != nil && named[s.ProductID] != nil {
			of = named[s.ProductID]
		}

		of.SerialIDs = append(of.SerialIDs, id)
	}

	for _, n := range in.SerialNumbers {
		product, err := productOfSerial(c, doc, products, n)
		if err != nil {
			return nil, err
		}
		of := named[product]
		of.SerialNumbers = append(of.SerialNumbers, n)
	}

	for _, id := range products {
		p, err := c.Product("productId", id)
		if err != nil {
			return nil, err
		}

		list, err := c.NamedSerials(p, *named[id])
		if err != nil {
			return nil, err
		}

		out = append(out, list...)
	}

	return out, nil
}

// checkSerials checks that the line holds its named serials as want says, and that they are of the
// lot, which may be zero.
func checkSerials(
	c *posting.Tx,
	doc *stored.Outbound,
	t lineQuantity,
	lot api.ID,
	held func(*stored.Serial) bool,
	want string,
) error {
	for _, s := range t.serials {
		if !held(s) {
			return c.SerialUnavailable(s, want)
		}
		if !stored.MatchesID(lot, s.LotID) {
			return c.CheckInStock(s, doc.StockKey(t.line), lot)
		}
	}

	return nil
}

// productOfSerial chooses the product of a serial number. Numbers are unique per
// product only: it prefers a serial that the outbound holds, then one in stock.
func productOfSerial(c *posting.Tx, doc *stored.Outbound, order []api.ID, number string) (api.ID, error) {
	best, rank := order[0], 3
	for _, id := range order {
		s, err := c.SerialByNumber(id, number)
		if err != nil {
			return best, err
		}

		r := 2
		switch {
		case s == nil:
			continue
		case s.Holder == doc.ID:
			r = 0
		case s.Status == api.InStock && s.Holder == api.NoID && s.LocationID == doc.LocationID:
			r = 1
		}

		if r < rank {
			best, rank = id, r
		}
	}

	return best, nil
}
