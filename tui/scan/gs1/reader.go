package gs1

import (
	"strconv"
	"time"

	"bincard/tui/i18n"
)

// reader collects the elements of a text and their problems.
type reader struct {
	m    Message
	year int
	bad  map[string]bool // identifiers with a problem
}

func newReader(form Form, now time.Time) *reader {
	return &reader{m: Message{Form: form}, year: now.Year(), bad: map[string]bool{}}
}

// add checks an element and adds it, valid or not.
func (r *reader) add(ai string, id Identifier, value string) {
	if before, ok := r.m.Value(ai); ok && before != value {
		r.problem(ai, i18n.Textf("%s appears twice, as %q and as %q", id.name(), before, value))
	}
	r.m.Elements = append(r.m.Elements, Element{AI: ai, Title: id.Title, Value: value})
	if message := id.check(value, r.year); message != "" {
		r.problem(ai, message)
	}
}

// unknown reports a field with an unknown identifier.
func (r *reader) unknown(ai, field string) {
	switch {
	case field == "":
		r.problem("", i18n.Textf("two separators in a row"))
	case onlyDigits(ai):
		r.problem(ai, i18n.Textf("%s is not a GS1 identifier; %q was not read", ai, field))
	default:
		r.problem("", i18n.Textf("%q does not start with an identifier", field))
	}
}

func (r *reader) problem(ai, message string) {
	r.m.Problems = append(r.m.Problems, Problem{AI: ai, Message: message})
	r.bad[ai] = true
}

// done fills the fields of the message from the elements.
func (r *reader) done() Message {
	m := &r.m
	m.GTIN = r.first("01", "02")
	m.Lot = r.first("10")
	m.Serial = r.first("21")
	m.SSCC = r.first("00")
	m.Expiry = r.date(r.first("17", "7003"))
	m.BestBefore = r.date(r.first("15"))
	if count := r.first("30", "37"); count != "" {
		m.Quantity, _ = strconv.ParseInt(count, 10, 64)
		m.HasQuantity = true
	}

	return *m
}

// first returns the value of the first of the identifiers that is present, or "" if it has a
// problem: a valid later one does not replace an invalid one.
func (r *reader) first(identifiers ...string) string {
	for _, ai := range identifiers {
		if r.bad[ai] {
			return ""
		}
		if value, ok := r.m.Value(ai); ok {
			return value
		}
	}

	return ""
}

func (r *reader) date(value string) time.Time {
	if value == "" {
		return time.Time{}
	}
	return date(value, r.year)
}
