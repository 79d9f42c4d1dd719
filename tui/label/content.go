package label

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// A Content is what a barcode contains: GS1 elements or, if there are none, a plain text.
type Content struct {
	Elements []Element
	Plain    string
}

// NeedsPrefix reports whether the text is so short that it counts as a scan only if the
// scanner sends its AIM prefix.
func (c Content) NeedsPrefix() bool {
	return c.Plain != "" && utf8.RuneCountInString(c.Plain) < scan.MinCharacters
}

// An Element is a GS1 application identifier with its value.
type Element struct{ AI, Value string }

// Codes are the contents of the barcodes of a label.
type Codes struct {
	Main     Content
	Contents Content // of what a pallet holds; empty for other kinds
}

// IsEmpty reports whether there is nothing to encode.
func (c Content) IsEmpty() bool { return len(c.Elements) == 0 && c.Plain == "" }

// IsGS1 reports whether the content is an element string.
func (c Content) IsGS1() bool { return len(c.Elements) > 0 }

// ElementString returns the elements as a barcode has them after the first FNC1, with
// gs1.GS for each further FNC1.
func (c Content) ElementString() string {
	var b strings.Builder
	for i, e := range c.Elements {
		b.WriteString(e.AI + e.Value)
		if id, _ := gs1.Lookup(e.AI); !id.Predefined && i < len(c.Elements)-1 {
			b.WriteString(gs1.GS)
		}
	}

	return b.String()
}

// String returns the content as people read it: (01)…(10)…, or the plain text. The
// scanners of the terminal read that too.
func (c Content) String() string {
	if !c.IsGS1() {
		return c.Plain
	}
	var b strings.Builder
	for _, e := range c.Elements {
		b.WriteString("(" + e.AI + ")" + strings.ReplaceAll(e.Value, "(", `\(`))
	}
	return b.String()
}

// DefaultDomain is the address before the path of Digital Links that GS1 resolves.
const DefaultDomain = "https://id.gs1.org"

// Text returns the content for a QR code: a GS1 Digital Link on domain if the elements
// have a key, else String.
func (c Content) Text(domain string) string {
	if link, ok := c.link(domain); ok {
		return link
	}
	return c.String()
}

// link returns the elements as a Digital Link. ok is false if the first one is no key.
func (c Content) link(domain string) (link string, ok bool) {
	if len(c.Elements) == 0 {
		return "", false
	}

	key, _ := gs1.Lookup(c.Elements[0].AI)
	if !key.Key {
		return "", false
	}

	// The key and its qualifiers are the path, in the order of the qualifiers.
	qualifiers := append([]string{c.Elements[0].AI}, slices.Concat(key.Qualifiers...)...)
	var path, query strings.Builder
	path.WriteString(strings.TrimRight(domain, "/"))
	for i, ai := range qualifiers {
		at := slices.IndexFunc(c.Elements, func(e Element) bool { return e.AI == ai })
		if at >= 0 && !slices.Contains(qualifiers[:i], ai) {
			path.WriteString("/" + ai + "/" + escape(c.Elements[at].Value))
		}
	}

	separator := "?"
	for _, e := range c.Elements {
		if !slices.Contains(qualifiers, e.AI) {
			query.WriteString(separator + e.AI + "=" + escape(e.Value))
			separator = "&"
		}
	}

	return path.String() + query.String(), true
}

// escape escapes the characters of a value that have a meaning in an address.
func escape(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }
