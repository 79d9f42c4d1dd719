// Package scan turns the input of a barcode scanner into scans.
//
// A Collector separates scans from the keys of a person: it receives all keys and returns keys
// and scans in the order they happened. Parse parses one code, and ReportCodes writes the meaning
// of codes as text or JSON. WriteSheet writes a page of barcodes to scan.
package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui/scan/gs1"
)

// Kind is the type of a code.
type Kind string

// The kinds of codes.
const (
	KindGS1     Kind = "gs1"          // GS1 elements: an element string or its bracketed form
	KindGTIN    Kind = "gtin"         // the bare number of EAN-8, UPC-A, EAN-13 or ITF-14
	KindLink    Kind = "digital-link" // a GS1 Digital Link
	KindPlain   Kind = "plain"        // anything else: a location, a document, a company's own code
	KindRefused Kind = "refused"      // too much text to be a code; it was not parsed
)

// Scan is one code as it was read, and its meaning.
//
// The meaning may be wrong: a location called 10000001 looks like an EAN-8 with a wrong check
// digit. A screen looks up Text among its own names first and shows the problems if it finds
// nothing.
type Scan struct {
	Raw       string      // the input with AIM prefix and separators (0x1D), without terminators
	Symbology string      // the AIM prefix, such as "]C1"; "" if the scanner sends none
	Text      string      // Raw without the prefix
	Kind      Kind        //
	GS1       gs1.Message // the elements of the code; empty for KindPlain
	At        time.Time   // when the code was complete
	Repeat    bool        // the previous scan has the same code
	Pasted    bool        // the code was pasted
	// Unterminated says that no key ended the code, so that it may be text which arrived in
	// a burst, over a slow connection.
	Unterminated bool
}

// Problems returns the problems of the code; none if it may be used.
func (s Scan) Problems() []gs1.Problem { return s.GS1.Problems }

// OK reports whether the code has no problems.
func (s Scan) OK() bool { return s.GS1.OK() }

// Event is a key that a person pressed, or a scan.
type Event struct {
	Key  tea.KeyMsg // if Scan is nil
	Scan *Scan
	// Late says that Key is a terminator that came after the scan before it had ended in
	// silence. It belongs to that scan.
	Late bool
}

// Step is the result of a key or a tick.
type Step struct {
	Events []Event       // in the order they happened
	Wait   time.Duration // call Tick after this time; 0 needs no call
}
