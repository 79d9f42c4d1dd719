package document

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// unpicking is what is picked and not shipped or fulfilled.
var unpicking = stage{
	done:  func(h *stored.Hold) *int64 { return &h.Shipped },
	limit: func(h *stored.Hold) *int64 { return &h.Picked },
}

// UnpickOutbound records that picked stock was put back. It stays allocated, but for a lot that
// was exchanged: the lots that it replaced are allocated again, if available. Packed stock is
// unpacked only if it is named by serial, or if too little is picked and not packed.
func UnpickOutbound(c *posting.Tx, in *api.HandleOutboundInput) error {
	h, err := readHandling(c, in)
	if err != nil {
		return err
	}

	c.Entry.Reason = "put back on the shelf" // its movements are those of picking
	doc := h.doc
	catchUpShipped(doc)

	return h.run(func(i int) int64 { return remaining(doc, []int{i}, unpicking, in.LotID) }, func() error {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to put back: %d of %d picked, all shipped or fulfilled. Choose another line or lot.",
			doc.PickedQuantity, doc.RequestedQuantity)
	}, func(t lineQuantity) error { return unpickLine(c, doc, t, in.LotID) })
}

func unpickLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity, lot api.ID) error {
	held := func(s *stored.Serial) bool { return hasSerial(doc, t.line, s.ID) && !isSent(doc, t.line, s) }
	if err := checkSerials(c, doc, t, lot, held, "picked for this outbound and not shipped"); err != nil {
		return err
	}
	if err := unpackLine(c, doc, t, lot); err != nil {
		return err
	}

	parts, err := pickedParts(c, doc, t, lot)
	if err != nil {
		return err
	}
	if err := recordStage(c, doc, t.line, posting.OutboundPick, "unpicked", parts); err != nil {
		return err
	}

	for _, part := range parts {
		doc.Hold(t.line, part.Lot).Picked -= part.Quantity
		if err := returnSerials(c, doc, t.line, part.Serials); err != nil {
			return err
		}
		if err := restoreExchanged(c, doc, t.line, part.Lot, part.Quantity); err != nil {
			return err
		}
	}

	dropEmptyHolds(doc, t.line)

	return nil
}

// unpackLine unpacks what is to be put back of a line and is packed. Its serials are put back
// next: without names, it only unpacks what all that is not packed falls short of.
func unpackLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity, lot api.ID) error {
	packed := lineQuantity{line: t.line}
	for _, s := range t.serials {
		if isPacked(doc, t.line, s.ID) {
			packed.serials = append(packed.serials, s)
		}
	}

	packed.q = int64(len(packed.serials))
	if len(t.serials) == 0 {
		packed.q = max(0, t.q-remaining(doc, []int{t.line}, packing, lot))
	}

	parts, err := stageQuantities(doc, packed, shipping, lot)
	if err != nil {
		return err
	}

	for i := range parts {
		h := doc.Hold(t.line, parts[i].Lot)
		h.Packed -= parts[i].Quantity
		if len(t.serials) == 0 {
			if err := addPackedSerials(c, doc, t.line, h, &parts[i]); err != nil {
				return err
			}
		}
		for _, s := range parts[i].Serials {
			lineSerial(c, doc, t.line, s).PackedAt = nil
		}
	}

	return recordStage(c, doc, t.line, posting.OutboundPack, "unpacked", parts)
}
