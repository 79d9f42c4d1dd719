package label

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// maxPlain is how many characters a plain text in a barcode may have.
const maxPlain = 80

// Encode returns the contents of a label's barcodes:
//
//   - The product is its GTIN (01). Without one, a product is its SKU as plain text, and a
//     lot or a serial number has the SKU in (240).
//   - Lot (10), expiry (17), serial number (21) and pieces (30) are elements.
//   - A location, a shelf and a document are plain text.
//   - A pallet is its SSCC (00). What it holds is a content of its own: (02), (37), lot,
//     expiry and the reference (400).
//
// It fails if a value is missing, or if a scanner would not read the same value at now.
func Encode(l Label, now time.Time) (Codes, error) {
	if err := l.check(); err != nil {
		return Codes{}, err
	}

	var codes Codes
	switch l.Kind {
	case KindLocation:
		codes.Main.Plain = l.Location
	case KindShelf:
		codes.Main.Plain = l.Shelf
	case KindDocument:
		codes.Main.Plain = l.Reference
	case KindPallet:
		codes.Main.Elements = []Element{{"00", l.SSCC}}
		codes.Contents.Elements = l.contents()
	case KindLot:
		codes.Main.Elements = l.elements(l.expires(), l.pieces("30"), Element{"10", l.Lot})
	case KindSerial:
		codes.Main.Elements = l.elements(l.expires(), Element{"10", l.Lot}, Element{"21", l.Serial})
	case KindCase:
		codes.Main.Elements = l.elements(l.expires(), Element{"10", l.Lot})
	case KindProduct:
		codes.Main.Plain = l.SKU
		if l.GTIN != "" {
			codes.Main = Content{Elements: l.elements()}
		}
	}

	for _, c := range []Content{codes.Main, codes.Contents} {
		if err := l.checkContent(c, now); err != nil {
			return Codes{}, err
		}
	}

	return codes, nil
}

// elements returns the element of the product, then those of more that have a value.
func (l Label) elements(more ...Element) (out []Element) {
	// An identifier of variable length and its separator make the string one of GS1 also
	// to a scanner that sends no prefix.
	all := append([]Element{{"240", l.SKU}}, more...)
	if l.GTIN != "" {
		all[0] = Element{"01", padGTIN(l.GTIN)}
	}
	for _, e := range all {
		if e.Value != "" {
			out = append(out, e)
		}
	}

	return out
}

// contents returns the elements of what a pallet holds; none if that is unknown.
func (l Label) contents() []Element {
	if l.SKU == "" && l.GTIN == "" {
		return nil
	}

	all := l.elements(l.expires(), l.pieces("37"), Element{"10", l.Lot}, Element{"400", l.Reference})
	if l.GTIN != "" {
		all[0].AI = "02"
		if l.Quantity == 0 { // (02) needs (37)
			all[0].AI = "01"
		}
	}

	return all
}

func (l Label) expires() Element {
	if l.Expires.IsZero() {
		return Element{}
	}
	return Element{"17", l.Expires.Format("060102")}
}

func (l Label) pieces(ai string) Element { return Element{ai, number(l.Quantity)} }

// values are the names of the values that identifiers have.
var values = map[string]string{
	"00":  "SSCC",
	"01":  "GTIN",
	"02":  "GTIN",
	"10":  i18n.Textf("lot"),
	"17":  i18n.Textf("expiration date"),
	"21":  i18n.Textf("serial number"),
	"30":  i18n.Textf("quantity"),
	"37":  i18n.Textf("quantity"),
	"240": "SKU",
	"400": i18n.Textf("reference"),
}

// valueError reports a value that a barcode cannot contain.
func valueError(name, value, problem string) error {
	return errors.New(i18n.Textf("the %v %q cannot be in a barcode: %v", name, value, problem))
}

// checkContent returns an error if a scanner would read something else.
func (l Label) checkContent(c Content, now time.Time) error {
	if !c.IsGS1() {
		return l.checkPlain(c.Plain, now)
	}

	for _, e := range c.Elements {
		one := Content{Elements: []Element{e}}
		m := gs1.ParseElements(one.ElementString(), now)
		if len(m.Problems) > 0 {
			return valueError(values[e.AI], e.Value, strings.TrimSuffix(m.Problems[0].Message, gs1.ScanAgain))
		}
		if e.AI == "17" && !m.Expiry.Equal(l.Expires) {
			return valueError(values[e.AI], l.Expires.Format(time.DateOnly),
				i18n.Textf("a barcode has only the last two digits of the year"))
		}
	}

	if m := gs1.ParseElements(c.ElementString(), now); !m.OK() || len(m.Elements) != len(c.Elements) {
		return fmt.Errorf("the barcode %s is not read as it is written: %s", c, m.Problems)
	}

	return nil
}

// checkPlain returns an error if a scanner would not read a text as it is.
func (l Label) checkPlain(text string, now time.Time) error {
	if text == "" {
		return nil
	}

	name, s := "SKU", scan.Parse(text, now)
	switch l.Kind {
	case KindLocation:
		name = i18n.Textf("location code")
	case KindShelf:
		name = i18n.Textf("shelf")
	case KindDocument:
		name = i18n.Textf("reference")
	}

	switch {
	case utf8.RuneCountInString(text) > maxPlain:
		return valueError(name, text, i18n.Textf("it has more than %d characters", maxPlain))
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }):
		return valueError(name, text, i18n.Textf("it has a control character"))
	case s.Text != text || s.Symbology != "" || strings.TrimSpace(text) != text || s.GS1.Form != gs1.FormNone && s.GS1.Form != gs1.FormNumber:
		return valueError(name, text, i18n.Textf("scanners read it as something else"))
	}

	return nil
}

// padGTIN returns a GTIN with 14 digits, or "".
func padGTIN(gtin string) string {
	if gtin == "" {
		return ""
	}
	return strings.Repeat("0", max(0, 14-len(gtin))) + gtin
}

// GTINOf returns the first of the barcodes that is a valid GTIN, or "".
func GTINOf(barcodes []string, now time.Time) string {
	for _, code := range barcodes {
		if gs1.ParseNumber(code, now).OK() {
			return code
		}
	}

	return ""
}
