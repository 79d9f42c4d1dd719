package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// cancelOutbound cancels an outbound: allocated stock that was not fulfilled becomes
// available again and its serials return to stock. Its allocated, picked and packed
// quantities become the fulfilled quantity.
func (c *writeTx) cancelOutbound(in *api.OutboundInput) error {
	doc, err := c.openOutbound(in.OutboundID)
	if err != nil {
		return err
	}
	for line := range doc.Lines {
		// The response shows the balance of each line even if it does not change.
		if _, err := c.balance(doc.StockKey(line)); err != nil {
			return err
		}
		parts, err := c.pendingLots(doc, line)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		if err := c.post(outboundCancel, doc.StockKey(line), parts, nil); err != nil {
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
		doc.Lines[line].UpdatedAt = c.Now
		dropEmptyHolds(doc, line)
	}
	doc.Status, doc.CancelledAt = api.OutboundCancelled, &c.Now
	return c.saveOutbound(doc)
}

// pendingLots returns what a line holds and has not fulfilled, with its serials.
func (c *writeTx) pendingLots(doc *stored.Outbound, line int) (parts []lotQuantity, err error) {
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
