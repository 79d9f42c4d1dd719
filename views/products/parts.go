package products

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/entry"
	"bincard/views/session"
)

// A part is a product that a kit contains, as it is typed: "2 x MUG-W".
type part struct {
	quantity int64
	ref      string // SKU, barcode or ID
}

var partPattern = regexp.MustCompile(`^(\d{1,9})\s+[x×*]\s+(\S.*)$`)

// parseParts returns the parts of a list with commas.
func parseParts(text string) (list []part) {
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		p := part{1, item}
		if found := partPattern.FindStringSubmatch(item); found != nil {
			p.quantity, _ = strconv.ParseInt(found[1], 10, 64)
			p.ref = found[2]
		}
		if item != "" {
			list = append(list, p)
		}
	}

	return list
}

func partsText(list []part) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = fmt.Sprintf("%d x %s", p.quantity, p.ref)
	}
	return strings.Join(texts, ", ")
}

// addPart returns the list with one more of a product.
func addPart(text, ref string) string {
	list := parseParts(text)
	if i := slices.IndexFunc(list, func(p part) bool { return strings.EqualFold(p.ref, ref) }); i >= 0 {
		list[i].quantity++
	} else {
		list = append(list, part{1, ref})
	}

	return partsText(list)
}

// componentsText returns the components as they are typed. parts has those that could be read.
func componentsText(p *api.Product, parts map[api.ID]api.Product) string {
	var list []part
	for _, c := range p.Components {
		ref := parts[c.ProductID].SKU
		if ref == "" {
			ref = c.ProductID.String()
		}
		list = append(list, part{c.Quantity, ref})
	}

	return partsText(list)
}

// nameParts returns the function that shows a scanned list of parts with the SKUs of the products,
// or an error if one is unknown. Texts of other fields stay.
func nameParts(site *session.Site) func(ctx context.Context, field, value string) (string, error) {
	return func(ctx context.Context, field, value string) (string, error) {
		if field != "parts" {
			return value, nil
		}
		found := map[api.ID]api.Product{}
		list, err := components(ctx, site, value, found)
		return componentsText(&api.Product{Components: list}, found), err
	}
}

// components returns the components that text lists, and adds their products to found. Of a
// product that is listed twice it has the sum.
func components(
	ctx context.Context, site *session.Site, text string, found map[api.ID]api.Product,
) ([]api.Component, error) {
	list := []api.Component{}
	for _, x := range parseParts(text) {
		p, err := Find(ctx, site, x.ref)
		if unknown := (*unknownProductError)(nil); errors.As(err, &unknown) {
			t := site.T()
			err = &entry.FieldError{Field: "parts", Short: t.Get("unknown product"),
				Long: t.Get("Product %s not found. Correct what the kit contains.", unknown.ref)}
		}
		if err != nil {
			return nil, err
		}

		found[p.ID] = p
		if _, factor, ok := count.ItemOf(&p).MatchCode(site.T(), x.ref); ok { // a box contains several
			x.quantity *= factor
		}
		if i := slices.IndexFunc(list, func(c api.Component) bool { return c.ProductID == p.ID }); i >= 0 {
			list[i].Quantity += x.quantity
		} else {
			list = append(list, api.Component{ProductID: p.ID, Quantity: x.quantity})
		}
	}

	return list, nil
}
