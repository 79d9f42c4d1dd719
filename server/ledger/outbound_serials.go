package ledger

import "bincard/server/api"

// readHandling reads what an allocate, pick or pack is about: the outbound, the
// lines that its product and lot leave, and the pieces it names.
func (c *writeTx) readHandling(in *api.HandleOutboundInput) (doc *outbound, lines []int, named []*serial, err error) {
	if doc, err = c.openOutbound(in.OutboundID); err != nil {
		return nil, nil, nil, err
	}
	for i := range doc.Lines {
		if matchesID(in.ProductID, doc.Lines[i].ProductID) {
			lines = append(lines, i)
		}
	}
	if len(lines) == 0 {
		return nil, nil, nil, notFound("line for product", "productId", in.ProductID)
	}
	if in.LotID != (api.ID{}) {
		if lines, err = c.linesOfLot(doc, lines, in.LotID); err != nil {
			return nil, nil, nil, err
		}
	}
	named, err = c.serialsOnLines(doc, lines, in.SerialIDs, in.SerialNumbers)
	return doc, lines, named, err
}

// linesOfLot are the lines whose product the lot is of.
func (c *writeTx) linesOfLot(doc *outbound, lines []int, id api.ID) (out []int, err error) {
	l, err := lots.Shared(c.r, id[:])
	if err != nil {
		return nil, err
	}
	for _, i := range lines {
		if l != nil && doc.Lines[i].ProductID == l.ProductID {
			out = append(out, i)
		}
	}
	of := lines[0]
	if len(out) > 0 {
		of = out[0]
	}
	p, err := c.product("productId", doc.Lines[of].ProductID)
	if err != nil {
		return nil, err
	}
	_, err = c.lotOf(p, id)
	return out, err
}

// serialsOnLines finds the pieces that an input names among the products of the lines.
func (c *writeTx) serialsOnLines(doc *outbound, lines []int, ids []api.ID, numbers []string) (out []*serial, err error) {
	type names struct {
		ids     []api.ID
		numbers []string
	}
	var order []api.ID
	by := map[api.ID]*names{}
	for _, i := range lines {
		if id := doc.Lines[i].ProductID; by[id] == nil {
			by[id] = &names{}
			order = append(order, id)
		}
	}
	for _, id := range ids {
		of := order[0] // whose lack of the piece is then the error
		if s, err := c.serial(id); err != nil {
			return nil, err
		} else if s != nil && by[s.ProductID] != nil {
			of = s.ProductID
		}
		by[of].ids = append(by[of].ids, id)
	}
	for _, n := range numbers {
		of, err := c.productOfSerial(doc, order, n)
		if err != nil {
			return nil, err
		}
		by[of].numbers = append(by[of].numbers, n)
	}
	for _, id := range order {
		p, err := c.product("productId", id)
		if err != nil {
			return nil, err
		}
		list, err := c.namedSerials(p, by[id].ids, by[id].numbers)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// productOfSerial is the product whose piece a serial number means: numbers are unique
// by product only, so one that the outbound holds comes first, then one in stock.
func (c *writeTx) productOfSerial(doc *outbound, order []api.ID, number string) (api.ID, error) {
	best, rank := order[0], 3
	for _, id := range order {
		s, err := c.serial(serialID(c.p, id, number))
		if err != nil {
			return best, err
		}
		r := 2
		switch {
		case s == nil:
			continue
		case s.Holder == doc.ID:
			r = 0
		case s.Status == api.InStock && s.Holder == (api.ID{}) && s.LocationID == doc.LocationID:
			r = 1
		}
		if r < rank {
			best, rank = id, r
		}
	}
	return best, nil
}
