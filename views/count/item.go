package count

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
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
	Shelves   []api.ProductShelves
	InCatalog bool // read from the catalog, not from an embedded reference
}

// ItemOf returns the item of a catalog product.
func ItemOf(p *api.Product) Item {
	return Item{ID: p.ID, SKU: p.SKU, Name: p.Name, Tracking: p.Tracking, BaseUnit: p.BaseUnitCode,
		Units: p.Units, Barcodes: p.Barcodes, Shelves: p.Shelves, InCatalog: true}
}

// ShelvesAt returns the shelves of the item at a location, the main one first.
func (i Item) ShelvesAt(location api.ID) []string {
	return (&api.Product{Shelves: i.Shelves}).ShelvesAt(location)
}

// CompareShelves orders shelves as people pass them: A-2 before A-10. Items without a shelf are last.
func CompareShelves(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	return compareNatural(strings.ToLower(a[0]), strings.ToLower(b[0]))
}

// compareNatural compares the digits in two texts as numbers.
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		first, restA := cutNumber(a)
		second, restB := cutNumber(b)
		x, errA := strconv.ParseUint(first, 10, 64)
		y, errB := strconv.ParseUint(second, 10, 64)
		order := strings.Compare(first, second)
		if errA == nil && errB == nil {
			order = cmp.Or(cmp.Compare(x, y), order)
		}
		if order != 0 {
			return order
		}
		a, b = restA, restB
	}

	return cmp.Compare(len(a), len(b))
}

// cutNumber cuts a text after its leading digits, or before the first digit that follows.
func cutNumber(text string) (first, rest string) {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	digits := isDigit(rune(text[0]))
	at := strings.IndexFunc(text, func(r rune) bool { return isDigit(r) != digits })
	if at < 0 {
		at = len(text)
	}
	return text[:at], text[at:]
}

// Title returns the name of the item, or its SKU if it has no name.
func (i Item) Title() string {
	if i.Name == "" {
		return i.SKU
	}
	return i.Name
}

// PackText describes the units and the tracking of an item: "box=12, by lot".
func (i Item) PackText(t *i18n.Translator) string {
	var parts []string
	for _, u := range i.Units {
		if u.Factor > 1 {
			parts = append(parts, fmt.Sprintf("%s=%d", names.Unit(t, u.UnitCode), u.Factor))
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

// MatchCode reports whether one of the codes names the item, in which unit, and how
// many pieces that unit holds.
func (i Item) MatchCode(t *i18n.Translator, codes ...string) (unit string, factor int64, ok bool) {
	for _, code := range codes {
		for _, u := range i.Units {
			for _, b := range u.Barcodes {
				if SameCode(b, code) {
					return names.Unit(t, u.UnitCode), max(1, u.Factor), true
				}
			}
		}

		if SameCode(i.SKU, code) {
			return names.Unit(t, i.BaseUnit), 1, true
		}
		for _, b := range i.Barcodes {
			if SameCode(b, code) {
				return names.Unit(t, i.BaseUnit), 1, true
			}
		}
	}

	return "", 0, false
}

// SameCode compares two codes, ignoring case. It compares trade item numbers by their
// 14 digits.
func SameCode(a, b string) bool {
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
