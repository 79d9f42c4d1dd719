package labels

import (
	"time"

	"bincard/tui/label"
	"bincard/views/count"
	"bincard/views/session"
)

// OfProduct returns the label of one piece of a product.
func OfProduct(item count.Item, now time.Time) label.Label {
	return label.Label{Kind: label.KindProduct, SKU: item.SKU, Name: item.Name, GTIN: label.GTINOf(item.Barcodes, now)}
}

// OfLot returns the label of stock of a lot. expires is zero if unknown, and so is the
// quantity in pieces.
func OfLot(item count.Item, lot string, expires time.Time, quantity int64, now time.Time) label.Label {
	l := OfProduct(item, now)
	l.Kind, l.Lot, l.Expires, l.Quantity, l.Unit = label.KindLot, lot, expires, quantity, item.BaseUnit
	return l
}

// OfSerial returns the label of a serialized piece, with its lot or "".
func OfSerial(item count.Item, serial, lot string, expires time.Time, now time.Time) label.Label {
	l := OfProduct(item, now)
	l.Kind, l.Serial, l.Lot, l.Expires = label.KindSerial, serial, lot, expires
	return l
}

// OfLocation returns the label of a location.
func OfLocation(l session.Location) label.Label {
	return label.Label{Kind: label.KindLocation, Location: l.Code, LocationName: l.Name}
}
