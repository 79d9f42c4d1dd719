package count

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// A Count is what was counted of an item and is not booked yet. Its JSON is part of a
// draft.
type Count struct {
	Quantity  int64     `json:"now"` // pieces
	Lot       string    `json:"lot,omitempty"`
	LotID     api.ID    `json:"lotId,omitzero"` // zero if unknown
	ExpiresAt time.Time `json:"ends,omitzero"`  // the lot's expiration date, midnight UTC
	// Lots are the counts of other lots, and of plates, that are part of Quantity.
	Lots []Count `json:"lots,omitempty"`
	// SSCC is the plate that was counted, in Lots.
	SSCC string `json:"sscc,omitempty"`
	// Shelf is the shelf that was scanned, or "".
	Shelf   string   `json:"shelf,omitempty"`
	None    bool     `json:"none,omitempty"` // an explicit count of zero
	Serials []string `json:"serials,omitempty"`
	// OverReceipt is the quantity beyond Quantity that is received outside the
	// document.
	OverReceipt int64 `json:"over,omitempty"`
	// OverReason is why it is received, and OverApprovedBy the supervisor who approved it.
	OverReason     string `json:"overReason,omitempty"`
	OverApprovedBy string `json:"overOperator,omitempty"`
	// Damaged is how many of Quantity are damaged. DamagedSerials lists them if the
	// item is serialized. DamageCause is what to record about it.
	Damaged        int64    `json:"damaged,omitempty"`
	DamagedSerials []string `json:"damagedSerials,omitempty"`
	DamageCause    string   `json:"damageCause,omitempty"`
}

// Empty reports whether nothing was counted or entered.
func (c *Count) Empty() bool {
	return c.Quantity == 0 && c.OverReceipt == 0 && !c.None && c.Lot == "" && c.ExpiresAt.IsZero() &&
		len(c.Serials) == 0
}

// ofLot returns how much of Quantity is of Lot.
func (c *Count) ofLot() int64 {
	n := c.Quantity
	for _, x := range c.Lots {
		n -= x.Quantity
	}
	return n
}

// changeLot continues with another lot.
func (c *Count) changeLot(code string) {
	lots := slices.DeleteFunc(
		append(slices.Clone(c.Lots), Count{Quantity: c.ofLot(), Lot: c.Lot, LotID: c.LotID, ExpiresAt: c.ExpiresAt}),
		func(x Count) bool { return x.Quantity == 0 })
	c.Lot, c.LotID, c.ExpiresAt, c.Lots = code, api.NoID, time.Time{}, nil
	for _, x := range lots {
		if x.Lot == code && x.SSCC == "" {
			c.LotID, c.ExpiresAt = x.LotID, x.ExpiresAt
		} else {
			c.Lots = append(c.Lots, x)
		}
	}
}

// LotText returns the lot, or each lot with its quantity.
func (c *Count) LotText(t *i18n.Translator) string {
	if len(c.Lots) == 0 {
		return c.Lot
	}

	var lots []string
	for _, x := range append(slices.Clone(c.Lots), Count{Lot: c.Lot, Quantity: c.ofLot()}) {
		if x.Lot != "" && (x.Quantity > 0 || c.Lots[0].SSCC == "") {
			lots = append(lots, x.Lot+" × "+t.Count(x.Quantity))
		}
	}

	return strings.Join(lots, ", ")
}

// DamagedText says how many pieces are damaged, after their number: ", 2 damaged".
func (c *Count) DamagedText(t *i18n.Translator) string {
	n := max(c.Damaged, int64(len(c.DamagedSerials)))
	if n == 0 {
		return ""
	}
	return ", " + t.Get("%s damaged", t.Count(n))
}

// DamageReason returns the reason to record for the damage that was found at some point.
func (c *Count) DamageReason(found string) string {
	if c.DamageCause == "" {
		return found
	}
	return found + ": " + c.DamageCause
}

// QuantityText returns the counted quantity with the over-receipt: "24 +12".
func (c *Count) QuantityText(t *i18n.Translator) string {
	if c.OverReceipt == 0 {
		return t.Count(c.Quantity)
	}
	return t.Count(c.Quantity) + " " + t.Change(c.OverReceipt)
}
