package ledger

import (
	"slices"

	"bincard/server/api"
)

var shipping = stage{done: func(h *hold) *int64 { return &h.Shipped }, limit: func(h *hold) *int64 { return &h.Packed }}

// shipOutbound records that packed stock was handed over. It moves no stock and is
// optional: fulfilling issues the stock.
func (c *writeTx) shipOutbound(in *api.HandleOutboundInput) error {
	doc, lines, named, err := c.readHandling(in)
	if err != nil {
		return err
	}
	doc.catchUpShipped()
	pending := func(i int) int64 { return doc.remaining([]int{i}, shipping, in.LotID) }
	tasks, err := planLines(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		if all := doc.remaining(lines, shipping, api.ID{}); in.LotID != (api.ID{}) && all > 0 {
			return c.lotMismatch(doc, lines[0], in.LotID, 0, all)
		}
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to ship: %d of %d packed, all shipped. Pack more first.",
			doc.PackedQuantity, doc.RequestedQuantity)
	}
	for _, t := range tasks {
		if err := c.ship(doc, t, in.LotID); err != nil {
			return err
		}
	}
	return c.saveOutbound(doc)
}

// catchUpShipped adjusts the shipped quantities to what has been fulfilled and what
// is still packed.
func (o *outbound) catchUpShipped() {
	for i := range o.Holds {
		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			h.Shipped = min(max(h.Shipped, h.Fulfilled), h.Packed)
			h.Sent = slices.DeleteFunc(h.Sent, func(id api.ID) bool { return !o.isPacked(i, id) })
		}
	}
}

// isPacked reports whether a line has the serial packed and not fulfilled.
func (o *outbound) isPacked(line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.PackedAt != nil && s.ShippedAt == nil
	})
}

func (c *writeTx) ship(doc *outbound, t lineQuantity, lot api.ID) error {
	for _, s := range t.serials {
		if !doc.isPacked(t.line, s.ID) || slices.Contains(doc.hold(t.line, s.LotID).Sent, s.ID) {
			return c.serialUnavailable(s, "packed for this outbound and not shipped")
		}
		if !matchesID(lot, s.LotID) {
			return c.checkInStock(s, doc.stockKey(t.line), lot)
		}
	}
	parts, err := doc.stageQuantities(t, shipping, lot)
	if err != nil {
		return err
	}
	for i := range parts {
		h := doc.hold(t.line, parts[i].Lot)
		if free := shipping.remaining(h); parts[i].Quantity > free {
			return c.lotMismatch(doc, t.line, parts[i].Lot, free, parts[i].Quantity)
		}
		h.Shipped += parts[i].Quantity
		if len(t.serials) == 0 {
			if err := c.addPackedSerials(doc, t.line, h, &parts[i]); err != nil {
				return err
			}
		}
		for _, s := range parts[i].Serials {
			h.Sent = append(h.Sent, s.ID)
		}
	}
	return c.recordStage(doc, t.line, outboundShip, "shipped", parts)
}

// addPackedSerials adds packed serials of the part's lot that were not shipped.
func (c *writeTx) addPackedSerials(doc *outbound, line int, h *hold, part *lotQuantity) error {
	for _, x := range doc.Lines[line].Serials {
		if int64(len(part.Serials)) == part.Quantity {
			return nil
		}
		if x.Serial.LotID != part.Lot || !doc.isPacked(line, x.SerialID) || slices.Contains(h.Sent, x.SerialID) {
			continue
		}
		s, err := c.serial(x.SerialID)
		if err != nil {
			return err
		}
		part.Serials = append(part.Serials, s)
	}
	return nil
}
