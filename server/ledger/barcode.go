package ledger

import (
	"fmt"
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

func barcodeKey(code string) []byte { return foldName(gtin14(code)) }

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

// unitOfBarcode returns the packaging unit with the barcode, or nil.
func unitOfBarcode(p *api.Product, code string) *api.Unit {
	want := string(barcodeKey(code))
	for i := range p.Units {
		for _, b := range p.Units[i].Barcodes {
			if string(barcodeKey(b)) == want {
				u := p.Units[i]
				return &u
			}
		}
	}
	return nil
}

// checkBarcodes reports barcodes that occur twice on a new product, and rejects
// those that another product has.
func (c *writeTx) checkBarcodes(problems *api.Problems, p *api.Product) error {
	seen := map[string]bool{}
	check := func(path, code string) error {
		key := string(barcodeKey(code))
		if seen[key] {
			problems.Add(path, "distinct", "appears twice on this product: %s", code)
		}
		seen[key] = true
		other, err := findOne(c.r, products, "barcode", []byte(key))
		if err != nil || other == nil {
			return err
		}
		return api.Fail(api.AlreadyExists,
			api.Details{"resource": "product", "field": path, "barcode": code, "productId": other.ID, "sku": other.SKU},
			"Barcode %s already belongs to %s (%s). Remove it from one of the products.", code, other.SKU, other.Name)
	}
	for i, code := range p.Barcodes {
		if err := check(fmt.Sprintf("barcodes[%d]", i), code); err != nil {
			return err
		}
	}
	for i, u := range p.Units {
		for j, code := range u.Barcodes {
			if err := check(fmt.Sprintf("units[%d].barcodes[%d]", i, j), code); err != nil {
				return err
			}
		}
	}
	return nil
}
