// Package labeltest has what the tests of labels share: labels, a reader of pictures of
// labels, and a ZPL printer that keeps what it prints and misbehaves as tests ask.
package labeltest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label"
)

// Now is the time of the tests.
var Now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// GTIN is that of the sample product.
const GTIN = "9521000000018"

// Samples returns a label of each kind with all values, and those of a product without a
// GTIN.
func Samples() map[string]label.Label {
	lot := label.Label{Kind: label.KindLot, SKU: "OAT-1L", Name: "Oat milk 1 l", GTIN: GTIN, Lot: "L42-A", Expires: time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC), Quantity: 24}
	serial := label.Label{Kind: label.KindSerial, SKU: "SCA-5", Name: "Kitchen scale", GTIN: "9521000000087", Serial: "SCA000123"}
	pallet := lot
	pallet.Kind, pallet.SSCC, pallet.Quantity, pallet.Reference = label.KindPallet, "095210000000000018", 480, "PO-2026-118"
	ownLot, ownSerial := lot, serial
	ownLot.GTIN, ownSerial.GTIN = "", ""

	return map[string]label.Label{
		"lot": lot, "serial": serial, "pallet": pallet, "lot without a GTIN": ownLot, "serial without a GTIN": ownSerial,
		"product":                 {Kind: label.KindProduct, SKU: "OAT-1L", Name: "Oat milk 1 l", GTIN: GTIN},
		"product without a GTIN":  {Kind: label.KindProduct, SKU: "OAT-1L", Name: "Oat milk 1 l"},
		"case":                    {Kind: label.KindCase, SKU: "OAT-1L", Name: "Oat milk 1 l", GTIN: "19521000000015", Unit: "box", PerUnit: 12, Lot: "L42-A"},
		"location":                {Kind: label.KindLocation, Location: "WH-1", LocationName: "Main warehouse"},
		"shelf":                   {Kind: label.KindShelf, Shelf: "A-03-2", Location: "WH-1"},
		"document":                {Kind: label.KindDocument, Document: "Inbound", Reference: "PO-2026-118", Party: "Harbor Goods"},
		"pallet without contents": {Kind: label.KindPallet, SSCC: "095210000000000018"},
	}
}

// Page places a label on a built-in template.
func Page(t require.TestingT, l label.Label, template string, opts label.Options) (*label.Page, label.Codes) {
	if h, ok := t.(testing.TB); ok {
		h.Helper()
	}

	codes, err := label.Encode(l, Now)
	require.NoError(t, err)
	tm, err := label.Library{}.Find(template)
	require.NoError(t, err)
	page, err := tm.Place(l, codes, opts)
	require.NoError(t, err)

	return page, codes
}
