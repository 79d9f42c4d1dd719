package ledger

import (
	"fmt"

	"bincard/server/api"
)

// pickOutbound records what was taken from the shelf. Pieces that are named,
// or a lot, may be of another lot than allocated when that one is to be had.
func (c *change) pickOutbound(in *api.HandleOutboundInput) error {
	doc, lines, named, err := c.handling(in)
	if err != nil {
		return err
	}
	pending := func(i int) int64 { return doc.Lines[i].PendingPickQuantity }
	if in.LotID != (api.ID{}) && in.Quantity == nil && len(named) == 0 && doc.room(lines, picking, in.LotID) > 0 {
		pending = func(i int) int64 { return doc.room([]int{i}, picking, in.LotID) }
	}
	tasks, err := plan(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return api.Fail(api.NothingPending, progress(doc),
			"Nothing is left to pick: %d of %d are allocated and %d picked. Allocate more, or wait for stock.",
			doc.AllocatedQuantity, doc.RequestedQuantity, doc.PickedQuantity)
	}
	for _, t := range tasks {
		if err := c.pick(doc, t, in.LotID); err != nil {
			return err
		}
	}
	return c.saveOutbound(doc)
}

func (c *change) pick(doc *outbound, t task, lot api.ID) error {
	at := doc.at(t.line)
	for _, s := range t.pieces {
		if err := c.takeable(s, at, lot); err != nil {
			return err
		}
	}
	parts, err := doc.portions(t, picking, lot)
	if err != nil {
		return err
	}
	if err := c.advance(doc, t.line, picking, parts); err != nil {
		return err
	}
	if err := c.trace(doc, t.line, outboundPick, "picked", parts); err != nil {
		return err
	}
	for _, s := range t.pieces {
		if err := c.alter(s, func(s *piece) { s.Status, s.Holder = api.Picked, doc.ID }); err != nil {
			return err
		}
		e := c.entry(doc, t.line, s)
		e.PickedAt, e.PackedAt, e.ShippedAt = &c.now, nil, nil
	}
	doc.tidy(t.line)
	return nil
}

// packOutbound records what of the picked was packed.
func (c *change) packOutbound(in *api.HandleOutboundInput) error {
	doc, lines, named, err := c.handling(in)
	if err != nil {
		return err
	}
	pending := func(i int) int64 { return doc.room([]int{i}, packing, in.LotID) }
	tasks, err := plan(doc, lines, pending, in.Quantity, named)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		if in.LotID != (api.ID{}) && doc.room(lines, packing, api.ID{}) > 0 {
			return c.otherLot(doc, lines[0], in.LotID, 0, doc.room(lines, packing, api.ID{}))
		}
		return api.Fail(api.NothingPending, progress(doc),
			"Nothing is left to pack: %d of %d are picked and %d packed. Pick more first.",
			doc.PickedQuantity, doc.RequestedQuantity, doc.PackedQuantity)
	}
	for _, t := range tasks {
		if err := c.pack(doc, t, in.LotID); err != nil {
			return err
		}
	}
	return c.saveOutbound(doc)
}

func (c *change) pack(doc *outbound, t task, lot api.ID) error {
	for _, s := range t.pieces {
		if s.Status != api.Picked || !doc.carries(t.line, s.ID) {
			return c.unavailable(s, "picked for this outbound")
		}
		if !same(lot, s.LotID) {
			return c.takeable(s, doc.at(t.line), lot)
		}
	}
	parts, err := doc.portions(t, packing, lot)
	if err != nil {
		return err
	}
	if len(t.pieces) == 0 {
		// Of what was picked by number the pieces are packed first.
		if err := c.carried(doc, t.line, parts); err != nil {
			return err
		}
	}
	if err := c.advance(doc, t.line, packing, parts); err != nil {
		return err
	}
	if err := c.trace(doc, t.line, outboundPack, "packed", parts); err != nil {
		return err
	}
	for _, part := range parts {
		for _, s := range part.Pieces {
			if err := c.alter(s, func(s *piece) { s.Status = api.Packed }); err != nil {
				return err
			}
			c.entry(doc, t.line, s).PackedAt = &c.now
		}
	}
	return nil
}

// carried adds to portions that are packed the pieces that the line has picked of their lots.
func (c *change) carried(doc *outbound, line int, parts []portion) error {
	for _, x := range doc.Lines[line].Serials {
		if x.ShippedAt != nil || x.PackedAt != nil {
			continue
		}
		for i := range parts {
			if parts[i].Lot != x.Serial.LotID || int64(len(parts[i].Pieces)) == parts[i].Quantity {
				continue
			}
			s, err := c.piece(x.SerialID)
			if err != nil {
				return err
			}
			parts[i].Pieces = append(parts[i].Pieces, s)
		}
	}
	return nil
}

// portions are the stock of a task: its pieces by lot, the lot named, or what
// the line holds, in order.
func (o *outbound) portions(t task, s stage, lot api.ID) ([]portion, error) {
	if n := int64(len(t.pieces)); n > 0 {
		if n != t.q {
			return nil, countMismatch(n, t.q)
		}
		return byLot(t.pieces), nil
	}
	return o.split(t.line, s, t.q, lot), nil
}

// room is how much of the lines can go through a stage, of one lot where one is named.
func (o *outbound) room(lines []int, s stage, lot api.ID) (q int64) {
	for _, i := range lines {
		for k := range o.Holds[i] {
			if h := &o.Holds[i][k]; same(lot, h.Lot) {
				q += s.room(h)
			}
		}
	}
	return q
}

// trace leaves a movement that changes no sum for each portion, and says in
// its metadata what was done.
func (c *change) trace(doc *outbound, line int, e effect, what string, parts []portion) error {
	doc.Lines[line].UpdatedAt = c.now
	for _, part := range parts {
		note := fmt.Appendf(nil, `{"lineId":%q,%q:%d}`, doc.Lines[line].ID, what, part.Quantity)
		if err := c.post(e, doc.at(line), []portion{part}, note); err != nil {
			return err
		}
	}
	return nil
}

// entry is the line's entry of a piece, a new one where it has none.
func (c *change) entry(doc *outbound, line int, s *piece) *api.OutboundLineSerial {
	l := &doc.Lines[line]
	for i := range l.Serials {
		if l.Serials[i].SerialID == s.ID {
			return &l.Serials[i]
		}
	}
	l.Serials = append(l.Serials, api.OutboundLineSerial{ID: derive(c.p, "outboundLineSerial", l.ID[:], s.ID[:]), SerialID: s.ID, Serial: s.Serial})
	return &l.Serials[len(l.Serials)-1]
}
