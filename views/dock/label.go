package dock

import (
	"strings"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// A Label is what a scan says, before it is held against any goods.
type Label struct {
	Scan  scan.Scan
	Codes []string // what may name goods or a document, most likely first; none in a mere lot or serial label
	Lot   string
	// Serial is the number of one piece.
	Serial string
	// ExpiresAt is the day the lot expires (else its best before), midnight UTC; zero when the label does not say.
	ExpiresAt time.Time
	// Quantity is how many the label says there are: pieces, or with PerItem
	// trade items of the code. Counted tells whether it says so at all.
	Quantity             int64
	HasQuantity, PerItem bool
	// Problem says what is wrong with the label; "" when it may be used.
	Problem string
}

// ParseLabel takes a scan apart.
func ParseLabel(t *i18n.Translator, s scan.Scan) Label {
	r := Label{Scan: s, Lot: s.GS1.Lot, Serial: s.GS1.Serial, ExpiresAt: s.GS1.Expiry,
		Quantity: s.GS1.Quantity, HasQuantity: s.GS1.HasQuantity}
	if r.ExpiresAt.IsZero() {
		r.ExpiresAt = s.GS1.BestBefore
	}
	if _, each := s.GS1.Value("30"); r.HasQuantity && !each {
		r.PerItem = true
	}
	if s.GS1.Form == gs1.FormNone || s.GS1.Form == gs1.FormNumber {
		r.Codes = append(r.Codes, strings.TrimSpace(s.Text))
	}
	if gtin := s.GS1.GTIN; gtin != "" {
		for _, code := range []string{gtin, strings.TrimPrefix(gtin, "0"), strings.TrimPrefix(gtin, "00"), strings.TrimPrefix(gtin, "000000")} {
			if gtin14(code) == gtin && !contains(r.Codes, code) {
				r.Codes = append(r.Codes, code)
			}
		}
	}
	for _, ai := range []string{"400", "402", "401"} { // an order, a shipment, a consignment
		if name, ok := s.GS1.Value(ai); ok && len(r.Codes) == 0 {
			r.Codes = append(r.Codes, name)
		}
	}
	var faults []string
	for _, p := range s.Problems() {
		faults = append(faults, strings.TrimSuffix(p.String(), gs1.ScanAgain))
	}
	r.Problem = strings.Join(faults, "; ")
	return r
}

// HasNoCode tells whether the label names nothing but what it is on: no code at all.
func (r Label) HasNoCode() bool { return len(r.Codes) == 0 }

// Name is the code as one reads it to somebody.
func (r Label) Name() string {
	if r.Scan.GS1.GTIN != "" && r.Scan.GS1.Form != gs1.FormNumber {
		return r.Scan.GS1.GTIN
	}
	return strings.ReplaceAll(r.Scan.Text, "\x1d", " ")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
