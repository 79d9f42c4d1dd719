package api

import (
	"fmt"
	"unicode"
)

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
	case r == '\n' || r == '\r' || r == '\t' || r == '\u200c' || r == '\u200d': // U+200C and U+200D join or part letters
		return c == noteText
	case unicode.Is(unicode.Variation_Selector, r):
		return c != codeText
	}
	return !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) && !isNoncharacter(r)
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

// CheckName adds a problem if a name has characters that names may not have. It is for
// names outside the operations, such as an organization's.
func (p *Problems) CheckName(path, name string) { p.checkCharacters(path, nameText, name) }

func (p *Problems) checkCharacters(path string, c textClass, s string) {
	if r := c.forbidden(s); r != "" {
		p.Add(path, "printable", "must not contain control or invisible characters, contains %s", r)
	}
}
