package dock

import (
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// A Count is what has been counted of some goods and is not booked yet. Its
// JSON is part of a draft.
type Count struct {
	Quantity  int64     `json:"now"` // pieces
	Lot       string    `json:"lot,omitempty"`
	LotID     api.ID    `json:"lotId,omitzero"` // where it is known
	ExpiresAt time.Time `json:"ends,omitzero"`  // the lot's last day, midnight UTC
	None      bool      `json:"none,omitempty"` // it was said that there is none, where that counts
	Serials   []string  `json:"serials,omitempty"`
	// OverReceipt came beside what is pending: it is received without the document.
	OverReceipt int64 `json:"over,omitempty"`
	// Damaged of Now are damaged; DamagedSerials are theirs, of goods kept by serial.
	Damaged        int64    `json:"damaged,omitempty"`
	DamagedSerials []string `json:"damagedSerials,omitempty"`
}

// Empty tells whether nothing is counted and nothing said of it.
func (c *Count) Empty() bool {
	return c.Quantity == 0 && !c.None && c.Lot == "" && c.ExpiresAt.IsZero() && len(c.Serials) == 0
}

// A Line is some goods of a document and what is counted of them.
type Line struct {
	Key     string // names the line within its document; may be empty where there is one
	Item    Item
	Pending int64 // pieces that are still to be booked
	// Tolerance is how many more may be booked, which is Percent of what was expected.
	Tolerance, TolerancePercent int64
	// PendingWord is what the pieces that may be booked are called; "pending" if empty.
	PendingWord string
	Count       Count
}

// pendingWord is what the pieces that may be booked are called.
func (l *Line) pendingWord(t *i18n.Translator) string {
	switch {
	case l.PendingWord != "":
		return l.PendingWord
	case l.Tolerance > 0:
		return t.Get("pending (at most %s, with %d %% over)", t.Count(l.limit()), l.TolerancePercent)
	}
	return t.Get("pending")
}

// Remaining is how much may still be counted.
func (l *Line) Remaining() int64 { return max(0, l.Pending-l.Count.Quantity) }

// limit is how many may be booked.
func (l *Line) limit() int64 { return l.Pending + l.Tolerance }

// addable is how many more may be counted.
func (l *Line) addable() int64 { return max(0, l.limit()-l.Count.Quantity) }

// toleranceText says how many are counted above what is pending, where that is allowed.
func (l *Line) toleranceText(t *i18n.Translator) string {
	over := l.Count.Quantity - l.Pending
	if over <= 0 || over > l.Tolerance {
		return ""
	}
	return t.Get("%s over (limit %d %%)", t.Count(over), l.TolerancePercent)
}

// ByLot and BySerial tell how the goods are told apart.
func (l *Line) ByLot() bool    { return l.Item.Tracking == api.TrackLot }
func (l *Line) BySerial() bool { return l.Item.Tracking == api.TrackSerial }

// Add counts n pieces more. More than is pending is refused with the numbers.
func (l *Line) Add(t *i18n.Translator, n int64) error {
	if n > l.addable() {
		return l.overReceiptError(t, n)
	}
	l.Count.Quantity += n
	l.Count.None = false
	return nil
}

func (l *Line) overReceiptError(t *i18n.Translator, n int64) error {
	c := t.Count
	if l.Count.Quantity == 0 {
		return &OverReceiptError{Over: n - l.addable(), text: t.Get("%s is too many: only %s of %s are %s. Nothing was counted.", c(n), c(l.Pending), l.Item.SKU, l.pendingWord(t))}
	}
	return &OverReceiptError{Over: n - l.addable(), text: t.Get("%s more is too many: %s of %s are %s, and %s are already counted. Nothing was added.", c(n), c(l.Pending), l.Item.SKU, l.pendingWord(t), c(l.Count.Quantity))}
}

// Set makes n the number counted.
func (l *Line) Set(t *i18n.Translator, n int64) error {
	switch {
	case l.BySerial() || len(l.Count.Serials) > 0:
		return errors.New(t.Get("%s is serialized: scan each serial number. The count stays at %s.", l.Item.SKU, t.Count(l.Count.Quantity)))
	case n > l.limit():
		return &OverReceiptError{Over: n - l.limit(), Instead: true, text: t.Get("%s is too many: only %s of %s are %s. The count stays at %s.",
			t.Count(n), t.Count(l.Pending), l.Item.SKU, l.pendingWord(t), t.Count(l.Count.Quantity))}
	}
	l.Count.Quantity, l.Count.OverReceipt, l.Count.None = n, 0, false
	l.Count.Damaged = min(l.Count.Damaged, n)
	return nil
}

// AddSerial counts one piece by its serial number; one counted already is refused.
func (l *Line) AddSerial(t *i18n.Translator, serial string) error {
	if slices.Contains(l.Count.Serials, serial) {
		return errors.New(t.Get("Serial %s is already counted. The count stays at %s.", serial, t.Count(l.Count.Quantity)))
	}
	if err := l.Add(t, 1); err != nil {
		return err
	}
	l.Count.Serials = append(l.Count.Serials, serial)
	return nil
}

// SetDamaged says that n of the counted pieces are damaged.
func (l *Line) SetDamaged(t *i18n.Translator, n int64) error {
	if n > l.Count.Quantity {
		return errors.New(t.Get("%s damaged is more than the %s counted. Count them first.", t.Count(n), t.Count(l.Count.Quantity)))
	}
	l.Count.Damaged, l.Count.DamagedSerials = n, nil
	return nil
}

// ToggleDamagedSerial says that a counted piece is damaged, or takes it back.
func (l *Line) ToggleDamagedSerial(t *i18n.Translator, serial string) error {
	c := &l.Count
	if !slices.Contains(c.Serials, serial) {
		return errors.New(t.Get("Serial %s is not counted. Scan it first, then mark it damaged.", serial))
	}
	if i := slices.Index(c.DamagedSerials, serial); i >= 0 {
		c.DamagedSerials = slices.Delete(c.DamagedSerials, i, i+1)
	} else {
		c.DamagedSerials = append(c.DamagedSerials, serial)
	}
	c.Damaged = int64(len(c.DamagedSerials))
	return nil
}

// SetLot notes the lot and the day it ends (either may be missing). Another lot
// than the one being counted is refused: one booking is of one lot.
func (l *Line) SetLot(t *i18n.Translator, code string, ends time.Time) error {
	c := &l.Count
	if code != "" && c.Lot != "" && code != c.Lot && c.Quantity > 0 {
		return &OtherLotError{text: t.Get("This is lot %s, but %s of lot %s are counted. Book those first (enter), then scan it again.", code, t.Count(c.Quantity), c.Lot)}
	}
	same := code == "" || code == c.Lot
	if same && !ends.IsZero() && !c.ExpiresAt.IsZero() && !ends.Equal(c.ExpiresAt) && c.Quantity > 0 {
		return errors.New(t.Get("This label expires %s, but the counted items expire %s. Check the labels, or correct the lot (F7).",
			ends.Format(time.DateOnly), c.ExpiresAt.Format(time.DateOnly)))
	}
	if code != "" && code != c.Lot {
		c.Lot, c.LotID, c.ExpiresAt = code, api.ID{}, time.Time{}
	}
	if !ends.IsZero() {
		c.ExpiresAt = ends
	}
	return nil
}

// quantityText is what is counted, with what came over: "24 +12".
func (c *Count) quantityText(t *i18n.Translator) string {
	if c.OverReceipt == 0 {
		return t.Count(c.Quantity)
	}
	return t.Count(c.Quantity) + " " + t.Change(c.OverReceipt)
}
