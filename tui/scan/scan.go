// Package scan turns what a barcode scanner sends into scans, and tells a scanner from a person.
//
// Parse understands one code. A Collector stands between the keyboard and the screens: it gives
// back keys that a person pressed and scans that a scanner made, in the order they happened.
package scan

import (
	"time"

	"bincard/tui/scan/gs1"
)

// Kind says what a code is.
type Kind string

// The kinds of codes.
const (
	KindGS1     Kind = "gs1"          // GS1 elements: an element string or its bracketed form
	KindGTIN    Kind = "gtin"         // the bare number of EAN-8, UPC-A, EAN-13 or ITF-14
	KindLink    Kind = "digital-link" // a GS1 Digital Link
	KindPlain   Kind = "plain"        // anything else: a location, a document, a company's own code
	KindRefused Kind = "refused"      // too much text to be a code; nothing of it was understood
)

// Scan is one code as it was read and what it is understood as.
//
// A code may be both: a location called 10000001 looks like an EAN-8 with a wrong check digit. A
// screen looks Text up among its own names first and shows the problems when nothing is found.
type Scan struct {
	Raw       string      // what came, with AIM prefix and separators (0x1D), without terminators
	Symbology string      // the AIM prefix, such as "]C1"; "" when the scanner sends none
	Text      string      // Raw without the prefix
	Kind      Kind        //
	GS1       gs1.Message // what was read in it; empty for KindPlain
	At        time.Time   // when it was complete
	Repeat    bool        // the same code as the scan before it
	Pasted    bool        // came as a paste
}

// Problems lists what is wrong with the code; empty when it may be used.
func (s Scan) Problems() []gs1.Problem { return s.GS1.Problems }

// OK reports whether the code broke no rule.
func (s Scan) OK() bool { return s.GS1.OK() }
