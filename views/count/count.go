package count

import (
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
	None      bool      `json:"none,omitempty"` // an explicit count of zero
	Serials   []string  `json:"serials,omitempty"`
	// OverReceipt is the quantity beyond Quantity that is received outside the
	// document.
	OverReceipt int64 `json:"over,omitempty"`
	// OverReason is why it is received, and OverOperator who accepted and approved it.
	OverReason   string `json:"overReason,omitempty"`
	OverOperator string `json:"overOperator,omitempty"`
	// Damaged is how many of Quantity are damaged. DamagedSerials lists them if the
	// item is serialized.
	Damaged        int64    `json:"damaged,omitempty"`
	DamagedSerials []string `json:"damagedSerials,omitempty"`
}

// Empty reports whether nothing was counted or entered.
func (c *Count) Empty() bool {
	return c.Quantity == 0 && c.OverReceipt == 0 && !c.None && c.Lot == "" && c.ExpiresAt.IsZero() && len(c.Serials) == 0
}

// DamagedText says how many pieces are damaged, after their number: ", 2 damaged".
func (c *Count) DamagedText(t *i18n.Translator) string {
	n := max(c.Damaged, int64(len(c.DamagedSerials)))
	if n == 0 {
		return ""
	}
	return ", " + t.Get("%s damaged", t.Count(n))
}

// QuantityText returns the counted quantity with the over-receipt: "24 +12".
func (c *Count) QuantityText(t *i18n.Translator) string {
	if c.OverReceipt == 0 {
		return t.Count(c.Quantity)
	}
	return t.Count(c.Quantity) + " " + t.Change(c.OverReceipt)
}
