// Package gs1 parses the contents of GS1 barcodes: element strings, their bracketed form,
// Digital Link addresses, and the bare numbers of EAN-8, UPC-A, EAN-13 and ITF-14.
//
// It checks every element against the rules of GS1's Barcode Syntax Dictionary, which table.go has
// as Go (internal/gen writes it). It reports problems and never repairs them, because a misread
// expiry date looks plausible. It does not check which identifiers may be combined, because
// labels often break that rule.
package gs1

import (
	"time"

	"bincard/tui/i18n"
)

// Form is the form in which a text contains its elements.
type Form string

// The forms. FormNone is the form of a text that is not GS1's.
const (
	FormNone      Form = ""
	FormElements  Form = "elements"  // 0109506000134352 10ABC <GS> 17…, with or without a leading separator
	FormBracketed Form = "bracketed" // (01)09506000134352(10)ABC
	FormLink      Form = "link"      // https://id.example.com/01/09506000134352/10/ABC?17=…
	FormNumber    Form = "number"    // the bare digits of EAN-8, UPC-A, EAN-13, ITF-14
)

// Message is a parsed text.
//
// GTIN, Lot, Serial, SSCC, Expiry, BestBefore and Quantity come only from elements without a
// problem, so they may be used. Elements has all elements, valid or not, in the order of the text.
type Message struct {
	Form     Form
	Elements []Element
	GTIN     string // 14 digits, of (01), else (02)
	Lot      string // (10)
	Serial   string // (21)
	SSCC     string // 18 digits, of (00)

	Expiry     time.Time // (17), else the day of (7003); midnight UTC; zero when absent
	BestBefore time.Time // (15); midnight UTC; zero when absent

	Quantity    int64 // (30), else (37); whole pieces
	HasQuantity bool

	Problems []Problem
}

// Element is one application identifier with its value, exactly as read (decoded in a link, a
// GTIN padded to 14 digits).
type Element struct {
	AI    string `json:"ai"`
	Title string `json:"title"`
	Value string `json:"value"`
}

// Problem is a problem of an identifier. AI is empty if the problem is of the whole text.
type Problem struct {
	AI      string `json:"ai"`
	Message string `json:"message"`
}

// String returns the problem as text: "(17) …".
func (p Problem) String() string {
	if p.AI == "" {
		return p.Message
	}
	return i18n.Textf("(%s) %v", p.AI, p.Message)
}

// JoinProblems returns a text of several problems.
func JoinProblems(problems []string) string {
	text := ""
	for i, p := range problems {
		if i == 0 {
			text = p
			continue
		}
		text = i18n.Textf("%v; %v", text, p)
	}

	return text
}

// OK reports whether there are no problems.
func (m Message) OK() bool { return len(m.Problems) == 0 }

// Value returns the value of the first element with this identifier.
func (m Message) Value(ai string) (string, bool) {
	for _, e := range m.Elements {
		if e.AI == ai {
			return e.Value, true
		}
	}

	return "", false
}
