package ledger

import (
	"slices"

	"bincard/server/api"
)

// A task is what one line does in a change of its outbound.
type task struct {
	line   int
	q      int64
	pieces []*piece
}

// handling reads what an allocate, pick or pack is about: the outbound, the
// lines that its product and lot leave, and the pieces it names.
func (c *change) handling(in *api.HandleOutboundInput) (doc *outbound, lines []int, named []*piece, err error) {
	if doc, err = c.openOutbound(in.OutboundID); err != nil {
		return nil, nil, nil, err
	}
	for i := range doc.Lines {
		if same(in.ProductID, doc.Lines[i].ProductID) {
			lines = append(lines, i)
		}
	}
	if len(lines) == 0 {
		return nil, nil, nil, missing("line of the product", "productId", in.ProductID)
	}
	if in.LotID != (api.ID{}) {
		if lines, err = c.linesOfLot(doc, lines, in.LotID); err != nil {
			return nil, nil, nil, err
		}
	}
	named, err = c.namedOf(doc, lines, in.SerialIDs, in.SerialNumbers)
	return doc, lines, named, err
}

// linesOfLot are the lines whose product the lot is of.
func (c *change) linesOfLot(doc *outbound, lines []int, id api.ID) (out []int, err error) {
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

// namedOf finds the pieces that an input names among the products of the lines.
func (c *change) namedOf(doc *outbound, lines []int, ids []api.ID, numbers []string) (out []*piece, err error) {
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
		if s, err := c.piece(id); err != nil {
			return nil, err
		} else if s != nil && by[s.ProductID] != nil {
			of = s.ProductID
		}
		by[of].ids = append(by[of].ids, id)
	}
	for _, n := range numbers {
		of, err := c.ownerOf(doc, order, n)
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
		list, err := c.named(p, by[id].ids, by[id].numbers)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// ownerOf is the product whose piece a serial number means: numbers are unique
// by product only, so one that the outbound holds comes first, then one in stock.
func (c *change) ownerOf(doc *outbound, order []api.ID, number string) (api.ID, error) {
	best, rank := order[0], 3
	for _, id := range order {
		s, err := c.piece(pieceID(c.p, id, number))
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

// plan spreads a quantity and the named pieces over the lines, in order:
// without a quantity as many as pieces are named, or all that is pending.
// It is empty when nothing is pending.
func plan(doc *outbound, lines []int, pending func(line int) int64, quantity *int64, named []*piece) ([]task, error) {
	all := int64(0)
	tasks := make([]task, 0, len(lines))
	for _, i := range lines {
		if q := pending(i); q > 0 {
			tasks = append(tasks, task{line: i})
			all += q
		}
	}
	n := int64(len(named))
	asked := n
	if quantity != nil {
		asked = *quantity
	}
	switch {
	case all == 0:
		return nil, nil
	case asked > all:
		return nil, api.Fail(api.QuantityExceedsPending, api.Details{"pending": all, "requested": asked},
			"Only %d are pending and %d were asked for. Ask for at most %d.", all, asked, all)
	case n > asked:
		return nil, countMismatch(n, asked)
	}
	if err := assign(doc, tasks, pending, named); err != nil {
		return nil, err
	}
	rest := asked - n
	if quantity == nil && n == 0 {
		rest = all
	}
	for k := range tasks {
		t := &tasks[k]
		t.q = int64(len(t.pieces))
		more := max(0, min(rest, pending(t.line)-t.q))
		t.q += more
		rest -= more
	}
	return slices.DeleteFunc(tasks, func(t task) bool { return t.q == 0 }), nil
}

// assign gives each piece to the line that has it, or to the first line of its
// product with room for it.
func assign(doc *outbound, tasks []task, pending func(line int) int64, named []*piece) error {
	var loose []*piece
	for _, s := range named {
		k := slices.IndexFunc(tasks, func(t task) bool { return doc.carries(t.line, s.ID) })
		if k < 0 {
			loose = append(loose, s)
			continue
		}
		tasks[k].pieces = append(tasks[k].pieces, s)
	}
	for _, s := range loose {
		k := slices.IndexFunc(tasks, func(t task) bool {
			return doc.Lines[t.line].ProductID == s.ProductID && int64(len(t.pieces)) < pending(t.line)
		})
		if k < 0 {
			return excess(doc, tasks, pending, named, s.ProductID)
		}
		tasks[k].pieces = append(tasks[k].pieces, s)
	}
	return nil
}

// excess is the error of naming more pieces of a product than are pending.
func excess(doc *outbound, tasks []task, pending func(line int) int64, named []*piece, product api.ID) error {
	room, asked := int64(0), int64(0)
	for _, t := range tasks {
		if doc.Lines[t.line].ProductID == product {
			room += pending(t.line)
		}
	}
	for _, s := range named {
		if s.ProductID == product {
			asked++
		}
	}
	return api.Fail(api.QuantityExceedsPending, api.Details{"pending": room, "requested": asked, "productId": product},
		"Only %d are pending of that product and %d of its pieces were named. Name at most %d.", room, asked, room)
}

// carries tells whether a line has the piece picked or packed.
func (o *outbound) carries(line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.ShippedAt == nil
	})
}
