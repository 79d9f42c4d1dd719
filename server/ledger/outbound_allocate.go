package ledger

import (
	"encoding/binary"
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// createOutbound creates an outbound, and allocates what is available to each line in turn.
func (c *writeTx) createOutbound(in *api.CreateOutboundInput) error {
	lines, field := in.Lines, func(i int) string { return fmt.Sprintf("lines[%d].productId", i) }
	if len(lines) == 0 {
		lines = []api.OutboundLineInput{{ProductID: in.ProductID, RequestedQuantity: *in.RequestedQuantity}}
		field = func(int) string { return "productId" }
	}
	sum := int64(0)
	for i, l := range lines {
		if _, err := c.ActiveProduct(field(i), l.ProductID); err != nil {
			return err
		}
		sum += l.RequestedQuantity
	}
	if sum > api.MaxQuantity {
		return api.Fail(api.QuantityTooLarge, api.Details{"requested": sum},
			"The lines request %d in total; an outbound can have at most %d. Split it.", sum, int64(api.MaxQuantity))
	}
	at, err := c.StockKeyOf(lines[0].ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	if len(lines) == 1 {
		if err := c.matchBalance(at); err != nil {
			return err
		}
	}
	doc := &stored.Outbound{Revision: journal.Revision{Seq: c.entry.Seq}, Holds: make([][]stored.Hold, len(lines)), Outbound: api.Outbound{ID: c.newID("outbound"), ProductID: at.Product,
		LocationID: at.Location, OwnerID: at.Owner, ChannelID: at.Channel, CustomerName: in.CustomerName,
		ExternalOrderType: in.ExternalOrderType, ExternalOrderID: in.ExternalOrderID, ReferenceType: in.ReferenceType,
		ReferenceID: in.ReferenceID, ExpectedShipAt: in.ExpectedShipAt, Metadata: in.Metadata,
		CreatedBy: c.entry.Operator, Actor: c.entry.Actor, CreatedAt: c.Now}}
	for i, l := range lines {
		doc.Lines = append(doc.Lines, api.OutboundLine{ID: journal.Derive(c.Partition, "outboundLine", doc.ID[:], binary.AppendUvarint(nil, uint64(i))),
			OutboundID: doc.ID, ProductID: l.ProductID,
			LocationID: at.Location, OwnerID: at.Owner, ChannelID: at.Channel, Progress: api.Progress{RequestedQuantity: l.RequestedQuantity},
			Serials: []api.OutboundLineSerial{}, CreatedAt: c.Now, UpdatedAt: c.Now})
		if _, err := c.allocateSome(doc, i, l.RequestedQuantity, lotPolicy{skipExpired: true}); err != nil {
			return err
		}
	}
	return c.saveOutbound(doc)
}

// allocateSome allocates up to q to a line and returns how much.
func (c *writeTx) allocateSome(doc *stored.Outbound, line int, q int64, policy lotPolicy) (int64, error) {
	free, err := c.pickable(doc.StockKey(line), available, policy)
	if err != nil {
		return 0, err
	}
	if q = min(q, free); q == 0 {
		return 0, nil
	}
	parts, err := c.pickLots(doc.StockKey(line), available, q, policy)
	if err != nil {
		return 0, err
	}
	return q, c.allocate(doc, line, parts)
}

// allocate commits the given stock to a line.
func (c *writeTx) allocate(doc *stored.Outbound, line int, parts []lotQuantity) error {
	if err := c.post(outboundAllocate, doc.StockKey(line), parts, nil); err != nil {
		return err
	}
	for _, part := range parts {
		doc.Hold(line, part.Lot).Allocated += part.Quantity
	}
	doc.AllocatedAt, doc.Lines[line].UpdatedAt = &c.Now, c.Now
	return nil
}

// allocateOutbound allocates what is pending: without a quantity as much as is
// available, with one all of it or nothing. Named serials only select the lots; they
// are bound to the outbound when picked.
func (c *writeTx) allocateOutbound(in *api.HandleOutboundInput) error {
	doc, lines, named, err := c.readHandling(in)
	if err != nil {
		return err
	}
	pending := func(i int) int64 { return doc.Lines[i].PendingAllocationQuantity }
	tasks, err := planLines(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"All %d requested are already allocated.", doc.AllocatedQuantity)
	}
	allocated, policy := int64(0), lotPolicy{lot: in.LotID, skipExpired: true}
	for _, t := range tasks {
		n, err := c.allocateLine(doc, t, policy, in.Quantity != nil)
		if err != nil {
			return err
		}
		allocated += n
	}
	if allocated == 0 {
		return c.lineShortage(doc, tasks[0], policy)
	}
	return c.saveOutbound(doc)
}

// allocateLine allocates to one line; if whole is set, all of the quantity or an error.
func (c *writeTx) allocateLine(doc *stored.Outbound, t lineQuantity, policy lotPolicy, whole bool) (int64, error) {
	at := doc.StockKey(t.line)
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return 0, err
	}
	if policy.lot != (api.ID{}) {
		if err := c.checkLotUsable(p, at, policy.lot, t.q); err != nil {
			return 0, err
		}
	}
	if len(t.serials) == 0 {
		n, err := c.allocateSome(doc, t.line, t.q, policy)
		if err == nil && whole && n < t.q {
			t.q -= n
			err = c.lineShortage(doc, t, policy)
		}
		return n, err
	}
	if n := int64(len(t.serials)); n != t.q {
		return 0, countMismatch(n, t.q)
	}
	for _, s := range t.serials {
		if err := c.checkInStock(s, at, policy.lot); err != nil {
			return 0, err
		}
		if s.LotID != (api.ID{}) {
			if err := c.checkLotUsable(p, at, s.LotID, 1); err != nil {
				return 0, err
			}
		}
	}
	return t.q, c.allocate(doc, t.line, groupByLot(t.serials))
}

// lineShortage returns the error of a line that cannot get what it needs.
func (c *writeTx) lineShortage(doc *stored.Outbound, t lineQuantity, policy lotPolicy) error {
	at := doc.StockKey(t.line)
	free, err := c.pickable(at, available, policy)
	if err != nil {
		return err
	}
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	allocated := allocatedNow(doc, t.line) - doc.Lines[t.line].AllocatedQuantity
	return c.shortage(b, available, free+allocated, t.q+allocated, policy)
}

// allocatedNow returns what the line has allocated, including the current write.
func allocatedNow(o *stored.Outbound, line int) (q int64) {
	for _, h := range o.Holds[line] {
		q += h.Allocated
	}
	return q
}
