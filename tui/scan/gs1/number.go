package gs1

import (
	"strings"
	"time"

	"bincard/tui/i18n"
)

func isNumber(text string) bool {
	switch len(text) {
	case 8, 12, 13, 14:
		return onlyDigits(text)
	}
	return false
}

// ParseNumber parses the digits of EAN-8, UPC-A, EAN-13 or ITF-14 as a GTIN.
func ParseNumber(text string, now time.Time) Message {
	r := newReader(FormNumber, now)
	id, _ := Lookup("01")
	switch {
	case isNumber(text):
		value, problem := padGTIN(text), checkCsum(text, 0)
		if problem == "" {
			r.add("01", id, value)
			break
		}
		r.m.Elements = append(r.m.Elements, Element{AI: "01", Title: id.Title, Value: value})
		r.problem("01", problem) // it has the digits as scanned

	case onlyDigits(text):
		r.problem("01", i18n.Textf("%q has %d digits, a GTIN has 8, 12, 13 or 14", text, len(text)))
	default:
		r.problem("01", i18n.Textf("%q is not a GTIN: it has 8, 12, 13 or 14 digits", text))
	}

	return r.done()
}

func padGTIN(number string) string {
	return strings.Repeat("0", 14-len(number)) + number
}
