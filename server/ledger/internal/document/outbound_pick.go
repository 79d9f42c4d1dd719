package document

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// PickOutbound records what was picked. Named serials, or a named lot, may be of a
// lot other than the allocated one if that lot has stock available. It replaces picked
// stock only if the input says so.
func PickOutbound(c *posting.Tx, in *api.HandleOutboundInput) error {
	h, err := readHandling(c, in)
	if err != nil {
		return err
	}

	doc := h.doc
	pending := func(i int) int64 { return doc.Lines[i].PendingPickQuantity }
	lotOnly := in.LotID != api.NoID && len(h.named) == 0
	if lotOnly && in.Swap {
		pending = func(i int) int64 { return swappable(doc, []int{i}, in.LotID) }
	} else if lotOnly && in.Quantity == nil && remaining(doc, h.lines, picking, in.LotID) > 0 {
		pending = func(i int) int64 { return remaining(doc, []int{i}, picking, in.LotID) }
	}

	if unpicked := remaining(doc, h.lines, picking, api.NoID); lotOnly && !in.Swap && in.Quantity != nil &&
		*in.Quantity > unpicked && *in.Quantity <= swappable(doc, h.lines, in.LotID) {
		return lotMismatch(c, doc, h.lines[0], in.LotID, *in.Quantity)
	}

	return h.run(pending, func() error {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to pick: %d of %d allocated, %d picked. Allocate more, or wait for stock.",
			doc.AllocatedQuantity, doc.RequestedQuantity, doc.PickedQuantity)
	}, func(t lineQuantity) error { return pickLine(c, doc, t, in) })
}

func pickLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity, in *api.HandleOutboundInput) error {
	at, lot := doc.StockKey(t.line), in.LotID
	for _, s := range t.serials {
		if err := c.CheckInStock(s, at, lot); err != nil {
			return err
		}
	}

	parts, err := stageQuantities(doc, t, picking, lot)
	if err != nil {
		return err
	}
	if err := advance(c, doc, t.line, picking, parts, func(api.ID) bool { return in.Swap }); err != nil {
		return err
	}
	if err := recordStage(c, doc, t.line, posting.OutboundPick, "picked", parts); err != nil {
		return err
	}

	for _, s := range t.serials {
		if err := c.UpdateSerial(s, func(s *stored.Serial) { s.Status, s.Holder = api.Picked, doc.ID }); err != nil {
			return err
		}
		line := lineSerial(c, doc, t.line, s)
		line.PickedAt, line.PackedAt, line.ShippedAt = &c.Now, nil, nil
	}

	if in.Swap {
		if err := raiseProgress(c, doc, t.line); err != nil {
			return err
		}
	}

	dropEmptyHolds(doc, t.line)

	return nil
}

// PackOutbound records what was packed of the picked stock.
func PackOutbound(c *posting.Tx, in *api.HandleOutboundInput) error {
	h, err := readHandling(c, in)
	if err != nil {
		return err
	}

	doc := h.doc

	return h.runStage(packing, in.LotID, func() error {
		return api.Fail(api.NothingPending, progressDetails(doc),
			"Nothing left to pack: %d of %d picked, %d packed. Pick more first.",
			doc.PickedQuantity, doc.RequestedQuantity, doc.PackedQuantity)
	}, func(t lineQuantity) error { return packLine(c, doc, t, in.LotID) })
}

func packLine(c *posting.Tx, doc *stored.Outbound, t lineQuantity, lot api.ID) error {
	held := func(s *stored.Serial) bool { return s.Status == api.Picked && hasSerial(doc, t.line, s.ID) }
	if err := checkSerials(c, doc, t, lot, held, "picked for this outbound"); err != nil {
		return err
	}

	parts, err := pickedParts(c, doc, t, lot)
	if err != nil {
		return err
	}
	if err := advance(c, doc, t.line, packing, parts, never); err != nil {
		return err
	}
	if err := recordStage(c, doc, t.line, posting.OutboundPack, "packed", parts); err != nil {
		return err
	}

	for _, part := range parts {
		for _, s := range part.Serials {
			if err := c.UpdateSerial(s, func(s *stored.Serial) { s.Status = api.Packed }); err != nil {
				return err
			}
			lineSerial(c, doc, t.line, s).PackedAt = &c.Now
		}
	}

	return nil
}

// pickedParts splits what is picked and not packed of a line by lot. Unless serials are named,
// it takes the picked ones of the lots.
func pickedParts(
	c *posting.Tx,
	doc *stored.Outbound,
	t lineQuantity,
	lot api.ID,
) ([]posting.LotQuantity, error) {
	parts, err := stageQuantities(doc, t, packing, lot)
	if err != nil || len(t.serials) > 0 {
		return parts, err
	}

	for _, x := range doc.Lines[t.line].Serials {
		if x.ShippedAt != nil || x.PackedAt != nil {
			continue
		}

		for i := range parts {
			if parts[i].Lot != x.Serial.LotID || int64(len(parts[i].Serials)) == parts[i].Quantity {
				continue
			}
			s, err := c.Serial(x.SerialID)
			if err != nil {
				return nil, err
			}
			parts[i].Serials = append(parts[i].Serials, s)
		}
	}

	return parts, nil
}

// stageQuantities splits the quantity of a line by lot: by its serials, by the lot
// named, or by the holds in order.
func stageQuantities(o *stored.Outbound, t lineQuantity, s stage, lot api.ID) ([]posting.LotQuantity, error) {
	if n := int64(len(t.serials)); n > 0 {
		if n != t.q {
			return nil, posting.CountMismatch(n, t.q)
		}
		return posting.GroupByLot(t.serials), nil
	}

	return splitByHold(o, t.line, s, t.q, lot), nil
}

// recordStage adds a movement of 0 for each part, with the quantity in its metadata.
func recordStage(
	c *posting.Tx,
	doc *stored.Outbound,
	line int,
	rule posting.Rule,
	what string,
	parts []posting.LotQuantity,
) error {
	doc.Lines[line].UpdatedAt = c.Now
	for _, part := range parts {
		note := fmt.Appendf(nil, `{"lineId":%q,%q:%d}`, doc.Lines[line].ID, what, part.Quantity)
		if err := c.Post(rule, doc.StockKey(line), []posting.LotQuantity{part}, note); err != nil {
			return err
		}
	}

	return nil
}

// lineSerial returns the line's entry of a serial, adding it if needed.
func lineSerial(c *posting.Tx, doc *stored.Outbound, line int, s *stored.Serial) *api.OutboundLineSerial {
	l := &doc.Lines[line]
	for i := range l.Serials {
		if l.Serials[i].SerialID == s.ID {
			return &l.Serials[i]
		}
	}

	l.Serials = append(l.Serials, api.OutboundLineSerial{
		ID:       journal.Derive(c.Partition, "outboundLineSerial", l.ID[:], s.ID[:]),
		SerialID: s.ID,
		Serial:   s.Serial,
	})

	return &l.Serials[len(l.Serials)-1]
}
