package stored

import (
	"strings"

	"bincard/server/api"
)

// barcodeKeys returns the index keys of the barcodes of a product and its
// packaging units.
func barcodeKeys(p *api.Product) (keys [][]byte) {
	for _, code := range p.Barcodes {
		keys = append(keys, barcodeKey(code))
	}
	for _, u := range p.Units {
		for _, code := range u.Barcodes {
			keys = append(keys, barcodeKey(code))
		}
	}

	return keys
}

// barcodeKey returns the index key of a barcode.
func barcodeKey(code string) []byte { return FoldName(gtin14(code)) }

// BarcodeKeys returns the index keys of the spellings of a barcode.
func BarcodeKeys(code string) [][]byte { return NameKeys(gtin14(code)) }

// SameBarcode reports whether two barcodes are equal.
func SameBarcode(a, b string) bool { return sameName(gtin14(a), gtin14(b)) }

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
	for i := range p.Units {
		for _, b := range p.Units[i].Barcodes {
			if SameBarcode(b, code) {
				u := p.Units[i]
				return &u
			}
		}
	}

	return nil
}
