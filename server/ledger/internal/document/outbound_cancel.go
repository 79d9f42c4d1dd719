package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// CancelOutbound cancels an outbound: allocated stock that was not fulfilled becomes
// available again and its serials return to stock. Its allocated, picked and packed
// quantities become the fulfilled quantity.
func CancelOutbound(c *posting.Tx, in *api.OutboundInput) error {
	doc, err := openOutbound(c, in.OutboundID)
	if err != nil {
		return err
	}

	for line := range doc.Lines {
		// The response shows the balance of each line even if it does not change.
		if _, err := c.BalanceAt(doc.StockKey(line)); err != nil {
			return err
		}

		parts, err := pendingLots(c, doc, line)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		if err := c.Post(posting.OutboundCancel, doc.StockKey(line), parts, nil); err != nil {
			return err
		}
		for _, part := range parts {
			if err := returnSerials(c, doc, line, part.Serials); err != nil {
				return err
			}
		}

		for i := range doc.Holds[line] {
			h := &doc.Holds[line][i]
			h.Allocated, h.Picked, h.Packed, h.Exchanged = h.Fulfilled, h.Fulfilled, h.Fulfilled, 0
		}

		doc.Lines[line].UpdatedAt = c.Now
		dropEmptyHolds(doc, line)
	}

	doc.Status, doc.CancelledAt = api.OutboundCancelled, &c.Now

	return saveOutbound(c, doc)
}

// pendingLots returns what a line holds and has not fulfilled, with its serials.
func pendingLots(c *posting.Tx, doc *stored.Outbound, line int) (parts []posting.LotQuantity, err error) {
	for _, h := range doc.Holds[line] {
		if q := h.Allocated - h.Fulfilled; q > 0 {
			parts = append(parts, posting.LotQuantity{Lot: h.Lot, Quantity: q})
		}
	}

	for _, x := range doc.Lines[line].Serials {
		if x.ShippedAt != nil {
			continue
		}

		s, err := c.Serial(x.SerialID)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(parts, func(p posting.LotQuantity) bool { return p.Lot == s.LotID }); i >= 0 {
			parts[i].Serials = append(parts[i].Serials, s)
		}
	}

	return parts, nil
}

// returnSerials puts serials back in stock and removes them from the line.
func returnSerials(c *posting.Tx, doc *stored.Outbound, line int, list []*stored.Serial) error {
	for _, s := range list {
		if err := c.UpdateSerial(s, func(s *stored.Serial) { s.Status, s.Holder = api.InStock, api.NoID }); err != nil {
			return err
		}
		doc.Lines[line].Serials = slices.DeleteFunc(doc.Lines[line].Serials,
			func(x api.OutboundLineSerial) bool { return x.SerialID == s.ID })
	}

	return nil
}

// raiseProgress raises picked and packed to include what was fulfilled and the
// serials still on the line. Serials beyond what the line holds were replaced by the
// fulfilled ones; they return to stock.
func raiseProgress(c *posting.Tx, doc *stored.Outbound, line int) error {
	for i := range doc.Holds[line] {
		h := &doc.Holds[line][i]
		pending := h.Allocated - h.Fulfilled
		picked, packed := int64(0), int64(0)
		var returned []*stored.Serial
		for _, x := range doc.Lines[line].Serials {
			if x.ShippedAt != nil || x.Serial.LotID != h.Lot {
				continue
			}

			if picked == pending {
				s, err := c.Serial(x.SerialID)
				if err != nil {
					return err
				}
				returned = append(returned, s)
				continue
			}

			picked++
			if x.PackedAt != nil {
				packed++
			}
		}

		h.Picked = max(h.Picked, h.Fulfilled+picked)
		h.Packed = min(max(h.Packed, h.Fulfilled+packed), h.Picked-(picked-packed))
		if err := restock(c, doc, line, h.Lot, returned); err != nil {
			return err
		}
	}

	return nil
}

// restock returns serials of a line to stock, with a movement of 0 as a trace.
func restock(c *posting.Tx, doc *stored.Outbound, line int, lot api.ID, list []*stored.Serial) error {
	if len(list) == 0 {
		return nil
	}

	note := []byte(`{"lineId":"` + doc.Lines[line].ID.String() + `","returned":true}`)
	if err := c.Post(posting.OutboundPick, doc.StockKey(line),
		[]posting.LotQuantity{{Lot: lot, Quantity: int64(len(list)), Serials: list}}, note); err != nil {
		return err
	}

	return returnSerials(c, doc, line, list)
}
