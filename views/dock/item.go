package dock

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// An Item is a product: all of it, or only its SKU and name if there is no catalog.
type Item struct {
	ID        api.ID
	SKU       string
	Name      string
	Tracking  api.Tracking // "" when unknown
	BaseUnit  string       // the unit a piece is counted in; "" when unknown
	Units     []api.Unit
	Barcodes  []string
	InCatalog bool // read from the catalog, not from an embedded reference
}

// ItemOf returns the item of a catalog product.
func ItemOf(p *api.Product) Item {
	return Item{ID: p.ID, SKU: p.SKU, Name: p.Name, Tracking: p.Tracking, BaseUnit: p.BaseUnitCode,
		Units: p.Units, Barcodes: p.Barcodes, InCatalog: true}
}

// Item reads a product from the catalog. Without a catalog it returns what the
// embedded reference has; ref may be nil.
func (s *Site) Item(ctx context.Context, id api.ID, ref *api.ProductRef) (Item, error) {
	p, err := Call(ctx, s, api.GetProduct, api.ProductInput{ProductID: id})
	switch {
	case err == nil:
		return ItemOf(&p), nil
	case !IsUnsupported(err):
		return Item{}, err
	case ref == nil:
		return Item{ID: id, SKU: ShortID(id)}, nil
	}
	return Item{ID: id, SKU: ref.SKU, Name: ref.Name}, nil
}

// FindItem returns the product that a code or a typed SKU names.
func (s *Site) FindItem(ctx context.Context, r Label) (*Item, error) {
	if r.HasNoCode() {
		return nil, labelError(s.T(), r, s.T().Get("%s names no product. Scan the product label.", r.Name()))
	}
	found, err := s.Lookup(ctx, r.Codes...)
	if IsUnsupported(err) {
		found, err = s.searchLists(ctx, r.Codes)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		if m.Product != nil {
			g := ItemOf(m.Product)
			return &g, nil
		}
	}
	if r.Problem != "" {
		return nil, MisreadError(s.T(), r)
	}
	s.noteUnknown(r)
	return nil, &UnknownItemError{Code: r.Codes[0], name: r.Name(), t: s.T()}
}

// An UnknownItemError reports a valid code that no product has.
type UnknownItemError struct {
	Code string
	name string
	t    *i18n.Translator
}

func (e *UnknownItemError) Error() string {
	return e.t.Get("There is no product %s. Check the code, or have the product added first.", e.name)
}

func labelError(t *i18n.Translator, r Label, text string) error {
	if r.Problem != "" {
		return MisreadError(t, r)
	}
	return errors.New(text)
}

// PackText describes the units and the tracking of an item: "box = 12, by lot".
func (i Item) PackText(t *i18n.Translator) string {
	var parts []string
	for _, u := range i.Units {
		if u.Factor > 1 {
			parts = append(parts, fmt.Sprintf("%s = %d", u.UnitCode, u.Factor))
		}
	}
	switch i.Tracking {
	case api.TrackLot:
		parts = append(parts, t.Get("by lot"))
	case api.TrackSerial:
		parts = append(parts, t.Get("by serial"))
	}
	return strings.Join(parts, ", ")
}

// UnitWord returns the base unit, or a default word if it is unknown.
func (i Item) UnitWord(t *i18n.Translator) string {
	if i.BaseUnit == "" {
		return t.Get("piece")
	}
	return i.BaseUnit
}

// MatchCode reports whether one of the codes names the item, in which unit, and how
// many pieces that unit holds.
func (i Item) MatchCode(t *i18n.Translator, codes ...string) (unit string, factor int64, ok bool) {
	for _, code := range codes {
		for _, u := range i.Units {
			for _, b := range u.Barcodes {
				if sameCode(b, code) {
					return u.UnitCode, max(1, u.Factor), true
				}
			}
		}
		if sameCode(i.SKU, code) {
			return i.UnitWord(t), 1, true
		}
		for _, b := range i.Barcodes {
			if sameCode(b, code) {
				return i.UnitWord(t), 1, true
			}
		}
	}
	return "", 0, false
}

// sameCode compares two codes, ignoring case. It compares trade item numbers by their
// 14 digits.
func sameCode(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" {
		return false
	}
	return strings.EqualFold(a, b) || (gtin14(a) != "" && gtin14(a) == gtin14(b))
}

// gtin14 returns a trade item number with all 14 digits, or "".
func gtin14(code string) string {
	switch len(code) {
	case 8, 12, 13, 14:
	default:
		return ""
	}
	for _, r := range code {
		if r < '0' || r > '9' {
			return ""
		}
	}
	return strings.Repeat("0", 14-len(code)) + code
}

// ShortID returns the first eight digits of an ID, for documents and products without
// a name.
func ShortID(id api.ID) string { return strings.ToUpper(id.String()[:8]) }
