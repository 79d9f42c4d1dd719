// Package gs1 reads what GS1 puts into barcodes: element strings, their bracketed form,
// Digital Link addresses, and the bare numbers of EAN-8, UPC-A, EAN-13 and ITF-14.
//
// Every element is judged by the rules of GS1's Barcode Syntax Dictionary. What breaks a rule is
// reported, never repaired: a misread expiry date looks plausible. Which identifiers may stand
// together is not judged, because labels on the floor break that rule daily.
package gs1

import (
	"strings"
	"time"
)

// Form says how a text carried its elements.
type Form string

// The forms a text can have. FormNone is the form of a text that is not GS1's.
const (
	FormNone      Form = ""
	FormElements  Form = "elements"  // 0109506000134352 10ABC <GS> 17…, with or without a leading separator
	FormBracketed Form = "bracketed" // (01)09506000134352(10)ABC
	FormLink      Form = "link"      // https://id.example.com/01/09506000134352/10/ABC?17=…
	FormNumber    Form = "number"    // the bare digits of EAN-8, UPC-A, EAN-13, ITF-14
)

// Message is a text as GS1 reads it.
//
// GTIN, Lot, Serial, SSCC, Expiry, BestBefore and Quantity are filled only from elements that no
// problem names, so whatever stands in them may be used. Elements holds everything that was read,
// right or wrong, in the order of the text.
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

// Problem names an identifier and what is wrong with it. AI is empty when the text as a whole is
// at fault.
type Problem struct {
	AI      string `json:"ai"`
	Message string `json:"message"`
}

// String gives the problem as a person reads it: "(17) …".
func (p Problem) String() string {
	if p.AI == "" {
		return p.Message
	}
	return "(" + p.AI + ") " + p.Message
}

// OK reports whether no rule was broken.
func (m Message) OK() bool { return len(m.Problems) == 0 }

// Value gives the value of the first element with that identifier.
func (m Message) Value(ai string) (string, bool) {
	for _, e := range m.Elements {
		if e.AI == ai {
			return e.Value, true
		}
	}
	return "", false
}

// Bracketed writes the elements the way people print them: (01)…(10)…, with \( for a bracket
// inside a value.
func (m Message) Bracketed() string {
	var b strings.Builder
	for _, e := range m.Elements {
		b.WriteString("(" + e.AI + ")")
		b.WriteString(strings.ReplaceAll(e.Value, "(", `\(`))
	}
	return b.String()
}
