package ledger

import (
	"slices"

	"bincard/server/api"
)

// cancelOutbound ends an outbound: what is allocated and was not sent is
// available again, and its pieces are back on the shelf. What it leaves
// allocated, picked and packed is what was fulfilled.
func (c *writeTx) cancelOutbound(in *api.OutboundInput) error {
	doc, err := c.openOutbound(in.OutboundID)
	if err != nil {
		return err
	}
	for line := range doc.Lines {
		// The answer shows the line's balance even when nothing goes back to it.
		if _, err := c.balance(doc.stockKey(line)); err != nil {
			return err
		}
		parts, err := c.pendingLots(doc, line)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		if err := c.post(outboundCancel, doc.stockKey(line), parts, nil); err != nil {
			return err
		}
		for _, part := range parts {
			if err := c.returnSerials(doc, line, part.Serials); err != nil {
				return err
			}
		}
		for i := range doc.Holds[line] {
			h := &doc.Holds[line][i]
			h.Allocated, h.Picked, h.Packed = h.Fulfilled, h.Fulfilled, h.Fulfilled
		}
		doc.Lines[line].UpdatedAt = c.now
		doc.dropEmptyHolds(line)
	}
	doc.Status, doc.CancelledAt = api.OutboundCancelled, &c.now
	return c.saveOutbound(doc)
}

// pendingLots are what a line holds and has not sent, with the pieces it carries.
func (c *writeTx) pendingLots(doc *outbound, line int) (parts []lotQuantity, err error) {
	for _, h := range doc.Holds[line] {
		if q := h.Allocated - h.Fulfilled; q > 0 {
			parts = append(parts, lotQuantity{Lot: h.Lot, Quantity: q})
		}
	}
	for _, x := range doc.Lines[line].Serials {
		if x.ShippedAt != nil {
			continue
		}
		s, err := c.serial(x.SerialID)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(parts, func(p lotQuantity) bool { return p.Lot == s.LotID }); i >= 0 {
			parts[i].Serials = append(parts[i].Serials, s)
		}
	}
	return parts, nil
}
