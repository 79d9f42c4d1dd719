package labels

import (
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/views/count"
	"bincard/views/session"
)

// OfReceipt returns the labels of what was received of an item, and how many of each: one
// for each serial number, else one for each package, or for each piece of a product without
// lots. A lot without packages has one label for its quantity.
func OfReceipt(item count.Item, c count.Count, now time.Time) (out []printing.Copies) {
	for _, serial := range c.Serials {
		out = append(out, printing.Copies{Label: OfSerial(item, serial, c.Lot, c.ExpiresAt, now), Count: 1})
	}

	rest := c.Quantity + c.OverReceipt - int64(len(out))
	if rest <= 0 {
		return out
	}

	if unit, ok := smallestPackage(item, rest); ok {
		if l, ok := packageLabel(item, unit, c, now); ok {
			out = append(out, printing.Copies{Label: l, Count: int(rest / unit.Factor)})
			rest %= unit.Factor
		}
	}

	switch {
	case rest == 0:
	case c.Lot != "":
		out = append(out, printing.Copies{Label: OfLot(item, c.Lot, c.ExpiresAt, rest, now), Count: 1})
	default:
		out = append(out, printing.Copies{Label: OfProduct(item, now), Count: int(rest)})
	}

	return out
}

// packageLabel returns the label of a package. ok is false if a scanner could not tell it
// from a piece.
func packageLabel(item count.Item, unit api.Unit, c count.Count, now time.Time) (l label.Label, ok bool) {
	if c.Lot != "" {
		return OfLot(item, c.Lot, c.ExpiresAt, unit.Factor, now), true
	}
	l = OfProduct(item, now)
	l.Kind, l.GTIN, l.Unit, l.PerUnit = label.KindCase, label.GTINOf(unit.Barcodes, now), unit.UnitCode, unit.Factor
	return l, l.GTIN != ""
}

// smallestPackage returns the smallest package of an item that a quantity fills.
func smallestPackage(item count.Item, quantity int64) (smallest api.Unit, ok bool) {
	for _, u := range item.Units {
		if u.Factor > 1 && u.Factor <= quantity && (!ok || u.Factor < smallest.Factor) {
			smallest, ok = u, true
		}
	}

	return smallest, ok
}

// expiryWait is how long AddExpiry waits for the service.
const expiryWait = 2 * time.Second

// AddExpiry sets the expiration date of the labels of a lot that have none, as the service
// knows it. Without an answer they keep none.
func AddExpiry(ctx context.Context, site *session.Site, item count.Item, batch []printing.Copies) {
	ctx, cancel := context.WithTimeout(ctx, expiryWait)
	defer cancel()
	r := Request{New: true}
	for i := range batch {
		l := &batch[i].Label
		if l.Lot == "" || !l.Expires.IsZero() {
			continue
		}

		if r.Lot != l.Lot {
			r.Lot, r.Expires = l.Lot, time.Time{}
			if err := r.lot(ctx, site, &item); err != nil {
				return
			}
		}

		l.Expires = r.Expires
	}
}

// AddRecordedExpiry sets the expiration dates of the labels of lots that have none from the
// movements of their receipt. It reports whether these have all of the lots.
func AddRecordedExpiry(recorded []api.Movement, batch []printing.Copies) bool {
	all := true
	for i := range batch {
		l := &batch[i].Label
		if l.Lot == "" || !l.Expires.IsZero() {
			continue
		}

		at := slices.IndexFunc(recorded,
			func(m api.Movement) bool { return m.Lot != nil && strings.EqualFold(m.Lot.LotCode, l.Lot) })
		if at < 0 {
			all = false
		} else if ends := recorded[at].Lot.ExpiresAt; ends != nil {
			l.Expires = ends.UTC().Truncate(24 * time.Hour)
		}
	}

	return all
}
