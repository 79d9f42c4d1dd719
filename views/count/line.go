package count

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// A Line is an item of a document and its count.
type Line struct {
	Key        string // identifies the line in its document; may be empty if there is only one
	Item       Item
	For        string   // names the order that the line is of, on a list of several; see Group
	Shelves    []string // of the item at the document's location, the main one first
	ShelfCheck bool     // the company wants the shelf to be scanned first
	Pending    int64    // pieces still to be booked
	// Tolerance is how many more than Pending may be booked: TolerancePercent of the
	// expected quantity.
	Tolerance, TolerancePercent int64
	// PendingWord describes the pieces that may be booked; "to go" if empty.
	PendingWord string
	// Announced is what the sender has announced about an incoming line.
	Announced api.Announced
	// Stock is what the item of an outgoing line can be taken from.
	Stock PickStock
	// SeveralLots reports whether several lots may be counted.
	SeveralLots bool
	Count       Count
}

// PendingText returns PendingWord, or its default with the tolerance.
func (l *Line) PendingText(t *i18n.Translator) string {
	switch {
	case l.PendingWord != "":
		return l.PendingWord
	case l.Tolerance > 0:
		return t.Get("to go (at most %s, with %d%% over)", t.Count(l.Limit()), l.TolerancePercent)
	}

	return t.Get("to go")
}

// ShelfText returns the shelves of the line: "A-03-2  B-01".
func (l *Line) ShelfText() string { return strings.Join(l.Shelves, "  ") }

// HasShelves reports whether an item of the lines has a shelf.
func HasShelves(lines []*Line) bool {
	return slices.ContainsFunc(lines, func(l *Line) bool { return len(l.Shelves) > 0 })
}

// MainShelf returns the main shelf of the line, or "".
func (l *Line) MainShelf() string {
	if len(l.Shelves) == 0 {
		return ""
	}
	return l.Shelves[0]
}

// Remaining returns how much of Pending is not counted yet.
func (l *Line) Remaining() int64 { return max(0, l.Pending-l.Count.Quantity) }

// Products returns the number of different products on lines.
func Products(lines []Line) int {
	products := map[api.ID]bool{}
	for i := range lines {
		products[lines[i].Item.ID] = true
	}
	return len(products)
}

// Limit returns how many pieces may be booked.
func (l *Line) Limit() int64 { return l.Pending + l.Tolerance }

// addable returns how many more pieces may be counted.
func (l *Line) addable() int64 { return max(0, l.Limit()-l.Count.Quantity) }

// ToleranceText says by how much the count exceeds Pending within the tolerance, or
// returns "".
func (l *Line) ToleranceText(t *i18n.Translator) string {
	over := l.Count.Quantity - l.Pending
	if over <= 0 || over > l.Tolerance {
		return ""
	}
	return t.Get("%s over (limit %d%%)", t.Count(over), l.TolerancePercent)
}

// AllOfLot returns the quantity of the current lot that completes the line.
func (l *Line) AllOfLot() int64 { return l.Pending - l.Count.Quantity + l.Count.ofLot() }

// SplitLots returns the line once for each counted lot. The lot of the last label is left out if
// nothing is counted of it, unless it is the only one.
func (l Line) SplitLots() (out []Line) {
	lots := l.Count.Lots
	l.Count.Quantity, l.Count.Lots = l.Count.ofLot(), nil
	for _, c := range lots {
		other := l
		other.Count = c
		out = append(out, other)
	}
	if len(out) > 0 && l.Count.Quantity == 0 && len(l.Count.Serials) == 0 {
		return out
	}

	return append(out, l)
}

// ByLot and BySerial report how the item is tracked.
func (l *Line) ByLot() bool { return l.Item.Tracking == api.TrackLot }

func (l *Line) BySerial() bool { return l.Item.Tracking == api.TrackSerial }

// NeedsShelf reports whether the shelf must be scanned before anything is counted.
func (l *Line) NeedsShelf() bool { return l.ShelfCheck && len(l.Shelves) > 0 && l.Count.Shelf == "" }

// checkShelf returns an error if the shelf must be scanned first.
func (l *Line) checkShelf(t *i18n.Translator) error {
	if !l.NeedsShelf() {
		return nil
	}
	return t.NewError("%s is on %s. Scan that shelf first.", l.Item.SKU, l.ShelfText())
}

// Add adds n pieces to the count. It returns an OverReceiptError if that exceeds the
// limit.
func (l *Line) Add(t *i18n.Translator, n int64) error {
	if err := l.checkShelf(t); err != nil {
		return err
	}
	if n > l.addable() {
		return l.overReceiptError(t, n)
	}
	l.Count.Quantity += n
	l.Count.None = false
	return nil
}

func (l *Line) overReceiptError(t *i18n.Translator, n int64) error {
	c, e := t.Count, &OverReceiptError{Over: n - l.addable(), pieces: n, text: l.waitingText(t)}
	switch {
	case e.text != "":
	case l.Pending == 0 && l.Count.Quantity == 0:
		e.text = t.Get("%s: nothing %s. Not counted.", l.Item.SKU, l.PendingText(t))
	case l.Count.Quantity == 0:
		e.text = t.Get("Too many: %s has only %s %s. Not counted.", l.Item.SKU, c(l.Pending), l.PendingText(t))
	default:
		e.text = t.Get(
			"Too many: %s has only %s %s, and %s are already counted. Not added.",
			l.Item.SKU,
			c(l.Pending),
			l.PendingText(t),
			c(l.Count.Quantity),
		)
	}

	return e
}

// Set sets the count of the current lot to n. It fails if serials are counted or n exceeds the limit.
func (l *Line) Set(t *i18n.Translator, n int64) error {
	if err := l.checkShelf(t); n > 0 && err != nil {
		return err
	}

	n += l.Count.Quantity - l.Count.ofLot()
	switch {
	case l.BySerial() || len(l.Count.Serials) > 0:
		return t.NewError(
			"%s is serialized: scan each serial number. The count stays at %s.",
			l.Item.SKU,
			t.Count(l.Count.Quantity),
		)

	case n > l.Limit():
		e := &OverReceiptError{Over: n - l.Limit(), Instead: true, pieces: n, text: l.waitingText(t)}
		switch {
		case e.text != "":
		case l.Pending == 0:
			e.text = t.Get("%s: nothing %s. The count stays at %s.", l.Item.SKU, l.PendingText(t),
				t.Count(l.Count.Quantity))
		default:
			e.text = t.Get("Too many: %s has only %s %s. The count stays at %s.",
				l.Item.SKU, t.Count(l.Pending), l.PendingText(t), t.Count(l.Count.Quantity))
		}

		return e
	}

	l.Count.Quantity, l.Count.None = n, false
	l.Count.OverReceipt, l.Count.OverReason, l.Count.OverApprovedBy = 0, "", ""
	l.Count.Damaged = min(l.Count.Damaged, n)

	return nil
}

// AddSerial counts one piece by its serial number. It fails if the serial is already
// counted.
func (l *Line) AddSerial(t *i18n.Translator, serial string) error {
	if slices.Contains(l.Count.Serials, serial) {
		return t.NewError("Serial %s is already counted. The count stays at %s.", serial, t.Count(l.Count.Quantity))
	}

	if err := l.Add(t, 1); err != nil {
		return err
	}

	l.Count.Serials = append(l.Count.Serials, serial)

	return nil
}

// SetDamaged marks n of the counted pieces as damaged.
func (l *Line) SetDamaged(t *i18n.Translator, n int64) error {
	if n > l.Count.Quantity {
		return t.NewError(
			"%s damaged is more than the %s counted. Count them first.",
			t.Count(n),
			t.Count(l.Count.Quantity),
		)
	}
	l.Count.Damaged, l.Count.DamagedSerials = n, nil
	return nil
}

// ToggleDamagedSerial marks a counted serial as damaged, or removes the mark.
func (l *Line) ToggleDamagedSerial(t *i18n.Translator, serial string) error {
	c := &l.Count
	if !slices.Contains(c.Serials, serial) {
		return t.NewError("Serial %s is not counted. Scan it first, then mark it damaged.", serial)
	}
	if i := slices.Index(c.DamagedSerials, serial); i >= 0 {
		c.DamagedSerials = slices.Delete(c.DamagedSerials, i, i+1)
	} else {
		c.DamagedSerials = append(c.DamagedSerials, serial)
	}

	c.Damaged = int64(len(c.DamagedSerials))

	return nil
}

// SetLot sets the lot and its expiration date; either may be empty. It rejects another
// lot while pieces are counted, unless several may be.
func (l *Line) SetLot(t *i18n.Translator, code string, expiresAt time.Time) error {
	c := &l.Count
	switch other := code != "" && c.Lot != "" && code != c.Lot && c.Quantity > 0; {
	case other && l.SeveralLots:
		c.changeLot(code)
	case other:
		return &OtherLotError{
			text: t.Get("This is lot %s, but %s of lot %s are counted. Press F8 to record those first.", code,
				t.Count(c.Quantity), c.Lot),
		}
	}

	same := code == "" || code == c.Lot
	if same && !expiresAt.IsZero() && !c.ExpiresAt.IsZero() && !expiresAt.Equal(c.ExpiresAt) && c.Quantity > 0 {
		return t.NewError(
			"This label expires %s, but the counted items expire %s. Check the labels, or correct the lot (F7).",
			t.Date(expiresAt),
			t.Date(c.ExpiresAt),
		)
	}

	if code != "" && code != c.Lot {
		c.Lot, c.LotID, c.ExpiresAt = code, api.NoID, time.Time{}
	}
	if !expiresAt.IsZero() {
		c.ExpiresAt = expiresAt
	}

	return nil
}

// CheckBookable returns why the line cannot be booked yet, or nil.
func (l *Line) CheckBookable(t *i18n.Translator) error {
	c, n := &l.Count, int64(len(l.Count.Serials))
	switch {
	case c.Quantity == 0:
		return nil
	case c.Quantity > l.Limit():
		return t.NewError("%s has only %s %s, but the count is %s. Type at most %s.",
			l.Item.SKU, t.Count(l.Pending), l.PendingText(t), t.Count(c.Quantity), t.Count(l.Limit()))
	case (l.BySerial() || n > 0) && n != c.Quantity:
		return t.NewError("%s of %s items have a serial number. Scan the others, or set the count to 0 and start over.",
			t.Count(n), t.Count(c.Quantity))
	}

	return nil
}

// Text describes the count in words; "" if nothing is counted.
func (l *Line) Text(t *i18n.Translator) string {
	c := &l.Count
	var parts []string
	add := func(text string) { parts = append(parts, text) }
	if c.Quantity > 0 {
		add(t.Get("now %s", t.Count(c.Quantity)))
	}
	if c.OverReceipt > 0 {
		add(t.Get("%s extra", t.Count(c.OverReceipt)))
	}
	if c.Lot != "" {
		add(t.Get("lot %s", c.LotText(t)))
	}
	if !c.ExpiresAt.IsZero() {
		add(t.Get("expires %s", t.Date(c.ExpiresAt)))
	}
	if c.Damaged > 0 {
		add(t.Get("damaged %s", t.Count(c.Damaged)))
	}
	if n := len(c.Serials); n > 0 {
		add(t.Get("serials %s", strings.Join(c.Serials, " ")))
	}

	return strings.Join(parts, "  ")
}
