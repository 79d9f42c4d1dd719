package gs1

import (
	"regexp"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// GS is the separator (FNC1 as scanners send it) after a value of variable length.
const GS = "\x1d"

var bracket = regexp.MustCompile(`^\(\d{2,4}\)`)

// Parse parses a text in any form. The message of a text that is not GS1's has FormNone and is
// otherwise empty. now determines the century of two-digit years.
func Parse(text string, now time.Time) Message {
	if m, ok := parseLink(text, now); ok {
		return m
	}

	switch {
	case bracket.MatchString(text):
		return ParseBracketed(text, now)
	case isNumber(text):
		return ParseNumber(text, now)
	case strings.HasPrefix(text, GS):
		return ParseElements(text, now)
	case strings.Contains(text, GS) && len(text) > 2 && onlyDigits(text[:2]):
		return ParseElements(text, now)
	}

	return parseUnmarked(text, now)
}

// ParseElements parses an element string: a sequence of identifiers and values, with GS after each
// value of variable length.
func ParseElements(text string, now time.Time) Message {
	r := newReader(FormElements, now)
	rest := strings.TrimPrefix(text, GS)
	if rest == "" {
		r.problem("", i18n.Textf("the code is empty"))
	}

	for rest != "" {
		ai, id, ok := leadingIdentifier(rest)
		if ok {
			rest = rest[len(ai):]
			end := fieldEnd(rest)
			if _, longest := id.lengths(); id.Predefined {
				end = min(end, longest)
			}
			r.add(ai, id, rest[:end])
			rest = strings.TrimPrefix(rest[end:], GS)
			continue
		}

		end := fieldEnd(rest)
		r.unknown(ai, rest[:end])
		rest = strings.TrimPrefix(rest[end:], GS)
	}

	return r.done()
}

func fieldEnd(text string) int {
	if i := strings.Index(text, GS); i >= 0 {
		return i
	}
	return len(text)
}

// parseUnmarked parses an element string without prefix and leading separator. Many other codes
// begin with the same digits, so the text must begin with a valid (00), (01) or (02), or with an
// invalid one that only valid elements follow.
func parseUnmarked(text string, now time.Time) Message {
	if len(text) < 2 || text[0] != '0' || text[1] > '2' {
		return Message{}
	}

	ai, id, ok := leadingIdentifier(text)
	_, longest := id.lengths()
	if !ok || len(text) < len(ai)+longest || !onlyDigits(text[:len(ai)+longest]) {
		return Message{}
	}

	m := ParseElements(text, now)
	first := id.check(text[len(ai):len(ai)+longest], now.Year())
	if first == "" || len(m.Elements) > 1 && len(m.Problems) == 1 {
		return m
	}

	return Message{}
}

// ParseBracketed parses (01)…(10)…, where \( is a bracket inside a value.
func ParseBracketed(text string, now time.Time) Message {
	r := newReader(FormBracketed, now)
	rest, last := text, ""
	for rest != "" {
		head := bracket.FindString(rest)
		value, after := cutValue(rest[max(len(head), 1):])
		if head == "" {
			// The bracket may belong to the previous value, which is therefore uncertain.
			r.problem(
				last,
				i18n.Textf("%q does not start with an identifier in brackets; a bracket inside a value is written \\(",
					rest),
			)
			rest = after
			continue
		}

		last = head[1 : len(head)-1]
		if id, ok := Lookup(last); ok {
			r.add(last, id, value)
		} else {
			r.unknown(last, last+value)
		}

		rest = after
	}

	return r.done()
}

// cutValue cuts the text before the next bracket that has no backslash before it.
func cutValue(text string) (value, after string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '(':
			return b.String(), text[i:]
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '(':
			i++
		}

		b.WriteByte(text[i])
	}

	return b.String(), ""
}
