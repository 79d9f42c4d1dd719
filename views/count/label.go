package count

import (
	"slices"
	"strings"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// A Label is the parsed content of a scan.
type Label struct {
	Scan  scan.Scan
	Codes []string // codes of an item or a document, most likely first; empty for a lot or serial label
	Lot   string
	// SSCC is the number of a pallet or box, 18 digits.
	SSCC string
	// Serial is the serial number of one piece.
	Serial string
	// ExpiresAt is the expiration date, else the best-before date, at midnight UTC;
	// zero if the label has neither.
	ExpiresAt time.Time
	// Quantity is the quantity on the label if HasQuantity is set: pieces, or trade
	// items of the code if PerItem is set.
	Quantity             int64
	HasQuantity, PerItem bool
	// Problem says what is wrong with the label; "" if it is valid.
	Problem string
}

// ParseLabel parses a scan.
func ParseLabel(t *i18n.Translator, s scan.Scan) Label {
	r := Label{Scan: s, Lot: s.GS1.Lot, Serial: s.GS1.Serial, ExpiresAt: s.GS1.Expiry,
		Quantity: s.GS1.Quantity, HasQuantity: s.GS1.HasQuantity}
	if r.ExpiresAt.IsZero() {
		r.ExpiresAt = s.GS1.BestBefore
	}

	r.SSCC, _ = s.GS1.Value("00")
	if _, each := s.GS1.Value("30"); r.HasQuantity && !each {
		r.PerItem = true
	}
	if s.GS1.Form == gs1.FormNone || s.GS1.Form == gs1.FormNumber {
		r.Codes = append(r.Codes, strings.TrimSpace(s.Text))
	}

	if gtin := s.GS1.GTIN; gtin != "" {
		for _, code := range []string{gtin, strings.TrimPrefix(gtin, "0"), strings.TrimPrefix(gtin, "00"), strings.TrimPrefix(gtin, "000000")} {
			if gtin14(code) == gtin && !slices.Contains(r.Codes, code) {
				r.Codes = append(r.Codes, code)
			}
		}
	}

	// Labels of products without a GTIN have the SKU in (240). Else the code is that of an
	// order, a shipment or a consignment.
	for _, ai := range []string{"240", "400", "402", "401"} {
		if name, ok := s.GS1.Value(ai); ok && len(r.Codes) == 0 {
			r.Codes = append(r.Codes, name)
		}
	}

	var problems []string
	for _, p := range s.Problems() {
		problems = append(problems, strings.TrimSuffix(p.String(), gs1.ScanAgain))
	}

	r.Problem = gs1.JoinProblems(problems)

	return r
}

// HasNoCode reports whether the label names no item or document.
func (r Label) HasNoCode() bool { return len(r.Codes) == 0 }

// Name returns the code as shown to the operator.
func (r Label) Name() string {
	if r.Scan.GS1.GTIN != "" && r.Scan.GS1.Form != gs1.FormNumber {
		return r.Scan.GS1.GTIN
	}
	return strings.ReplaceAll(r.Scan.Text, "\x1d", " ")
}
