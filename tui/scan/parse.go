package scan

import (
	"regexp"
	"strings"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/scan/gs1"
)

// framing are the characters that a scanner may send around a code: STX, ETX, CR, LF and tab.
const framing = "\x02\x03\r\n\t"

// prefix matches the symbology identifier of ISO/IEC 15424, the AIM prefix.
var prefix = regexp.MustCompile(`^\][A-Za-z][0-9A-Za-z]`)

// Parse parses one code that was read at now.
func Parse(raw string, now time.Time) Scan {
	s := Scan{Raw: strings.Trim(raw, framing), Kind: KindPlain, At: now}
	if rest := strings.TrimLeft(s.Raw, gs1.GS); prefix.MatchString(rest) {
		s.Raw = rest // some scanners send FNC1 before the AIM prefix too
	}

	s.Symbology = prefix.FindString(s.Raw)
	s.Text = s.Raw[len(s.Symbology):]
	s.GS1 = parseGS1(s.Symbology, s.Text, now)
	switch s.GS1.Form {
	case gs1.FormElements, gs1.FormBracketed:
		s.Kind = KindGS1
	case gs1.FormLink:
		s.Kind = KindLink
	case gs1.FormNumber:
		s.Kind = KindGTIN
	}

	if s.Text == "" && s.GS1.OK() {
		s.GS1.Problems = []gs1.Problem{{Message: i18n.Textf("the code is empty: scan it again")}}
	}

	return s
}

// ssccDigits is the length of an SSCC, the number of a pallet or box.
const ssccDigits = 18

// ParseTyped parses a code that somebody typed. Labels may show an SSCC with or without its
// identifier.
func ParseTyped(text string, now time.Time) Scan {
	if len(text) == ssccDigits {
		if s := Parse("00"+text, now); s.Kind == KindGS1 && s.OK() {
			return s
		}
	}

	return Parse(text, now)
}

// parseGS1 parses the GS1 content that the symbology implies. Without a symbology the text
// itself decides.
func parseGS1(symbology, text string, now time.Time) gs1.Message {
	switch symbology {
	case "]C1", "]e0", "]e1", "]e2", "]d2", "]Q3", "]J1":
		return gs1.ParseElements(text, now)
	case "]E0", "]E4":
		return gs1.ParseNumber(text, now)
	case "]E3": // EAN-13 with an add-on of two or five digits, which does not identify the item
		return gs1.ParseNumber(text[:min(13, len(text))], now)
	case "", "]I0", "]I1":
		return gs1.Parse(text, now)
	}

	// The symbology is not GS1's, so digits with a wrong check digit are the company's own code.
	m := gs1.Parse(text, now)
	if m.Form == gs1.FormNumber && !m.OK() {
		return gs1.Message{}
	}

	return m
}

// sameCode reports whether two scans have the same code.
func sameCode(a, b Scan) bool { return a.Text == b.Text && a.Kind == b.Kind }
