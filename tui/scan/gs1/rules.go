package gs1

import (
	"strings"

	"bincard/tui/i18n"
)

// rule checks a part whose characters are in its set. It returns the problem, or "". year is the
// current year.
type rule func(value string, year int) string

// prefixLength is the length of the shortest GS1 company prefix.
const prefixLength = 4

// checkGcppos1 checks the company prefix at the start. GS1's list of assigned prefixes is not
// public, so it checks only the form.
func checkGcppos1(value string, _ int) string {
	if len(value) < prefixLength {
		return i18n.Textf("%q is too short to begin with a GS1 company prefix of at least %d digits", value,
			prefixLength)
	}
	if !onlyDigits(value[:prefixLength]) {
		return i18n.Textf("%q does not begin with a GS1 company prefix of at least %d digits", value, prefixLength)
	}
	return ""
}

// checkGcppos2 checks the company prefix after one leading digit.
func checkGcppos2(value string, year int) string {
	if value == "" {
		return checkGcppos1(value, year)
	}
	return checkGcppos1(value[1:], year)
}

func checkNonzero(value string, _ int) string {
	if strings.Trim(value, "0") == "" {
		return i18n.Textf("%q may not be zero", value)
	}
	return ""
}

func checkZero(value string, _ int) string {
	if strings.Trim(value, "0") != "" {
		return i18n.Textf("%q must be zero", value)
	}
	return ""
}

func checkNozeroprefix(value string, _ int) string {
	if len(value) > 1 && value[0] == '0' {
		return i18n.Textf("%q may not begin with 0", value)
	}
	return ""
}

func checkHasnondigit(value string, _ int) string {
	if onlyDigits(value) {
		return i18n.Textf("%q must contain a character that is not a digit", value)
	}
	return ""
}

func checkHyphen(value string, _ int) string {
	if strings.Trim(value, "-") != "" {
		return i18n.Textf("%q must be a hyphen, which means minus", value)
	}
	return ""
}

func checkYesno(value string, _ int) string {
	return oneOf(value, "01", i18n.Textf("0 (no) or 1 (yes)"))
}

func checkWinding(value string, _ int) string {
	return oneOf(value, "019", i18n.Textf("0 (face out), 1 (face in) or 9 (undefined)"))
}

func checkIso5218(value string, _ int) string {
	return oneOf(value, "0129", i18n.Textf("0 (not known), 1 (male), 2 (female) or 9 (not applicable)"))
}

func checkImporteridx(value string, _ int) string {
	return oneOf(value, set64, i18n.Textf("a letter, a digit, - or _"))
}

// oneOf checks a value of exactly one character.
func oneOf(value, set, wanted string) string {
	if len(value) != 1 || !strings.Contains(set, value) {
		return i18n.Textf("%q is not %v", value, wanted)
	}
	return ""
}

// checkPieceoftotal checks "0102": piece 1 of 2.
func checkPieceoftotal(value string, _ int) string {
	if len(value)%2 != 0 {
		return i18n.Textf("%q does not split into a piece number and a total of the same length", value)
	}
	return comparePosition(value, value[:len(value)/2], value[len(value)/2:])
}

// checkPosinseqslash checks "1/3".
func checkPosinseqslash(value string, _ int) string {
	position, total, ok := strings.Cut(value, "/")
	if !ok || !onlyDigits(position) || !onlyDigits(total) {
		return i18n.Textf("%q is not a position and a total like 1/3", value)
	}
	if position[0] == '0' || total[0] == '0' {
		return i18n.Textf("%q may not have a number that begins with 0", value)
	}
	return comparePosition(value, position, total)
}

// comparePosition compares two digit strings of any length as numbers.
func comparePosition(value, position, total string) string {
	p, t := strings.TrimLeft(position, "0"), strings.TrimLeft(total, "0")
	switch {
	case p == "":
		return i18n.Textf("%q counts from 0, but the first is 1", value)
	case t == "":
		return i18n.Textf("%q has a total of 0", value)
	case len(p) > len(t) || len(p) == len(t) && p > t:
		return i18n.Textf("%q says %s of %s", value, p, t)
	}

	return ""
}

func checkPcenc(value string, _ int) string {
	for i := strings.IndexByte(value, '%'); i >= 0; {
		if i+2 >= len(value) || unhex(value[i+1]) < 0 || unhex(value[i+2]) < 0 {
			return i18n.Textf("%q has a %% without two hexadecimal digits after it", value)
		}
		next := strings.IndexByte(value[i+3:], '%')
		if next < 0 {
			break
		}
		i += 3 + next
	}

	return ""
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	i := strings.IndexByte("0123456789ABCDEFabcdef", c)
	if i > 15 {
		i -= 6
	}
	return i
}
