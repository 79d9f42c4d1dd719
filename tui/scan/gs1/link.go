package gs1

import (
	"fmt"
	"strings"
	"time"
)

// parseLink reads a GS1 Digital Link address on any domain: the key and its qualifiers as pairs in
// the path, attributes in the query. ok is false for any other text or address.
func parseLink(text string, now time.Time) (m Message, ok bool) {
	path, query, ok := splitAddress(text)
	if !ok {
		return Message{}, false
	}
	segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
	at := keyIndex(segments, now.Year())
	if at < 0 {
		return Message{}, false
	}
	r := newReader(FormLink, now)
	r.path(segments[at:])
	for _, pair := range strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }) {
		r.attribute(pair)
	}
	return r.done(), true
}

// splitAddress gives the path and query of a web address that names a domain.
func splitAddress(text string) (path, query string, ok bool) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ = strings.Cut(rest, "?")
	domain, path, found := strings.Cut(rest, "/")
	return path, query, found && domain != ""
}

// keyIndex finds the segment that holds the key. Anything may stand in front of it. Pairs are
// followed from the end; where that leads to nothing, a key with a good value will do, so that what
// stands behind it can be reported.
func keyIndex(segments []string, year int) int {
	for i := len(segments) - 2; i >= 0; i -= 2 {
		id, ok := Lookup(segments[i])
		if !ok {
			break
		}
		if id.Key {
			return i
		}
	}
	for i := range len(segments) - 1 {
		id, ok := Lookup(segments[i])
		if ok && id.Key && id.judge(linkValue(segments[i], unescape(segments[i+1], false)), year) == "" {
			return i
		}
	}
	return -1
}

// path reads the key, its qualifiers and whatever else stands there.
func (r *reader) path(segments []string) {
	key, _ := Lookup(segments[0])
	var qualifiers []string
	for len(segments) > 1 {
		ai, value := segments[0], unescape(segments[1], false)
		if id, ok := Lookup(ai); ok {
			r.add(ai, id, linkValue(ai, value))
			qualifiers = append(qualifiers, ai)
		} else {
			r.unknown(ai, ai+"/"+value)
		}
		segments = segments[2:]
	}
	if len(segments) == 1 {
		r.problem("", fmt.Sprintf("the path of the link ends with %q, an identifier without a value", segments[0]))
	}
	if wrong := misplaced(key, qualifiers[1:]); wrong != "" {
		r.problem(wrong, fmt.Sprintf("may not stand there in a link: (%s) %s", key.First, key.follow()))
	}
}

// linkValue fills up a GTIN that a link may shorten.
func linkValue(ai, value string) string {
	if ai == "01" && isNumber(value) {
		return padGTIN(value)
	}
	return value
}

// misplaced finds the first qualifier that fits into no sequence of the key, or "".
func misplaced(key Identifier, qualifiers []string) string {
	reached := 0
	for _, sequence := range key.Qualifiers {
		fits := 0
		for _, ai := range sequence {
			if fits < len(qualifiers) && qualifiers[fits] == ai {
				fits++
			}
		}
		reached = max(reached, fits)
	}
	if reached < len(qualifiers) {
		return qualifiers[reached]
	}
	return ""
}

// follow says what may follow the key.
func (id Identifier) follow() string {
	if id.Qualifiers == nil {
		return "is followed by nothing"
	}
	var ways []string
	for _, sequence := range id.Qualifiers {
		ways = append(ways, "("+strings.Join(sequence, "), (")+")")
	}
	return "is followed by " + strings.Join(ways, " or ") + " in that order"
}

// attribute reads one name=value of the query. A name that is no number is none of GS1's.
func (r *reader) attribute(pair string) {
	name, value, _ := strings.Cut(pair, "=")
	ai, value := unescape(name, true), unescape(value, true)
	if !onlyDigits(ai) {
		return
	}
	id, ok := Lookup(ai)
	if !ok {
		r.unknown(ai, pair)
		return
	}
	r.add(ai, id, value)
	if !id.Attribute {
		r.problem(ai, fmt.Sprintf("%s may not stand in the query of a link", id.name()))
	}
}

// unescape decodes %41 and, in a query, + for a space. A percent sign that begins no escape stands
// for itself.
func unescape(s string, query bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			b.WriteByte(byte(unhex(s[i+1])<<4 | unhex(s[i+2])))
			i += 2
		case s[i] == '+' && query:
			b.WriteByte(' ')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
