package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

const (
	maxMetadataBytes = 16 << 10
	maxMetadataDepth = 8
)

// A validator checks rules that involve several fields.
type validator interface{ validate(*Problems) }

// Check validates an input, given as a pointer. The error is a VALIDATION_ERROR whose
// details.fields lists every broken rule.
func Check(input any) error {
	p := Problems{characters: true}
	check(&p, reflect.ValueOf(input).Elem())
	return p.Err()
}

func check(p *Problems, v reflect.Value) {
	s := shapeOf(v.Type())
	for i := range s.fields {
		f := &s.fields[i]
		f.check(p, v.FieldByIndex(f.index))
	}
	if x, ok := v.Addr().Interface().(validator); ok {
		x.validate(p)
	}

	checkTimeRange(p, s, v)
}

// checkTimeRange checks that no From parameter is after its To.
func checkTimeRange(p *Problems, s *shape, v reflect.Value) {
	for name, f := range s.query {
		base, ok := strings.CutSuffix(name, "From")
		to := s.query[base+"To"]
		if !ok || to == nil {
			continue
		}

		from, _ := v.FieldByIndex(f.index).Interface().(*time.Time)
		until, _ := v.FieldByIndex(to.index).Interface().(*time.Time)
		if from != nil && until != nil && from.After(*until) {
			p.Add(name, "order", "must not be after %sTo", base)
		}
	}
}

// check applies the field's rules to one value.
func (f *field) check(p *Problems, v reflect.Value) {
	blank := v.Kind() == reflect.String && strings.TrimSpace(v.String()) == ""
	if f.required && (blank || v.IsZero()) {
		p.Add(f.name, "required", "is required")
		return
	}
	if v.IsZero() {
		return
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}

	switch {
	case v.Type() == metadataType && f.whole:
		if m := v.Interface().(jsontext.Value); m.Kind() != '{' {
			p.Add(f.name, "object", "must be a JSON object")
		}
	case v.Type() == metadataType:
		checkMetadata(p, f.name, v.Interface().(jsontext.Value))
	case v.Type() == timeType || v.Type() == idType:
	case v.Kind() == reflect.Int64:
		f.checkNumber(p, f.name, v.Int())
	case v.Kind() == reflect.String:
		f.checkText(p, f.name, v)
	case v.Kind() == reflect.Slice:
		f.checkItems(p, v)
	}
}

func (f *field) checkNumber(p *Problems, path string, n int64) {
	switch {
	case f.min != nil && n < *f.min:
		p.Add(path, "minimum", "must be at least %d, is %d", *f.min, n)
	case f.max != nil && n > *f.max:
		p.Add(path, "maximum", "must be at most %d, is %d", *f.max, n)
	case n > MaxQuantity || n < -MaxQuantity:
		p.Add(path, "maximum", "must be within ±%d", int64(MaxQuantity))
	}
}

func (f *field) checkText(p *Problems, path string, v reflect.Value) {
	s := v.String()
	if f.enum != nil {
		if !slices.Contains(f.enum, s) {
			p.Add(path, "enum", "must be one of %s, is %q", strings.Join(f.enum, ", "), s)
		}
		return
	}

	if !utf8.ValidString(s) {
		p.Add(path, "text", "must be valid UTF-8")
	} else if n := utf8.RuneCountInString(s); n > f.maxLength {
		p.Add(path, "maxLength", "must have at most %d characters, has %d", f.maxLength, n)
	} else if p.characters && f.in == "body" {
		p.checkCharacters(path, f.text, s)
	}
}

func (f *field) checkItems(p *Problems, v reflect.Value) {
	if f.maxItems > 0 && v.Len() > f.maxItems {
		p.Add(f.name, "maxItems", "must have at most %d items", f.maxItems)
		return
	}

	for i := range v.Len() {
		path, item := fmt.Sprintf("%s[%d]", f.name, i), v.Index(i)
		switch {
		case item.Kind() == reflect.String && strings.TrimSpace(item.String()) == "":
			p.Add(path, "required", "must not be empty")
		case item.Kind() == reflect.String:
			f.checkText(p, path, item)
		case item.Type() == idType && item.IsZero():
			p.Add(path, "required", "must not be empty")
		case item.Kind() == reflect.Struct:
			old := p.prefix
			p.prefix = old + path + "."
			check(p, item)
			p.prefix = old
		}
	}
}

func checkMetadata(p *Problems, path string, m Metadata) {
	switch {
	case m.Kind() != '{':
		p.Add(path, "object", "must be a JSON object")
	case len(m) > maxMetadataBytes:
		p.Add(path, "maxBytes", "must be at most %d bytes, is %d", maxMetadataBytes, len(m))
	case depth(m) > maxMetadataDepth:
		p.Add(path, "maxDepth", "must be at most %d levels deep", maxMetadataDepth)
	}
}

// depth returns the nesting depth of a JSON value.
func depth(m jsontext.Value) int {
	deepest, level, quoted := 0, 0, false
	for i := 0; i < len(m); i++ {
		switch c := m[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}

	return deepest
}

// A textClass is what characters a text may have. The tag text of a field names it; the
// default is codeText.
type textClass string

const (
	// codeText is a code, a number or a reference: no control, format, private or invisible
	// characters, so that two that look alike on a screen are the same.
	codeText textClass = ""
	// nameText is a name, which may select the variant of a symbol too.
	nameText textClass = "name"
	// noteText is free text, which may also break lines and join symbols.
	noteText textClass = "note"
	// anyText names something that exists, perhaps from before the rule.
	anyText textClass = "any"
)

// allows reports whether a text of the class may have the character.
func (c textClass) allows(r rune) bool {
	switch {
	case c == anyText:
		return true
	case r == '\n' || r == '\r' || r == '\t' || r == '\u2800', // U+2800 is blank
		r == '\u200c' || r == '\u200d': // U+200C and U+200D join or part letters
		return c == noteText
	case unicode.Is(unicode.Variation_Selector, r):
		return c != codeText
	}

	return !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) &&
		!isNoncharacter(r)
}

// isNoncharacter reports whether r is a code point that Unicode reserves from being one.
func isNoncharacter(r rune) bool { return r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE }

// forbidden returns the first character that a text of the class may not have, like U+200B,
// or "".
func (c textClass) forbidden(s string) string {
	for i := range len(s) {
		if s[i] >= ' ' && s[i] <= '~' {
			continue
		}
		for _, r := range s[i:] {
			if !c.allows(r) {
				return fmt.Sprintf("U+%04X", r)
			}
		}

		return ""
	}

	return ""
}

// CleanCode returns a code as it is recorded, so that two that look alike are the same:
// letters are composed with their accents, and each white space is a space.
func CleanCode(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.TrimSpace(s)))
}

// CheckName adds a problem if a name has characters that names may not have. It is for
// names outside the operations, such as an organization's.
func (p *Problems) CheckName(path, name string) { p.checkCharacters(path, nameText, name) }

func (p *Problems) checkCharacters(path string, c textClass, s string) {
	if r := c.forbidden(s); r != "" {
		p.Add(path, "printable", "must not contain control or invisible characters, contains %s", r)
	}
}
