package gs1

import (
	"strings"

	"bincard/tui/i18n"
)

// Set is a set of characters that a part may contain.
type Set byte

// The sets of the dictionary.
const (
	SetN Set = 'N' // digits
	SetX Set = 'X' // GS1's set of 82: letters, digits and !"%&'()*+,-./:;<=>?_
	SetY Set = 'Y' // GS1's set of 39: capitals, digits and #-/
	SetZ Set = 'Z' // base64 for addresses: letters, digits, - and _
)

const (
	digits   = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

	// set82 has GS1's 82 characters in the order of their values for check characters.
	set82 = `!"%&'()*+,-./` + digits + `:;<=>?` + capitals + "_abcdefghijklmnopqrstuvwxyz"
	set39 = "#-/" + digits + capitals
	set64 = digits + capitals + "abcdefghijklmnopqrstuvwxyz-_"
)

// check returns a problem for the first character that is not in the set, or "".
func (s Set) check(value string) string {
	switch s {
	case SetN:
		return checkSet(value, digits, i18n.Textf("a digit"))
	case SetX:
		return checkSet(value, set82, i18n.Textf("one of GS1's characters"))
	case SetY:
		return checkSet(value, set39, i18n.Textf("a capital, a digit, #, - or /"))
	default:
		return checkSet64(value)
	}
}

func checkSet(value, set, wanted string) string {
	for i, r := range value {
		if !strings.ContainsRune(set, r) {
			return i18n.Textf("%q at place %d of %q is not %v", r, i+1, value, wanted)
		}
	}

	return ""
}

// checkSet64 accepts one or two = at the end as padding to a length that is divisible by three.
func checkSet64(value string) string {
	body := strings.TrimSuffix(strings.TrimSuffix(value, "="), "=")
	if body != value && len(value)%3 != 0 {
		return i18n.Textf("%q is padded with = to %d characters, which three does not divide", value, len(value))
	}
	return checkSet(body, set64, i18n.Textf("a letter, a digit, - or _"))
}

func onlyDigits(s string) bool { return s != "" && strings.Trim(s, digits) == "" }
