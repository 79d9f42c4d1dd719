package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// raiseProgress raises picked and packed to include what was fulfilled and the
// serials still on the line. Serials beyond what the line holds were replaced by the
// fulfilled ones; they return to stock.
func (c *writeTx) raiseProgress(doc *stored.Outbound, line int) error {
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
				s, err := c.serial(x.SerialID)
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
		if err := c.restock(doc, line, h.Lot, returned); err != nil {
			return err
		}
	}
	return nil
}

// restock returns serials of a line to stock, with a movement of 0 as a trace.
func (c *writeTx) restock(doc *stored.Outbound, line int, lot api.ID, list []*stored.Serial) error {
	if len(list) == 0 {
		return nil
	}
	note := []byte(`{"lineId":"` + doc.Lines[line].ID.String() + `","returned":true}`)
	if err := c.post(outboundPick, doc.StockKey(line), []lotQuantity{{Lot: lot, Quantity: int64(len(list)), Serials: list}}, note); err != nil {
		return err
	}
	return c.returnSerials(doc, line, list)
}

// returnSerials puts serials back in stock and removes them from the line.
func (c *writeTx) returnSerials(doc *stored.Outbound, line int, list []*stored.Serial) error {
	for _, s := range list {
		if err := c.updateSerial(s, func(s *stored.Serial) { s.Status, s.Holder = api.InStock, api.ID{} }); err != nil {
			return err
		}
		doc.Lines[line].Serials = slices.DeleteFunc(doc.Lines[line].Serials, func(x api.OutboundLineSerial) bool { return x.SerialID == s.ID })
	}
	return nil
}
