package count

import (
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// A PickLot is a lot that an outgoing item can be taken from.
type PickLot struct {
	Code      string
	ExpiresAt time.Time // zero if it does not expire
	Quantity  int64
}

// PickStock is the stock that the item of an outgoing line can be taken from, as far as
// it is known.
type PickStock struct {
	// Held are the lots that the document holds for the line, with what of them is not
	// picked, and Available those that nothing holds; both first expiry first.
	Held, Available []PickLot
	// Waiting is what of the line waits for stock. Free is all available stock; nil if
	// unknown.
	Waiting int64
	Free    *int64
	// Packed means that what is picked is packed too.
	Packed bool
	// Picked are the serials that were picked for the line, and Serials others in stock, lot
	// by lot, in ascending order.
	Picked, Serials []string
}

// LotHint returns the codes of the lots that the ledger takes the item from if none is
// scanned, or "".
func (l *Line) LotHint() string { return strings.Join(l.TakeFrom(), ", ") }

// TakeFrom returns the codes of the lots that the line is taken from if none is scanned,
// first expiry first: those that the document holds, else available ones. For an item
// tracked by serial there are none: see SuggestedSerials.
func (l *Line) TakeFrom() (codes []string) {
	if l.BySerial() {
		return nil
	}

	if len(l.Stock.Held) > 0 {
		for _, x := range l.Stock.Held {
			codes = append(codes, x.Code)
		}
		return codes
	}

	left := l.Pending
	for _, x := range l.Stock.Available {
		if left <= 0 {
			break
		}
		codes = append(codes, x.Code)
		left -= x.Quantity
	}

	return codes
}

// NextLot returns the code of the lot to scan next, or "": the first of TakeFrom, without those
// that are picked while others are not.
func (l *Line) NextLot() string {
	codes := l.TakeFrom()
	i := max(0, slices.IndexFunc(l.Stock.Held, func(x PickLot) bool { return x.Quantity > 0 }))
	if i >= len(codes) {
		return ""
	}
	return codes[i]
}

// StockedLot returns the lot with a code that can be taken from the shelf, if it is known.
func (l *Line) StockedLot(code string) (lot PickLot, ok bool) {
	for _, x := range slices.Concat(l.Stock.Held, l.Stock.Available) {
		if code != "" && x.Code == code {
			return x, true
		}
	}

	return PickLot{}, false
}

// IsPicked reports whether all of the line is picked from lots.
func (l *Line) IsPicked() bool {
	held := l.Stock.Held
	return len(held) > 0 && !slices.ContainsFunc(held, func(x PickLot) bool { return x.Quantity > 0 })
}

// SuggestedSerials returns the serials to take for what is left of the line.
func (l *Line) SuggestedSerials() (out []string) {
	for _, s := range slices.Concat(l.Stock.Picked, l.Stock.Serials) {
		if int64(len(out)) < l.Remaining() && !slices.Contains(l.Count.Serials, s) {
			out = append(out, s)
		}
	}

	return out
}

// pickedLotError rejects a lot if all of the line is picked from others, or returns nil. The
// lot that the line already has is confirmed.
func (l *Line) pickedLotError(t *i18n.Translator, code string) error {
	if code == "" || code == l.Count.Lot || len(l.Stock.Held) == 0 {
		return nil
	}
	if l.For != "" && l.Stock.Held[0].Code != code {
		return t.NewError("Lot %s is not allocated to these orders. Take lot %s.", code, l.LotHint())
	}
	for _, x := range l.Stock.Held {
		if x.Code == code || x.Quantity > 0 {
			return nil
		}
	}

	if text := l.noStockText(t, code); text != "" { // nothing of it can be swapped in
		return errors.New(text)
	}

	text := t.Get("Picked from lot %s, not %s. Press F8 to swap the lot.", l.LotHint(), code)
	if l.Stock.Packed {
		text = t.Get("Packed from lot %s, not %s. Press F8 to swap the lot.", l.LotHint(), code)
	}

	return &PickedLotError{l, text}
}

// waitingText says that nothing is to go of the line because it waits for stock, or returns "".
func (l *Line) waitingText(t *i18n.Translator) string {
	waiting := t.Count(l.Stock.Waiting)
	switch {
	case l.Pending > 0 || l.Stock.Waiting == 0:
		return ""
	case l.Stock.Free == nil || *l.Stock.Free == 0:
		return t.Get("%s × %s wait for stock. Nothing was counted.", waiting, l.Item.SKU)
	}

	return t.Get("%s × %s wait for stock; %s are here. Press F3 to allocate.", waiting, l.Item.SKU,
		t.Count(*l.Stock.Free))
}

// noStockText says that nothing of a lot can be taken from the shelf, or returns "" if something
// can, or if that is unknown. The lot that the line already has is confirmed.
func (l *Line) noStockText(t *i18n.Translator, code string) string {
	if _, ok := l.StockedLot(code); ok || code == "" || code == l.Count.Lot || l.Stock.Free == nil {
		return ""
	}
	return t.Get("No stock of lot %s is free here. Check the label.", code)
}

// EarlierLotText says that another lot of the line is here and expires before the lot
// with a code, or returns "". The lot that the line already has is confirmed.
func (l *Line) EarlierLotText(t *i18n.Translator, code string, expiresAt time.Time) string {
	if code == "" || code == l.Count.Lot || !l.SeveralLots && l.Count.Lot != "" && l.Count.Quantity > 0 {
		return ""
	}

	counted := map[string]int64{}
	for _, x := range l.SplitLots() {
		counted[x.Count.Lot] += x.Count.Quantity
	}

	here := slices.Concat(l.Stock.Held, l.Stock.Available)
	stocked, ok := l.StockedLot(code)
	switch {
	case ok:
		expiresAt = stocked.ExpiresAt
	case expiresAt.IsZero():
		return "" // its expiration date is unknown
	}

	var first *PickLot
	for i, x := range here {
		earlier := x.Quantity > counted[x.Code] && x.Code != code && !x.ExpiresAt.IsZero() &&
			(expiresAt.IsZero() || x.ExpiresAt.Before(expiresAt))
		if earlier && (first == nil || x.ExpiresAt.Before(first.ExpiresAt)) {
			first = &here[i]
		}
	}

	if first == nil {
		return ""
	}

	return t.Get("%s expires earlier (%s) and is here. This is lot %s.", first.Code,
		t.Date(first.ExpiresAt), code)
}
