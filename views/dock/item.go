package dock

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
)

// Item are a product as far as the service tells: everything, or its name and
// SKU alone where it has no catalogue.
type Item struct {
	ID        api.ID
	SKU       string
	Name      string
	Tracking  api.Tracking // "" when unknown
	BaseUnit  string       // the unit a piece is counted in; "" when unknown
	Units     []api.Unit
	Barcodes  []string
	InCatalog bool // the catalogue told; else only the reference did
}

// ItemOf are the goods of a product of the catalogue.
func ItemOf(p *api.Product) Item {
	return Item{ID: p.ID, SKU: p.SKU, Name: p.Name, Tracking: p.Tracking, BaseUnit: p.BaseUnitCode,
		Units: p.Units, Barcodes: p.Barcodes, InCatalog: true}
}

// Item asks the catalogue for the product of a document; where there is none
// they are what the embedded reference says.
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

// FindItem finds the product that a code or a typed SKU names.
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
		return nil, rejectMisread(s.T(), r).Err
	}
	s.noteUnknown(r)
	return nil, &UnknownItemError{Code: r.Codes[0], name: r.Name(), t: s.T()}
}

// An UnknownItemError tells that a code is sound, but no product has it.
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
		return rejectMisread(t, r).Err
	}
	return errors.New(text)
}

// PackText says in a few words how the goods come: "box = 12, by lot".
func (g Item) PackText(t *i18n.Translator) string {
	var words []string
	for _, u := range g.Units {
		if u.Factor > 1 {
			words = append(words, fmt.Sprintf("%s = %d", u.UnitCode, u.Factor))
		}
	}
	switch g.Tracking {
	case api.TrackLot:
		words = append(words, t.Get("by lot"))
	case api.TrackSerial:
		words = append(words, t.Get("by serial"))
	}
	return strings.Join(words, ", ")
}

// UnitWord is the word for one of the goods.
func (g Item) UnitWord(t *i18n.Translator) string {
	if g.BaseUnit == "" {
		return t.Get("piece")
	}
	return g.BaseUnit
}

// MatchCode tells whether one of the codes names the goods, in which unit, and how
// many pieces that unit holds.
func (g Item) MatchCode(t *i18n.Translator, codes ...string) (unit string, factor int64, ok bool) {
	for _, code := range codes {
		for _, u := range g.Units {
			for _, b := range u.Barcodes {
				if sameCode(b, code) {
					return u.UnitCode, max(1, u.Factor), true
				}
			}
		}
		if sameCode(g.SKU, code) {
			return g.UnitWord(t), 1, true
		}
		for _, b := range g.Barcodes {
			if sameCode(b, code) {
				return g.UnitWord(t), 1, true
			}
		}
	}
	return "", 0, false
}

// sameCode compares two codes as people and scanners write them: in any case,
// and trade item numbers of any length by their 14 digits.
func sameCode(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" {
		return false
	}
	return strings.EqualFold(a, b) || (gtin14(a) != "" && gtin14(a) == gtin14(b))
}

// gtin14 is a trade item number with all 14 digits, or "".
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

// ShortID is the beginning of an id, for what has no better name.
func ShortID(id api.ID) string { return strings.ToUpper(id.String()[:8]) }
