package dock

import (
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/widget"
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
func (l *Line) pendingWord() string {
	switch {
	case l.PendingWord != "":
		return l.PendingWord
	case l.Tolerance > 0:
		return fmt.Sprintf(pendingAtMost, widget.Count(l.limit()), l.TolerancePercent)
	}
	return wordPending
}

// Remaining is how much may still be counted.
func (l *Line) Remaining() int64 { return max(0, l.Pending-l.Count.Quantity) }

// limit is how many may be booked.
func (l *Line) limit() int64 { return l.Pending + l.Tolerance }

// addable is how many more may be counted.
func (l *Line) addable() int64 { return max(0, l.limit()-l.Count.Quantity) }

// toleranceText says how many are counted above what is pending, where that is allowed.
func (l *Line) toleranceText() string {
	over := l.Count.Quantity - l.Pending
	if over <= 0 || over > l.Tolerance {
		return ""
	}
	return fmt.Sprintf(overWithin, widget.Count(over), l.TolerancePercent)
}

// ByLot and BySerial tell how the goods are told apart.
func (l *Line) ByLot() bool    { return l.Item.Tracking == api.TrackLot }
func (l *Line) BySerial() bool { return l.Item.Tracking == api.TrackSerial }

// Add counts n pieces more. More than is pending is refused with the numbers.
func (l *Line) Add(n int64) error {
	if n > l.addable() {
		return l.overReceiptError(n)
	}
	l.Count.Quantity += n
	l.Count.None = false
	return nil
}

func (l *Line) overReceiptError(n int64) error {
	c := widget.Count
	if l.Count.Quantity == 0 {
		return &OverReceiptError{Over: n - l.addable(), text: fmt.Sprintf(tooMany, c(n), c(l.Pending), l.Item.SKU, l.pendingWord())}
	}
	return &OverReceiptError{Over: n - l.addable(), text: fmt.Sprintf(tooManyMore, c(n), c(l.Pending), l.Item.SKU, l.pendingWord(), c(l.Count.Quantity))}
}

// Set makes n the number counted.
func (l *Line) Set(n int64) error {
	switch {
	case l.BySerial() || len(l.Count.Serials) > 0:
		return fmt.Errorf(eachPiece, l.Item.SKU, widget.Count(l.Count.Quantity))
	case n > l.limit():
		return &OverReceiptError{Over: n - l.limit(), Instead: true, text: fmt.Sprintf(tooManySet,
			widget.Count(n), widget.Count(l.Pending), l.Item.SKU, l.pendingWord(), widget.Count(l.Count.Quantity))}
	}
	l.Count.Quantity, l.Count.OverReceipt, l.Count.None = n, 0, false
	l.Count.Damaged = min(l.Count.Damaged, n)
	return nil
}

// AddSerial counts one piece by its serial number; one counted already is refused.
func (l *Line) AddSerial(serial string) error {
	if slices.Contains(l.Count.Serials, serial) {
		return fmt.Errorf(pieceCounted, serial, widget.Count(l.Count.Quantity))
	}
	if err := l.Add(1); err != nil {
		return err
	}
	l.Count.Serials = append(l.Count.Serials, serial)
	return nil
}

// SetDamaged says that n of the counted pieces are damaged.
func (l *Line) SetDamaged(n int64) error {
	if n > l.Count.Quantity {
		return fmt.Errorf(tooDamaged, widget.Count(n), widget.Count(l.Count.Quantity))
	}
	l.Count.Damaged, l.Count.DamagedSerials = n, nil
	return nil
}

// ToggleDamagedSerial says that a counted piece is damaged, or takes it back.
func (l *Line) ToggleDamagedSerial(serial string) error {
	c := &l.Count
	if !slices.Contains(c.Serials, serial) {
		return fmt.Errorf(pieceNotCounted, serial)
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
func (l *Line) SetLot(code string, ends time.Time) error {
	c := &l.Count
	if code != "" && c.Lot != "" && code != c.Lot && c.Quantity > 0 {
		return &OtherLotError{text: fmt.Sprintf(otherLot, code, widget.Count(c.Quantity), c.Lot)}
	}
	same := code == "" || code == c.Lot
	if same && !ends.IsZero() && !c.ExpiresAt.IsZero() && !ends.Equal(c.ExpiresAt) && c.Quantity > 0 {
		return fmt.Errorf(otherDay,
			ends.Format(time.DateOnly), c.ExpiresAt.Format(time.DateOnly))
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
func (c *Count) quantityText() string {
	if c.OverReceipt == 0 {
		return widget.Count(c.Quantity)
	}
	return widget.Count(c.Quantity) + " " + widget.Change(c.OverReceipt)
}
