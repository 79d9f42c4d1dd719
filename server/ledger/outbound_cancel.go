package ledger

import (
	"slices"

	"bincard/server/api"
)

// cancelOutbound ends an outbound: what is allocated and was not sent is
// available again, and its pieces are back on the shelf. What it leaves
// allocated, picked and packed is what was fulfilled.
func (c *change) cancelOutbound(in *api.OutboundInput) error {
	doc, err := c.openOutbound(in.OutboundID)
	if err != nil {
		return err
	}
	for line := range doc.Lines {
		// The answer shows the line's balance even when nothing goes back to it.
		if _, err := c.balance(doc.at(line)); err != nil {
			return err
		}
		parts, err := c.pendingParts(doc, line)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		if err := c.post(outboundCancel, doc.at(line), parts, nil); err != nil {
			return err
		}
		for _, part := range parts {
			if err := c.unpick(doc, line, part.Pieces); err != nil {
				return err
			}
		}
		for i := range doc.Holds[line] {
			h := &doc.Holds[line][i]
			h.Allocated, h.Picked, h.Packed = h.Fulfilled, h.Fulfilled, h.Fulfilled
		}
		doc.Lines[line].UpdatedAt = c.now
		doc.tidy(line)
	}
	doc.Status, doc.CancelledAt = api.OutboundCancelled, &c.now
	return c.saveOutbound(doc)
}

// pendingParts are what a line holds and has not sent, with the pieces it carries.
func (c *change) pendingParts(doc *outbound, line int) (parts []portion, err error) {
	for _, h := range doc.Holds[line] {
		if q := h.Allocated - h.Fulfilled; q > 0 {
			parts = append(parts, portion{Lot: h.Lot, Quantity: q})
		}
	}
	for _, x := range doc.Lines[line].Serials {
		if x.ShippedAt != nil {
			continue
		}
		s, err := c.piece(x.SerialID)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(parts, func(p portion) bool { return p.Lot == s.LotID }); i >= 0 {
			parts[i].Pieces = append(parts[i].Pieces, s)
		}
	}
	return parts, nil
}
