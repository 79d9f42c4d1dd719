package stored

import (
	"strings"

	"bincard/server/api"
)

// barcodeKeys returns the index keys of the barcodes of a product and its
// packaging units.
func barcodeKeys(p *api.Product) (keys [][]byte) {
	for _, code := range p.Barcodes {
		keys = append(keys, BarcodeKey(code))
	}
	for _, u := range p.Units {
		for _, code := range u.Barcodes {
			keys = append(keys, BarcodeKey(code))
		}
	}

	return keys
}

// BarcodeKey returns the index key of a barcode.
func BarcodeKey(code string) []byte { return FoldName(gtin14(code)) }

// gtin14 pads a code of 8, 12, 13 or 14 digits to 14 digits, so that an EAN-13
// and the GTIN-14 of the same article are equal; it returns any other code unchanged.
func gtin14(code string) string {
	code = strings.TrimSpace(code)
	switch len(code) {
	case 8, 12, 13, 14:
	default:
		return code
	}

	for i := range len(code) {
		if code[i] < '0' || code[i] > '9' {
			return code
		}
	}

	return strings.Repeat("0", 14-len(code)) + code
}

// UnitOfBarcode returns the packaging unit with the barcode, or nil.
func UnitOfBarcode(p *api.Product, code string) *api.Unit {
	want := string(BarcodeKey(code))
	for i := range p.Units {
		for _, b := range p.Units[i].Barcodes {
			if string(BarcodeKey(b)) == want {
				u := p.Units[i]
				return &u
			}
		}
	}

	return nil
}
