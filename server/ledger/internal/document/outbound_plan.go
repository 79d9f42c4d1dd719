package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// planLines distributes a quantity, the named serials and the named lots over the lines
// in order. Without a quantity it uses what is named, or everything that is pending. It
// returns nothing if nothing is pending.
func planLines(h *handling, pending func(line int) int64) ([]lineQuantity, error) {
	doc, lines, quantity, named := h.doc, h.lines, h.quantity, h.named
	all := int64(0)
	tasks := make([]lineQuantity, 0, len(lines))
	for _, i := range lines {
		if q := pending(i); q > 0 {
			tasks = append(tasks, lineQuantity{line: i})
			all += q
		}
	}

	n := int64(len(named))
	for _, l := range h.lots {
		n += l.quantity
	}

	requested := n
	if quantity != nil {
		requested = *quantity
	}

	switch {
	case all == 0:
		return nil, nil
	case requested > all:
		return nil, api.Fail(api.QuantityExceedsPending, api.Details{"pending": all, "requested": requested},
			"Only %d pending, but %d requested. Request at most %d.", all, requested, all)
	case n > requested:
		return nil, posting.CountMismatch(n, requested)
	}

	if err := assignSerials(doc, tasks, pending, named); err != nil {
		return nil, err
	}
	for _, l := range h.lots {
		if err := assignLot(h, tasks, pending, l); err != nil {
			return nil, err
		}
	}

	rest := requested - n
	if quantity == nil && n == 0 {
		rest = all
	}

	for k := range tasks {
		t := &tasks[k]
		t.q = t.named()
		more := max(0, min(rest, pending(t.line)-t.q))
		t.q += more
		rest -= more
	}

	return slices.DeleteFunc(tasks, func(t lineQuantity) bool { return t.q == 0 }), nil
}

// assignSerials assigns each serial to the line that has it, or else to the first
// line of its product with a pending quantity left.
func assignSerials(
	doc *stored.Outbound,
	tasks []lineQuantity,
	pending func(line int) int64,
	named []*stored.Serial,
) error {
	var unassigned []*stored.Serial
	for _, s := range named {
		k := slices.IndexFunc(tasks, func(t lineQuantity) bool { return hasSerial(doc, t.line, s.ID) })
		if k < 0 {
			unassigned = append(unassigned, s)
			continue
		}
		tasks[k].serials = append(tasks[k].serials, s)
	}

	for _, s := range unassigned {
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

// excessSerials returns the error of naming more serials of a product than are pending.
func excessSerials(
	doc *stored.Outbound,
	tasks []lineQuantity,
	pending func(line int) int64,
	named []*stored.Serial,
	product api.ID,
) error {
	total, count := int64(0), int64(0)
	for _, t := range tasks {
		if doc.Lines[t.line].ProductID == product {
			total += pending(t.line)
		}
	}

	for _, s := range named {
		if s.ProductID == product {
			count++
		}
	}

	return api.Fail(api.QuantityExceedsPending, api.Details{"pending": total, "requested": count, "productId": product},
		"Only %d of that product pending, but %d serials specified. Specify at most %d.", total, count, total)
}

// hasSerial reports whether a line has picked or packed the serial.
func hasSerial(o *stored.Outbound, line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.ShippedAt == nil
	})
}
