package ledger

import (
	"slices"

	"bincard/server/api"
)

// A lineQuantity is what one line does in a change of its outbound.
type lineQuantity struct {
	line    int
	q       int64
	serials []*serial
}

// planLines spreads a quantity and the named pieces over the lines, in order:
// without a quantity as many as pieces are named, or all that is pending.
// It is empty when nothing is pending.
func planLines(doc *outbound, lines []int, pending func(line int) int64, quantity *int64, named []*serial) ([]lineQuantity, error) {
	all := int64(0)
	tasks := make([]lineQuantity, 0, len(lines))
	for _, i := range lines {
		if q := pending(i); q > 0 {
			tasks = append(tasks, lineQuantity{line: i})
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
			"Only %d pending, but %d requested. Request at most %d.", all, asked, all)
	case n > asked:
		return nil, countMismatch(n, asked)
	}
	if err := assignSerials(doc, tasks, pending, named); err != nil {
		return nil, err
	}
	rest := asked - n
	if quantity == nil && n == 0 {
		rest = all
	}
	for k := range tasks {
		t := &tasks[k]
		t.q = int64(len(t.serials))
		more := max(0, min(rest, pending(t.line)-t.q))
		t.q += more
		rest -= more
	}
	return slices.DeleteFunc(tasks, func(t lineQuantity) bool { return t.q == 0 }), nil
}

// assignSerials gives each piece to the line that has it, or to the first line of its
// product with room for it.
func assignSerials(doc *outbound, tasks []lineQuantity, pending func(line int) int64, named []*serial) error {
	var loose []*serial
	for _, s := range named {
		k := slices.IndexFunc(tasks, func(t lineQuantity) bool { return doc.hasSerial(t.line, s.ID) })
		if k < 0 {
			loose = append(loose, s)
			continue
		}
		tasks[k].serials = append(tasks[k].serials, s)
	}
	for _, s := range loose {
		k := slices.IndexFunc(tasks, func(t lineQuantity) bool {
			return doc.Lines[t.line].ProductID == s.ProductID && int64(len(t.serials)) < pending(t.line)
		})
		if k < 0 {
			return excessSerials(doc, tasks, pending, named, s.ProductID)
		}
		tasks[k].serials = append(tasks[k].serials, s)
	}
	return nil
}

// excessSerials is the error of naming more pieces of a product than are pending.
func excessSerials(doc *outbound, tasks []lineQuantity, pending func(line int) int64, named []*serial, product api.ID) error {
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
		"Only %d of that product pending, but %d serials named. Name at most %d.", room, asked, room)
}

// hasSerial tells whether a line has the piece picked or packed.
func (o *outbound) hasSerial(line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.ShippedAt == nil
	})
}
