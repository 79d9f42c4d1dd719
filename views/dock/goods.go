package dock

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
)

// Goods are a product as far as the service tells: everything, or its name and
// SKU alone where it has no catalogue.
type Goods struct {
	ID       api.ID
	SKU      string
	Name     string
	Tracking api.Tracking // "" when unknown
	Base     string       // the unit a piece is counted in; "" when unknown
	Units    []api.Unit
	Barcodes []string
	Known    bool // the catalogue told; else only the reference did
}

// GoodsOf are the goods of a product of the catalogue.
func GoodsOf(p *api.Product) Goods {
	return Goods{ID: p.ID, SKU: p.SKU, Name: p.Name, Tracking: p.Tracking, Base: p.BaseUnitCode,
		Units: p.Units, Barcodes: p.Barcodes, Known: true}
}

// Goods asks the catalogue for the product of a document; where there is none
// they are what the embedded reference says.
func (s *Site) Goods(ctx context.Context, id api.ID, ref *api.ProductRef) (Goods, error) {
	p, err := Ask(ctx, s, api.GetProduct, api.ProductInput{ProductID: id})
	switch {
	case err == nil:
		return GoodsOf(&p), nil
	case !Missing(err):
		return Goods{}, err
	case ref == nil:
		return Goods{ID: id, SKU: Brief(id)}, nil
	}
	return Goods{ID: id, SKU: ref.SKU, Name: ref.Name}, nil
}

// FindGoods finds the product that a code or a typed SKU names.
func (s *Site) FindGoods(ctx context.Context, r Reading) (*Goods, error) {
	if r.Bare() {
		return nil, misreadOr(r, fmt.Sprintf(namesNoProduct, r.Name()))
	}
	found, err := s.LookUp(ctx, r.Codes...)
	if Missing(err) {
		found, err = s.search(ctx, r.Codes)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		if m.Product != nil {
			g := GoodsOf(m.Product)
			return &g, nil
		}
	}
	if r.Fault != "" {
		return nil, misread(r).Err
	}
	s.stray(r)
	return nil, &UnknownGoodsError{Code: r.Codes[0], name: r.Name()}
}

// An UnknownGoodsError tells that a code is sound, but no product has it.
type UnknownGoodsError struct {
	Code string
	name string
}

func (e *UnknownGoodsError) Error() string {
	return fmt.Sprintf(unknownProduct, e.name)
}

func misreadOr(r Reading, text string) error {
	if r.Fault != "" {
		return misread(r).Err
	}
	return errors.New(text)
}

// Pack says in a few words how the goods come: "box = 12, by lot".
func (g Goods) Pack() string {
	var words []string
	for _, u := range g.Units {
		if u.Factor > 1 {
			words = append(words, fmt.Sprintf("%s = %d", u.UnitCode, u.Factor))
		}
	}
	switch g.Tracking {
	case api.TrackLot:
		words = append(words, wordByLot)
	case api.TrackSerial:
		words = append(words, wordBySerial)
	}
	return strings.Join(words, ", ")
}

// Piece is the word for one of the goods.
func (g Goods) Piece() string {
	if g.Base == "" {
		return wordPiece
	}
	return g.Base
}

// Match tells whether one of the codes names the goods, in which unit, and how
// many pieces that unit holds.
func (g Goods) Match(codes ...string) (unit string, factor int64, ok bool) {
	for _, code := range codes {
		for _, u := range g.Units {
			for _, b := range u.Barcodes {
				if sameCode(b, code) {
					return u.UnitCode, max(1, u.Factor), true
				}
			}
		}
		if sameCode(g.SKU, code) {
			return g.Piece(), 1, true
		}
		for _, b := range g.Barcodes {
			if sameCode(b, code) {
				return g.Piece(), 1, true
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
	return strings.EqualFold(a, b) || (tradeItem(a) != "" && tradeItem(a) == tradeItem(b))
}

// tradeItem is a trade item number with all 14 digits, or "".
func tradeItem(code string) string {
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

// Brief is the beginning of an id, for what has no better name.
func Brief(id api.ID) string { return strings.ToUpper(id.String()[:8]) }
