package document

import (
	"cmp"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// allocateSome allocates up to q to a line and returns how much.
func allocateSome(c *posting.Tx, doc *stored.Outbound, line int, q int64, policy posting.LotPolicy) (int64, error) {
	free, err := c.Pickable(doc.StockKey(line), stored.Available, policy)
	if err != nil {
		return 0, err
	}
	if q = min(q, free); q == 0 {
		return 0, nil
	}

	parts, err := c.PickLots(doc.StockKey(line), stored.Available, q, policy)
	if err != nil {
		return 0, err
	}

	return q, allocate(c, doc, line, parts)
}

// allocate commits the given stock to a line.
func allocate(c *posting.Tx, doc *stored.Outbound, line int, parts []posting.LotQuantity) error {
	if err := c.Post(posting.OutboundAllocate, doc.StockKey(line), parts, nil); err != nil {
		return err
	}
	for _, part := range parts {
		doc.Hold(line, part.Lot).Allocated += part.Quantity
	}
	doc.AllocatedAt, doc.Lines[line].UpdatedAt = &c.Now, c.Now
	return nil
}

// AllocateOutbound allocates what is pending: without a quantity as much as is
// available, with one all of it or nothing. Named serials only select the lots; they
// are bound to the outbound when picked.
func AllocateOutbound(c *posting.Tx, in *api.HandleOutboundInput) error {
	h, err := readHandling(c, in)
	if err != nil {
		return err
	}

	doc := h.doc
	pending := func(i int) int64 { return doc.Lines[i].PendingAllocationQuantity }
	tasks, err := planLines(h, pending)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"All %d requested are already allocated.", doc.AllocatedQuantity)
	}

	allocated, policy := int64(0), posting.LotPolicy{Lot: in.LotID, SkipExpired: true}
	for _, t := range tasks {
		n, err := allocateLine(c, doc, t, policy, in.Quantity != nil)
		if err != nil {
			return err
		}
		allocated += n
	}

	if allocated == 0 {
		return lineShortage(c, doc, tasks[0], policy)
	}

	return saveOutbound(c, doc)
}

// maxAllocated is how many outbounds a write may allocate to.
const maxAllocated = 100

// AllocateOutbounds allocates what is available to the outbounds that wait for it. Each is a part
// of the write; the entry of the write itself has the answer.
func AllocateOutbounds(c *posting.Tx, in *api.AllocateOutboundsInput) error {
	out := &api.AllocateOutboundsResult{
		ProductID:  in.ProductID,
		LocationID: in.LocationID,
		Items:      []api.AllocatedOutbound{},
	}

	if out.ProductID != api.NoID {
		if _, err := c.Product("productId", out.ProductID); err != nil {
			return err
		}
	}
	if out.LocationID != api.NoID {
		if _, err := c.StockKeyOf(api.StockKey{LocationID: out.LocationID}); err != nil {
			return err
		}
	}

	docs, err := c.WaitingOutbounds(out.ProductID, out.LocationID)
	if err != nil {
		return err
	}

	empty := map[stored.StockKey]bool{}
	for _, doc := range docs {
		if err := allocateWaiting(c, doc, empty, out); err != nil {
			return err
		}
		if out.More {
			break
		}
	}

	return c.SetDocument(out)
}

// allocateWaiting allocates to an outbound that waits, unless the answer is full. empty has the
// stock keys with nothing left.
func allocateWaiting(
	c *posting.Tx,
	doc *stored.Outbound,
	empty map[stored.StockKey]bool,
	out *api.AllocateOutboundsResult,
) error {
	part, sum := c.Part(api.AllocateOutbound.Spec, doc.ID), int64(0)
	for i := range doc.Lines {
		at, pending := doc.StockKey(i), doc.Lines[i].PendingAllocationQuantity
		if pending == 0 || empty[at] || !stored.MatchesID(out.ProductID, at.Product) {
			continue
		}
		n, err := allocateSome(part, doc, i, pending, posting.LotPolicy{SkipExpired: true})
		if err != nil {
			return err
		}
		empty[at] = n < pending
		sum += n
	}

	if out.More = sum > 0 && len(out.Items) == maxAllocated; out.More || sum == 0 {
		return nil
	}
	if err := saveOutbound(part, doc); err != nil {
		return err
	}

	out.Items = append(out.Items, api.AllocatedOutbound{
		ID:                        doc.ID,
		LocationID:                doc.LocationID,
		Reference:                 cmp.Or(doc.References()...),
		Quantity:                  sum,
		PendingAllocationQuantity: doc.PendingAllocationQuantity,
	})

	return c.SavePart(part)
}

// allocateLine allocates to one line; if whole is set, all of the quantity or an error.
func allocateLine(
	c *posting.Tx,
	doc *stored.Outbound,
	t lineQuantity,
	policy posting.LotPolicy,
	whole bool,
) (int64, error) {
	at := doc.StockKey(t.line)
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return 0, err
	}
	if policy.Lot != api.NoID {
		if err := c.CheckLotUsable(p, at, policy.Lot, t.q); err != nil {
			return 0, err
		}
	}

	if len(t.serials) == 0 {
		n, err := allocateSome(c, doc, t.line, t.q, policy)
		if err == nil && whole && n < t.q {
			t.q -= n
			err = lineShortage(c, doc, t, policy)
		}
		return n, err
	}

	if n := int64(len(t.serials)); n != t.q {
		return 0, posting.CountMismatch(n, t.q)
	}

	for _, s := range t.serials {
		if err := c.CheckInStock(s, at, policy.Lot); err != nil {
			return 0, err
		}
		if s.LotID != api.NoID {
			if err := c.CheckLotUsable(p, at, s.LotID, 1); err != nil {
				return 0, err
			}
		}
	}

	return t.q, allocate(c, doc, t.line, posting.GroupByLot(t.serials))
}

// lineShortage returns the error of a line that cannot get what it needs.
func lineShortage(c *posting.Tx, doc *stored.Outbound, t lineQuantity, policy posting.LotPolicy) error {
	at := doc.StockKey(t.line)
	free, err := c.Pickable(at, stored.Available, policy)
	if err != nil {
		return err
	}

	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}

	allocated := allocatedNow(doc, t.line) - doc.Lines[t.line].AllocatedQuantity

	return c.Shortage(b, stored.Available, free+allocated, t.q+allocated, policy)
}

// allocatedNow returns what the line has allocated, including the current write.
func allocatedNow(o *stored.Outbound, line int) (q int64) {
	for _, h := range o.Holds[line] {
		q += h.Allocated
	}
	return q
}
