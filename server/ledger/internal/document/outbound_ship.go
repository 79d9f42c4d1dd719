package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

var shipping = stage{
	done:  func(h *stored.Hold) *int64 { return &h.Shipped },
	limit: func(h *stored.Hold) *int64 { return &h.Packed },
}

// ShipOutbound records that packed stock was handed over. It moves no stock and is
// optional: fulfilling issues the stock.
func ShipOutbound(c *posting.Tx, in *api.HandleOutboundInput) error {
	h, err := readHandling(c, in)
	if err != nil {
		return err
	}

	doc := h.doc
	catchUpShipped(doc)

	return h.runStage(shipping, in.LotID, func() error {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to ship: %d of %d packed, all shipped. Pack more first.",
			doc.PackedQuantity, doc.RequestedQuantity)
	}, func(t lineQuantity) error { return shipLine(c, doc, t, in.LotID) })
}

// catchUpShipped adjusts the shipped quantities to what has been fulfilled, the serials that
// were shipped, and what is still packed.
func catchUpShipped(o *stored.Outbound) {
	for i := range o.Holds {
		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			h.Sent = slices.DeleteFunc(h.Sent, func(id api.ID) bool { return !isPacked(o, i, id) })
			h.Shipped = min(max(h.Shipped, h.Fulfilled+int64(len(h.Sent))), h.Packed)
		}
	}
}

// isPacked reports whether a line has the serial packed and not fulfilled.
func isPacked(o *stored.Outbound, line int, id api.ID) bool {
	return slices.ContainsFunc(o.Lines[line].Serials, func(s api.OutboundLineSerial) bool {
		return s.SerialID == id && s.PackedAt != nil && s.ShippedAt == nil
	})
}

// isSent reports whether a line has shipped the serial and not fulfilled it.
func isSent(o *stored.Outbound, line int, s *stored.Serial) bool {
	return slices.Contains(o.Hold(line, s.LotID).Sent, s.ID)
}

func shipLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity, lot api.ID) error {
	held := func(s *stored.Serial) bool { return isPacked(doc, t.line, s.ID) && !isSent(doc, t.line, s) }
	if err := checkSerials(c, doc, t, lot, held, "packed for this outbound and not shipped"); err != nil {
		return err
	}

	parts, err := stageQuantities(doc, t, shipping, lot)
	if err != nil {
		return err
	}

	for i := range parts {
		h := doc.Hold(t.line, parts[i].Lot)
		if free := shipping.remaining(h); parts[i].Quantity > free {
			return lotMismatch(c, doc, t.line, parts[i].Lot, parts[i].Quantity)
		}

		h.Shipped += parts[i].Quantity
		if len(t.serials) == 0 {
			if err := addPackedSerials(c, doc, t.line, h, &parts[i]); err != nil {
				return err
			}
		}

		for _, s := range parts[i].Serials {
			h.Sent = append(h.Sent, s.ID)
		}
	}

	return recordStage(c, doc, t.line, posting.OutboundShip, "shipped", parts)
}

// addPackedSerials adds packed serials of the part's lot that were not shipped.
func addPackedSerials(c *posting.Tx, doc *stored.Outbound, line int, h *stored.Hold, part *posting.LotQuantity) error {
	for _, x := range doc.Lines[line].Serials {
		if int64(len(part.Serials)) == part.Quantity {
			return nil
		}
		if x.Serial.LotID != part.Lot || !isPacked(doc, line, x.SerialID) || slices.Contains(h.Sent, x.SerialID) {
			continue
		}

		s, err := c.Serial(x.SerialID)
		if err != nil {
			return err
		}

		part.Serials = append(part.Serials, s)
	}

	return nil
}
