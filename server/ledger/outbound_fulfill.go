package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// fulfillOutbound issues allocated stock, whether picked and packed or not; its
// picked and packed quantities rise accordingly.
func (c *writeTx) fulfillOutbound(in *api.FulfillOutboundInput) error {
	doc, err := c.openOutbound(in.OutboundID)
	if err != nil {
		return err
	}
	if err := c.checkOwner(doc, in); err != nil {
		return err
	}
	lines := make([]int, len(doc.Lines))
	for i := range lines {
		lines[i] = i
	}
	named, err := c.serialsOnLines(doc, lines, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	pending := func(i int) int64 { return doc.Lines[i].PendingFulfillmentQuantity }
	tasks, err := planLines(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to fulfill: %d requested, %d allocated, %d fulfilled. Allocate more when stock is available.",
			doc.RequestedQuantity, doc.AllocatedQuantity, doc.FulfilledQuantity)
	}
	c.entry.Reason, c.entry.Metadata = in.Reason, in.Metadata
	for _, t := range tasks {
		if err := c.fulfill(doc, t); err != nil {
			return err
		}
	}
	doc.FulfilledAt = &c.Now
	return c.saveOutbound(doc)
}

// checkOwner checks that the owner and channel in the request match the outbound.
func (c *writeTx) checkOwner(doc *stored.Outbound, in *api.FulfillOutboundInput) error {
	if !stored.MatchesID(in.OwnerID, doc.OwnerID) {
		return api.Fail(api.OwnerMismatch, api.Details{"ownerId": doc.OwnerID, "requested": in.OwnerID},
			"The outbound belongs to owner %s, not %s. Omit ownerId to use the outbound's owner.", doc.OwnerID, in.OwnerID)
	}
	if !stored.MatchesID(in.ChannelID, doc.ChannelID) {
		return api.Fail(api.ChannelMismatch, api.Details{"channelId": doc.ChannelID, "requested": in.ChannelID},
			"The outbound belongs to channel %s, not %s. Omit channelId to use the outbound's channel.", doc.ChannelID, in.ChannelID)
	}
	return nil
}

// fulfill issues the quantity of one line.
func (c *writeTx) fulfill(doc *stored.Outbound, t lineQuantity) error {
	at := doc.StockKey(t.line)
	list, err := c.outgoingSerials(doc, t)
	if err != nil {
		return err
	}
	parts := groupByLot(list)
	if err := c.advance(doc, t.line, fulfilling, parts); err != nil {
		return err
	}
	parts = fulfillUnserialized(doc, t.line, parts, t.q-int64(len(list)))
	if err := c.post(outboundFulfill, at, parts, nil); err != nil {
		return err
	}
	for _, s := range list {
		if err := c.updateSerial(s, func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.ID{} }); err != nil {
			return err
		}
		c.lineSerial(doc, t.line, s).ShippedAt = &c.Now
	}
	doc.Lines[t.line].UpdatedAt = c.Now
	if err := c.raiseProgress(doc, t.line); err != nil {
		return err
	}
	dropEmptyHolds(doc, t.line)
	return nil
}

// outgoingSerials returns the serials to issue: those named, then packed ones, then
// picked ones. For serial-tracked products, and when serials are named, there must be
// one per unit.
func (c *writeTx) outgoingSerials(doc *stored.Outbound, t lineQuantity) ([]*stored.Serial, error) {
	at, list := doc.StockKey(t.line), t.serials
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return nil, err
	}
	for _, s := range t.serials {
		if hasSerial(doc, t.line, s.ID) {
			continue
		}
		if err := c.checkInStock(s, at, api.ID{}); err != nil {
			return nil, err
		}
	}
	for _, packed := range []bool{true, false} {
		for _, x := range doc.Lines[t.line].Serials {
			if x.ShippedAt != nil || (x.PackedAt != nil) != packed || int64(len(list)) == t.q ||
				slices.ContainsFunc(list, func(s *stored.Serial) bool { return s.ID == x.SerialID }) {
				continue
			}
			s, err := c.serial(x.SerialID)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	if n := int64(len(list)); n < t.q && (len(t.serials) > 0 || p.Tracking == api.TrackSerial) {
		return nil, api.Fail(api.SerialCountMismatch, api.Details{"serials": n, "quantity": t.q, "productId": p.ID, "sku": p.SKU, "lineId": doc.Lines[t.line].ID},
			"%v: %d serials named or picked for a quantity of %d. Name one serial number per unit.", c.DescribeStockKey(at), n, t.q)
	}
	return list, nil
}

// fulfillUnserialized fulfills q without serial numbers from the holds of a line,
// packed before picked before allocated, and adds it to parts.
func fulfillUnserialized(o *stored.Outbound, line int, parts []lotQuantity, q int64) []lotQuantity {
	levels := []func(*stored.Hold) int64{
		func(h *stored.Hold) int64 { return h.Packed }, func(h *stored.Hold) int64 { return h.Picked }, func(h *stored.Hold) int64 { return h.Allocated }}
	for _, level := range levels {
		for i := range o.Holds[line] {
			h := &o.Holds[line][i]
			n := min(q, level(h)-h.Fulfilled)
			if n <= 0 {
				continue
			}
			h.Fulfilled += n
			q -= n
			k := slices.IndexFunc(parts, func(p lotQuantity) bool { return p.Lot == h.Lot })
			if k < 0 {
				parts = append(parts, lotQuantity{Lot: h.Lot})
				k = len(parts) - 1
			}
			parts[k].Quantity += n
		}
	}
	return parts
}
