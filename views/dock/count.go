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
	Now     int64     `json:"now"` // pieces
	Lot     string    `json:"lot,omitempty"`
	LotID   api.ID    `json:"lotId,omitzero"` // where it is known
	Ends    time.Time `json:"ends,omitzero"`  // the lot's last day, midnight UTC
	None    bool      `json:"none,omitempty"` // it was said that there is none, where that counts
	Serials []string  `json:"serials,omitempty"`
	// Over came beside what is pending: it is received without the document.
	Over int64 `json:"over,omitempty"`
	// Damaged of Now are damaged; DamagedSerials are theirs, of goods kept by serial.
	Damaged        int64    `json:"damaged,omitempty"`
	DamagedSerials []string `json:"damagedSerials,omitempty"`
}

// Empty tells whether nothing is counted and nothing said of it.
func (c *Count) Empty() bool {
	return c.Now == 0 && !c.None && c.Lot == "" && c.Ends.IsZero() && len(c.Serials) == 0
}

// A Line is some goods of a document and what is counted of them.
type Line struct {
	Key     string // names the line within its document; may be empty where there is one
	Goods   Goods
	Pending int64 // pieces that are still to be booked
	// Beyond is how many more may be booked, which is Percent of what was expected.
	Beyond, Percent int64
	// Word is what the pieces that may be booked are called; "pending" if empty.
	Word  string
	Count Count
}

// pending is what the pieces that may be booked are called.
func (l *Line) pending() string {
	switch {
	case l.Word != "":
		return l.Word
	case l.Beyond > 0:
		return fmt.Sprintf(pendingAtMost, widget.Count(l.most()), l.Percent)
	}
	return wordPending
}

// Left is how much may still be counted.
func (l *Line) Left() int64 { return max(0, l.Pending-l.Count.Now) }

// most is how many may be booked.
func (l *Line) most() int64 { return l.Pending + l.Beyond }

// room is how many more may be counted.
func (l *Line) room() int64 { return max(0, l.most()-l.Count.Now) }

// within says how many are counted above what is pending, where that is allowed.
func (l *Line) within() string {
	over := l.Count.Now - l.Pending
	if over <= 0 || over > l.Beyond {
		return ""
	}
	return fmt.Sprintf(overWithin, widget.Count(over), l.Percent)
}

// ByLot and BySerial tell how the goods are told apart.
func (l *Line) ByLot() bool    { return l.Goods.Tracking == api.TrackLot }
func (l *Line) BySerial() bool { return l.Goods.Tracking == api.TrackSerial }

// Add counts n pieces more. More than is pending is refused with the numbers.
func (l *Line) Add(n int64) error {
	if n > l.room() {
		return l.tooMany(n)
	}
	l.Count.Now += n
	l.Count.None = false
	return nil
}

func (l *Line) tooMany(n int64) error {
	c := widget.Count
	if l.Count.Now == 0 {
		return &TooManyError{Over: n - l.room(), text: fmt.Sprintf(tooMany, c(n), c(l.Pending), l.Goods.SKU, l.pending())}
	}
	return &TooManyError{Over: n - l.room(), text: fmt.Sprintf(tooManyMore, c(n), c(l.Pending), l.Goods.SKU, l.pending(), c(l.Count.Now))}
}

// Set makes n the number counted.
func (l *Line) Set(n int64) error {
	switch {
	case l.BySerial() || len(l.Count.Serials) > 0:
		return fmt.Errorf(eachPiece, l.Goods.SKU, widget.Count(l.Count.Now))
	case n > l.most():
		return &TooManyError{Over: n - l.most(), Instead: true, text: fmt.Sprintf(tooManySet,
			widget.Count(n), widget.Count(l.Pending), l.Goods.SKU, l.pending(), widget.Count(l.Count.Now))}
	}
	l.Count.Now, l.Count.Over, l.Count.None = n, 0, false
	l.Count.Damaged = min(l.Count.Damaged, n)
	return nil
}

// Piece counts one piece by its serial number; one counted already is refused.
func (l *Line) Piece(serial string) error {
	if slices.Contains(l.Count.Serials, serial) {
		return fmt.Errorf(pieceCounted, serial, widget.Count(l.Count.Now))
	}
	if err := l.Add(1); err != nil {
		return err
	}
	l.Count.Serials = append(l.Count.Serials, serial)
	return nil
}

// Damage says that n of the counted pieces are damaged.
func (l *Line) Damage(n int64) error {
	if n > l.Count.Now {
		return fmt.Errorf(tooDamaged, widget.Count(n), widget.Count(l.Count.Now))
	}
	l.Count.Damaged, l.Count.DamagedSerials = n, nil
	return nil
}

// DamagePiece says that a counted piece is damaged, or takes it back.
func (l *Line) DamagePiece(serial string) error {
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

// InLot notes the lot and the day it ends (either may be missing). Another lot
// than the one being counted is refused: one booking is of one lot.
func (l *Line) InLot(code string, ends time.Time) error {
	c := &l.Count
	if code != "" && c.Lot != "" && code != c.Lot && c.Now > 0 {
		return &OtherLotError{text: fmt.Sprintf(otherLot, code, widget.Count(c.Now), c.Lot)}
	}
	same := code == "" || code == c.Lot
	if same && !ends.IsZero() && !c.Ends.IsZero() && !ends.Equal(c.Ends) && c.Now > 0 {
		return fmt.Errorf(otherDay,
			ends.Format(time.DateOnly), c.Ends.Format(time.DateOnly))
	}
	if code != "" && code != c.Lot {
		c.Lot, c.LotID, c.Ends = code, api.ID{}, time.Time{}
	}
	if !ends.IsZero() {
		c.Ends = ends
	}
	return nil
}

// now is what is counted, with what came over: "24 +12".
func (c *Count) now() string {
	if c.Over == 0 {
		return widget.Count(c.Now)
	}
	return widget.Count(c.Now) + " " + widget.Change(c.Over)
}
