package intake

import (
	"strings"

	"bincard/server/api"
)

// A catalogue is the existing data, by normalized names.
type catalogue struct {
	products  map[string]*api.Product // by SKU
	barcodes  map[string]string       // the SKU of each barcode
	locations *places
	owners    *places
	channels  *places
	lines     map[string]int // the first line of each key in the file
	lots      map[string]*lot
	home      *api.Organization
}

// load reads the existing data that the kind of table needs.
func (c *checker) load() (err error) {
	k := &c.catalogue
	k.products, k.barcodes, k.lines, k.lots = map[string]*api.Product{}, map[string]string{}, map[string]int{}, map[string]*lot{}
	if c.Kind != Locations {
		err = readAll(c, api.ListProducts, func(cursor string) api.ListProductsInput {
			return api.ListProductsInput{Page: api.Page{Limit: pageLimit(), Cursor: cursor}}
		}, func(p api.Product) {
			k.products[foldName(p.SKU)] = &p
			for _, b := range barcodes(&p) {
				k.barcodes[normalizeGTIN(b)] = p.SKU
			}
		})
		if err != nil {
			return err
		}
	}
	if c.Kind == Products {
		return nil
	}
	if k.locations, err = c.places(api.ListLocations); err != nil || c.Kind == Locations {
		return err
	}
	if k.owners, err = c.places(api.ListOwners); err != nil {
		return err
	}
	k.channels, err = c.places(api.ListChannels)
	return err
}

// places are locations, owners or channels by code, and by name if it is
// unique.
type places struct{ byCode, byName map[string]*api.Place }

func (c *checker) places(op api.Operation[api.ListPlacesInput, api.List[api.Place]]) (*places, error) {
	out := &places{map[string]*api.Place{}, map[string]*api.Place{}}
	err := readAll(c, op, func(cursor string) api.ListPlacesInput {
		return api.ListPlacesInput{Page: api.Page{Limit: pageLimit(), Cursor: cursor}}
	}, func(p api.Place) {
		out.byCode[foldName(p.Code)] = &p
		if _, duplicate := out.byName[foldName(p.Name)]; duplicate {
			out.byName[foldName(p.Name)] = nil
		} else {
			out.byName[foldName(p.Name)] = &p
		}
	})
	return out, err
}

// find finds a place by code or name.
func (x *places) find(text string) *api.Place {
	if p := x.byCode[foldName(text)]; p != nil {
		return p
	}
	return x.byName[foldName(text)]
}

// readAll reads all pages of a list.
func readAll[I, T any](c *checker, op api.Operation[I, api.List[T]], input func(cursor string) I, take func(T)) error {
	for cursor := ""; ; {
		list, err := op.Call(c.ctx, c.svc, input(cursor))
		if err != nil {
			return err
		}
		for _, x := range list.Items {
			take(x)
		}
		if list.NextCursor == nil {
			return nil
		}
		cursor = *list.NextCursor
	}
}

func pageLimit() *int64 { n := int64(100); return &n }

func foldName(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

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
