package ledger

import (
	"slices"

	"bincard/server/api"
)

var shipping = stage{now: func(h *hold) *int64 { return &h.Shipped }, most: func(h *hold) *int64 { return &h.Packed }}

// shipOutbound records that what is packed was handed over. It moves no stock:
// fulfilling books it out, and may do so without this.
func (c *change) shipOutbound(in *api.HandleOutboundInput) error {
	doc, lines, named, err := c.handling(in)
	if err != nil {
		return err
	}
	doc.catchUp()
	pending := func(i int) int64 { return doc.room([]int{i}, shipping, in.LotID) }
	tasks, err := plan(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		if all := doc.room(lines, shipping, api.ID{}); in.LotID != (api.ID{}) && all > 0 {
			return c.otherLot(doc, lines[0], in.LotID, 0, all)
		}
		return api.Fail(api.NothingPending, progress(doc),
			"Nothing is left to ship: %d of %d are packed, and all of them were handed over. Pack more first.",
			doc.PackedQuantity, doc.RequestedQuantity)
	}
	for _, t := range tasks {
		if err := c.ship(doc, t, in.LotID); err != nil {
			return err
		}
	}
	return c.saveOutbound(doc)
}

// catchUp brings what counts as handed over in line with what has left since,
// and with what is still packed.
func (o *outbound) catchUp() {
	for i := range o.Holds {
		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			h.Shipped = min(max(h.Shipped, h.Fulfilled), h.Packed)
			h.Sent = slices.DeleteFunc(h.Sent, func(id api.ID) bool { return !o.packed(i, id) })
		}
	}
}

// packed tells whether a line has the piece packed and not gone.
func (o *outbound) packed(line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.PackedAt != nil && s.ShippedAt == nil
	})
}

func (c *change) ship(doc *outbound, t task, lot api.ID) error {
	for _, s := range t.pieces {
		if !doc.packed(t.line, s.ID) || slices.Contains(doc.hold(t.line, s.LotID).Sent, s.ID) {
			return c.unavailable(s, "packed for this outbound and not handed over yet")
		}
		if !same(lot, s.LotID) {
			return c.takeable(s, doc.at(t.line), lot)
		}
	}
	parts, err := doc.portions(t, shipping, lot)
	if err != nil {
		return err
	}
	for i := range parts {
		h := doc.hold(t.line, parts[i].Lot)
		if free := shipping.room(h); parts[i].Quantity > free {
			return c.otherLot(doc, t.line, parts[i].Lot, free, parts[i].Quantity)
		}
		h.Shipped += parts[i].Quantity
		if len(t.pieces) == 0 {
			if err := c.fillPacked(doc, t.line, h, &parts[i]); err != nil {
				return err
			}
		}
		for _, s := range parts[i].Pieces {
			h.Sent = append(h.Sent, s.ID)
		}
	}
	return c.trace(doc, t.line, outboundShip, "shipped", parts)
}

// fillPacked adds to a portion the packed pieces of its lot that were not
// handed over yet.
func (c *change) fillPacked(doc *outbound, line int, h *hold, part *portion) error {
	for _, x := range doc.Lines[line].Serials {
		if int64(len(part.Pieces)) == part.Quantity {
			return nil
		}
		if x.Serial.LotID != part.Lot || !doc.packed(line, x.SerialID) || slices.Contains(h.Sent, x.SerialID) {
			continue
		}
		s, err := c.piece(x.SerialID)
		if err != nil {
			return err
		}
		part.Pieces = append(part.Pieces, s)
	}
	return nil
}
