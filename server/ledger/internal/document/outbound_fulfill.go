package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// FulfillOutbound issues allocated stock, whether picked and packed or not; its
// picked and packed quantities rise accordingly.
func FulfillOutbound(c *posting.Tx, in *api.FulfillOutboundInput) error {
	doc, err := openOutbound(c, in.OutboundID)
	if err != nil {
		return err
	}
	if err := checkOwner(c, doc, in); err != nil {
		return err
	}

	h := &handling{c: c, doc: doc, quantity: in.Quantity}
	for i := range doc.Lines {
		h.lines = append(h.lines, i)
	}
	if h.named, err = serialsOnLines(c, doc, h.lines, in.SerialChoice); err != nil {
		return err
	}
	if h.lots, err = namedLots(h, in); err != nil {
		return err
	}

	c.Entry.Reason, c.Entry.Metadata = in.Reason, in.Metadata
	pending, err := pendingOfLines(doc, in.Lines)
	if err != nil {
		return err
	}

	return h.run(pending, func() error {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to fulfill: %d requested, %d allocated, %d fulfilled. Allocate more when stock is available.",
			doc.RequestedQuantity, doc.AllocatedQuantity, doc.FulfilledQuantity)
	}, func(t lineQuantity) error {
		doc.FulfilledAt = &c.Now
		return fulfillLine(c, doc, t)
	})
}

// pendingOfLines returns how much may be fulfilled of a line: all that is pending, or at
// most what the named lines say.
func pendingOfLines(doc *stored.Outbound, named []api.FulfilledLine) (func(line int) int64, error) {
	most := map[api.ID]int64{}
	for _, l := range named {
		if !slices.ContainsFunc(doc.Lines, func(x api.OutboundLine) bool { return x.ID == l.LineID }) {
			return nil, stored.NotFound("line", "lineId", l.LineID)
		}
		most[l.LineID] += l.Quantity
	}

	return func(i int) int64 {
		pending := doc.Lines[i].PendingFulfillmentQuantity
		if len(named) > 0 {
			pending = min(pending, most[doc.Lines[i].ID])
		}
		return pending
	}, nil
}

// checkOwner checks that the owner and channel in the request match the outbound.
func checkOwner(c *posting.Tx, doc *stored.Outbound, in *api.FulfillOutboundInput) error {
	if !stored.MatchesID(in.OwnerID, doc.OwnerID) {
		return api.Fail(api.OwnerMismatch, api.Details{"ownerId": doc.OwnerID, "requested": in.OwnerID},
			"The outbound belongs to owner %s, not %s. Omit ownerId to use the outbound's owner.", doc.OwnerID,
			in.OwnerID)
	}

	if !stored.MatchesID(in.ChannelID, doc.ChannelID) {
		return api.Fail(api.ChannelMismatch, api.Details{"channelId": doc.ChannelID, "requested": in.ChannelID},
			"The outbound belongs to channel %s, not %s. Omit channelId to use the outbound's channel.", doc.ChannelID,
			in.ChannelID)
	}

	return nil
}

// fulfillLine issues the quantity of one line. A named serial replaces a picked one; a named
// lot replaces picked stock of another lot only if the input says so.
func fulfillLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity) error {
	at := doc.StockKey(t.line)
	list, lots, err := outgoingSerials(c, doc, t)
	if err != nil {
		return err
	}

	parts := posting.GroupByLot(list)
	if err := advance(c, doc, t.line, fulfilling, parts, always); err != nil {
		return err
	}
	if err := advance(c, doc, t.line, fulfilling, lots, t.maySwap); err != nil {
		return err
	}

	parts = addLots(parts, lots)
	parts = fulfillUnserialized(doc, t.line, parts, t.q-posting.Total(parts))
	if err := c.Post(posting.OutboundFulfill, at, parts, nil); err != nil {
		return err
	}

	for _, s := range list {
		if err := c.UpdateSerial(s,
			func(s *stored.Serial) { s.Status, s.Holder = api.Consumed, api.NoID }); err != nil {
			return err
		}
		lineSerial(c, doc, t.line, s).ShippedAt = &c.Now
	}

	doc.Lines[t.line].UpdatedAt = c.Now
	if err := raiseProgress(c, doc, t.line); err != nil {
		return err
	}

	dropEmptyHolds(doc, t.line)

	return nil
}

// outgoingSerials returns the serials to issue: those named, then packed ones, then
// picked ones that the named lots leave room for. For serial-tracked products, and when
// serials are named, there must be one per unit. It also returns the quantities of the
// named lots that the serials do not cover.
func outgoingSerials(
	c *posting.Tx,
	doc *stored.Outbound,
	t lineQuantity,
) (list []*stored.Serial, lots []posting.LotQuantity, err error) {
	at := doc.StockKey(t.line)
	p, err := c.Product("productId", at.Product)
	if err != nil {
		return nil, nil, err
	}

	for _, s := range t.serials {
		if hasSerial(doc, t.line, s.ID) {
			continue
		}
		if err := c.CheckInStock(s, at, api.NoID); err != nil {
			return nil, nil, err
		}
	}

	list, lots = t.serials, slices.Clone(t.lots)
	rest := t.q - t.named()
	for _, packed := range []bool{true, false} {
		for _, x := range doc.Lines[t.line].Serials {
			if x.ShippedAt != nil || (x.PackedAt != nil) != packed ||
				slices.ContainsFunc(list, func(s *stored.Serial) bool { return s.ID == x.SerialID }) {
				continue
			}

			room := &rest
			for i := range lots {
				if lots[i].Lot == x.Serial.LotID && lots[i].Quantity > 0 {
					room = &lots[i].Quantity
				}
			}

			if *room == 0 {
				continue
			}

			*room--
			s, err := c.Serial(x.SerialID)
			if err != nil {
				return nil, nil, err
			}

			list = append(list, s)
		}
	}

	if n := int64(len(list)); n < t.q && (len(t.serials) > 0 || p.Tracking == api.TrackSerial) {
		return nil, nil, api.Fail(api.SerialCountMismatch,
			api.Details{"serials": n, "quantity": t.q, "productId": p.ID, "sku": p.SKU, "lineId": doc.Lines[t.line].ID},
			"%v: %d serials specified or picked for a quantity of %d. Specify one serial number per unit.",
			c.DescribeStockKey(at), n, t.q)
	}

	return list, slices.DeleteFunc(lots, func(p posting.LotQuantity) bool { return p.Quantity == 0 }), nil
}

// fulfillUnserialized fulfills q without serial numbers from the holds of a line,
// packed before picked before allocated, and adds it to parts.
func fulfillUnserialized(o *stored.Outbound, line int, parts []posting.LotQuantity, q int64) []posting.LotQuantity {
	levels := []func(*stored.Hold) int64{
		func(h *stored.Hold) int64 { return h.Packed },
		func(h *stored.Hold) int64 { return h.Picked },
		func(h *stored.Hold) int64 { return h.Allocated },
	}
	for _, level := range levels {
		for i := range o.Holds[line] {
			h := &o.Holds[line][i]
			n := min(q, level(h)-h.Fulfilled)
			if n <= 0 {
				continue
			}
			h.Fulfilled += n
			q -= n
			parts = addLots(parts, []posting.LotQuantity{{Lot: h.Lot, Quantity: n}})
		}
	}

	return parts
}

// addLots adds quantities without serials to the parts of their lots.
func addLots(parts, lots []posting.LotQuantity) []posting.LotQuantity {
	for _, l := range lots {
		k := slices.IndexFunc(parts, func(p posting.LotQuantity) bool { return p.Lot == l.Lot })
		if k < 0 {
			parts = append(parts, posting.LotQuantity{Lot: l.Lot})
			k = len(parts) - 1
		}
		parts[k].Quantity += l.Quantity
	}

	return parts
}
