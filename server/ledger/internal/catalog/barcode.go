package catalog

import (
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// maxBarcodes is how many barcodes a product or a package has at most, and how many
// packages a product has, as for a new product.
const maxBarcodes = 20

// LinkBarcode adds a barcode to a product, or to its package with the factor. Linking a
// barcode again has no effect.
func LinkBarcode(c *posting.Tx, in *api.LinkBarcodeInput) error {
	p, err := activeProduct(c, in.ProductID)
	if err != nil {
		return err
	}

	code, factor := api.CleanCode(in.Barcode), int64(1)
	if in.Factor != nil {
		factor = *in.Factor
	}

	owner, err := stored.FindOne(c.Reader, stored.Products, "barcode", stored.BarcodeKeys(in.Barcode))
	if err != nil {
		return err
	}

	if owner != nil {
		if owner.ID == p.ID && factorOf(&p.Product, code) == factor {
			return c.SetDocument(p.Product)
		}
		return alreadyLinked(&owner.Product, code,
			api.Textf("%s already belongs to %s (%s). Nothing was changed.", code, owner.SKU, owner.Name))
	}

	if err := checkNoSKU(c, in.Barcode); err != nil {
		return err
	}
	if err := addBarcode(&p.Product, code, factor); err != nil {
		return err
	}

	return saveProduct(c, p)
}

// UnlinkBarcode removes a barcode from a product, or from a package of it. The package
// stays: its unit may be in use.
func UnlinkBarcode(c *posting.Tx, in *api.UnlinkBarcodeInput) error {
	p, err := stored.Find(c.Reader, stored.Products, "product", in.ProductID)
	if err != nil {
		return err
	}

	code := api.CleanCode(in.Barcode)
	if !removeBarcode(&p.Product, code) {
		return api.Fail(api.NotFound,
			api.Details{"resource": "barcode", "barcode": code, "productId": p.ID, "sku": p.SKU},
			"%s is not a barcode of %s. Nothing was changed.", code, p.SKU)
	}

	c.Entry.Reason = in.Reason
	return saveProduct(c, p)
}

// removeBarcode removes a barcode from a product or a package of it. It reports whether
// the product had it.
func removeBarcode(p *api.Product, code string) bool {
	same := func(b string) bool { return stored.SameBarcode(b, code) }
	if i := slices.IndexFunc(p.Barcodes, same); i >= 0 {
		p.Barcodes = slices.Delete(p.Barcodes, i, i+1)
		return true
	}

	for u := range p.Units {
		codes := &p.Units[u].Barcodes
		if i := slices.IndexFunc(*codes, same); i >= 0 {
			*codes = slices.Delete(*codes, i, i+1)
			if len(*codes) == 0 {
				*codes = nil
			}
			return true
		}
	}

	return false
}

// alreadyLinked returns the error for a code that a product has.
func alreadyLinked(p *api.Product, code, text string) error {
	return api.Fail(api.AlreadyExists,
		api.Details{"resource": "product", "field": "barcode", "barcode": code, "productId": p.ID, "sku": p.SKU}, "%v",
		text)
}

// checkNoSKU rejects a barcode that is the SKU of a product, which a scan of it means.
func checkNoSKU(c *posting.Tx, code string) error {
	owner, err := stored.FindOne(c.Reader, stored.Products, "sku", stored.NameKeys(code))
	if owner == nil || err != nil {
		return err
	}
	return alreadyLinked(&owner.Product, code,
		api.Textf("%s is the SKU of a product (%s). It needs no link.", owner.SKU, owner.Name))
}

// factorOf returns how many base units a barcode of a product stands for.
func factorOf(p *api.Product, code string) int64 {
	if u := stored.UnitOfBarcode(p, code); u != nil {
		return u.Factor
	}
	return 1
}

// addBarcode adds a barcode to a product or to its package with the factor. A new package
// is called a box.
func addBarcode(p *api.Product, code string, factor int64) error {
	var problems api.Problems
	codes := &p.Barcodes
	if factor != 1 {
		i := slices.IndexFunc(p.Units, func(u api.Unit) bool { return u.Factor == factor })
		if i < 0 {
			i, p.Units = len(p.Units), append(p.Units, api.Unit{UnitCode: newUnitCode(p, factor), Factor: factor})
		}
		codes = &p.Units[i].Barcodes
	}

	*codes = append(*codes, code)
	if len(*codes) > maxBarcodes {
		problems.Add("barcode", "maxItems", "the product has %d barcodes, the most it can have", maxBarcodes)
	}
	if len(p.Units) > maxBarcodes {
		problems.Add("factor", "maxItems", "the product has %d packages, the most it can have", maxBarcodes)
	}

	return problems.Err()
}

// newUnitCode returns "box", or "box-24" if the product has another unit of that name.
func newUnitCode(p *api.Product, factor int64) string {
	if strings.EqualFold(p.BaseUnitCode, "box") ||
		slices.ContainsFunc(p.Units, func(u api.Unit) bool { return strings.EqualFold(u.UnitCode, "box") }) {
		return fmt.Sprintf("box-%d", factor)
	}
	return "box"
}
