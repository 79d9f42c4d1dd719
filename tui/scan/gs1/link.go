package gs1

import (
	"slices"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// The characters of a web address, and of its domain.
const (
	addressSet = set64 + "._~:/?#[]@!$&'()*+,;=%"
	domainSet  = digits + capitals + "abcdefghijklmnopqrstuvwxyz-.:[]"
)

// parseLink parses a GS1 Digital Link address on any domain: the key and its qualifiers as pairs in
// the path, attributes in the query. ok is false for any other text or address.
func parseLink(text string, now time.Time) (m Message, ok bool) {
	domain, path, query, ok := splitAddress(text)
	if !ok {
		return Message{}, false
	}

	segments := strings.Split(path, "/")
	at := keyIndex(segments, now.Year())
	if at < 0 {
		return Message{}, false
	}

	r := newReader(FormLink, now)
	if message := checkSet(text, addressSet, i18n.Textf("a character of an address")); message != "" {
		r.problem("", message)
	} else if message := checkSet(domain, domainSet, i18n.Textf("a character of a domain")); message != "" {
		r.problem("", message)
	}

	key, qualifiers := r.path(segments[at:])
	for _, pair := range strings.Split(query, "&") {
		r.attribute(pair, key, qualifiers)
	}

	return r.done(), true
}

// splitAddress returns the parts of a web address with a domain and a path.
func splitAddress(text string) (domain, path, query string, ok bool) {
	scheme, rest, found := strings.Cut(text, "://")
	switch scheme {
	case "http", "https", "HTTP", "HTTPS":
	default:
		return "", "", "", false
	}

	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ = strings.Cut(rest, "?")
	domain, path, hasPath := strings.Cut(rest, "/")

	return domain, path, query, found && hasPath && domain != ""
}

// keyIndex finds the path segment of the key, which any segments may precede. It follows pairs from
// the end; if that finds no key, it accepts a key with a valid value, so that the segments after it
// can be reported.
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
		if ok && id.Key && id.check(linkValue(segments[i], unescape(segments[i+1], false)), year) == "" {
			return i
		}
	}

	return -1
}

// path adds the key, its qualifiers and any other pairs of the path.
func (r *reader) path(segments []string) (key Identifier, qualifiers []string) {
	key, _ = Lookup(segments[0])
	for first := true; len(segments) > 1; first = false {
		ai, value := segments[0], unescape(segments[1], false)
		if id, ok := Lookup(ai); ok {
			r.add(ai, id, linkValue(ai, value))
			if !first {
				qualifiers = append(qualifiers, ai)
			}
		} else {
			r.unknown(ai, ai+"/"+value)
		}

		segments = segments[2:]
	}

	if len(segments) == 1 {
		r.problem("", i18n.Textf("the link path ends with %q, not a pair of identifier and value", "/"+segments[0]))
	}
	if wrong := misplaced(key, qualifiers); wrong != "" {
		r.problem(wrong, i18n.Textf("is not allowed there in a link: (%s) %v", key.First, key.allowedNext()))
	}

	return key, qualifiers
}

// linkValue pads a GTIN, which a link may shorten.
func linkValue(ai, value string) string {
	if ai == "01" && isNumber(value) {
		return padGTIN(value)
	}
	return value
}

// misplaced returns the first qualifier that fits into no sequence of the key, or "".
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

// allowedNext describes what may follow the key.
func (id Identifier) allowedNext() string {
	if id.Qualifiers == nil {
		return i18n.Textf("is followed by nothing")
	}
	var ways []string
	for _, sequence := range id.Qualifiers {
		ways = append(ways, "("+strings.Join(sequence, "), (")+")")
	}
	return i18n.Textf("is followed by %s in that order", strings.Join(ways, " / "))
}

// attribute adds one name=value pair of the query. It ignores names that are not numbers, which are
// not GS1's.
func (r *reader) attribute(pair string, key Identifier, qualifiers []string) {
	ai, value, ok := strings.Cut(pair, "=")
	if !ok || !onlyDigits(ai) {
		return
	}

	id, ok := Lookup(ai)
	if !ok {
		r.unknown(ai, pair)
		return
	}

	value = linkValue(ai, unescape(value, true))
	before, twice := r.m.Value(ai)
	r.add(ai, id, value)
	switch {
	case twice && before == value:
		r.problem(ai, i18n.Textf("%s appears twice in the link", id.name()))
	case twice:
	case !id.Attribute:
		r.problem(ai, i18n.Textf("%s is not allowed in the query of a link", id.name()))
	case belongsInPath(key, qualifiers, ai):
		r.problem(ai,
			i18n.Textf("%s belongs in the path of the link: (%s) %v", id.name(), key.First, key.allowedNext()))
	}
}

// belongsInPath reports whether an attribute is a valid qualifier in the path.
func belongsInPath(key Identifier, qualifiers []string, ai string) bool {
	for at := range len(qualifiers) + 1 {
		if misplaced(key, slices.Insert(slices.Clone(qualifiers), at, ai)) == "" {
			return true
		}
	}

	return false
}

// unescape decodes %41 and, in a query, + for a space. It leaves other percent signs unchanged.
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
