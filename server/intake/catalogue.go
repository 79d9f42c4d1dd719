package intake

import (
	"strings"

	"bincard/server/api"
)

// A catalogue is the existing data, by normalized names. Its products are those
// that the current part names.
type catalogue struct {
	products  map[string]*api.Product // by SKU
	gtins     map[string]*api.Match   // the product of each GTIN; nil for an unknown GTIN
	barcodes  map[string]*api.Product // the product of each barcode
	locations *places
	owners    *places
	channels  *places
	home      *api.Organization
}

// places are locations, owners or channels by code, and by name if it is
// unique.
type places struct{ byCode, byName map[string]*api.Place }

// find finds a place by code or name.
func (x *places) find(text string) *api.Place {
	if p := x.byCode[foldName(text)]; p != nil {
		return p
	}
	return x.byName[foldName(text)]
}

func foldName(s string) string { return strings.ToLower(api.CleanCode(s)) }

// barcodes returns the barcodes of a product and its units.
func barcodes(p *api.Product) []string {
	all := append([]string(nil), p.Barcodes...)
	for _, u := range p.Units {
		all = append(all, u.Barcodes...)
	}
	return all
}

// normalizeGTIN returns a barcode as the ledger compares it: a GTIN is padded
// to 14 digits.
func normalizeGTIN(code string) string {
	code = strings.TrimSpace(code)
	if n := len(code); n != 8 && n != 12 && n != 13 && n != 14 || strings.Trim(code, "0123456789") != "" {
		return foldName(code)
	}
	return strings.Repeat("0", 14-len(code)) + code
}
