package gs1

import (
	"fmt"
	"strings"

	"bincard/tui/i18n"
)

// ScanAgain is the end of a problem that a second scan may solve.
const ScanAgain = ": scan again or correct the number"

// checkCsum checks the last digit, GS1's check digit.
func checkCsum(value string, _ int) string {
	if !onlyDigits(value) {
		return i18n.Textf("%q has no check digit", value)
	}

	last := len(value) - 1
	if want := CheckDigit(value[:last]); value[last] != want {
		return i18n.Textf("%v: scan again or correct the number",
			i18n.Textf("the check digit of %q is %s but should be %s", value, value[last:], string(want)))
	}

	return ""
}

// CheckDigit returns the check digit of the digits before it: the weighted sum (3 and 1 alternating from
// the right) plus the check digit is a multiple of ten.
func CheckDigit(body string) byte {
	sum := 0
	for i := range len(body) {
		weight := 1
		if (len(body)-i)%2 == 1 {
			weight = 3
		}
		sum += int(body[i]-'0') * weight
	}

	return byte('0' + (10-sum%10)%10)
}

// checkCsumalpha checks the last two characters, the check characters of alphanumeric keys.
func checkCsumalpha(value string, _ int) string {
	const (
		modulus  = 1021
		alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	)
	primes := [...]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83}
	body := len(value) - 2
	if body < 0 {
		return i18n.Textf("%q is too short for two check characters", value)
	}
	if body > len(primes) {
		return i18n.Textf("%q is too long for check characters", value)
	}

	sum := 0
	for i := range body {
		v := strings.IndexByte(set82, value[i])
		if v < 0 {
			return i18n.Textf("%q at position %d of %q is not one of GS1's characters", value[i], i+1, value)
		}
		sum += v * primes[body-1-i]
	}

	sum %= modulus
	want := string([]byte{alphabet[sum>>5], alphabet[sum&31]})
	if got := value[body:]; got != want {
		return i18n.Textf("%v: scan again or correct the number",
			i18n.Textf("check characters of %q are %s, they should be %s", value, got, want))
	}

	return ""
}

// checkIban checks the country, characters and checksum of an international bank account number.
func checkIban(value string, _ int) string {
	if len(value) < 5 {
		return i18n.Textf("%q is too short for a bank account number", value)
	}
	if !inList(countryLetters, value[:2]) {
		return i18n.Textf("%q does not begin with a country", value)
	}
	if !onlyDigits(value[2:4]) {
		return i18n.Textf("%q does not have two check digits after the country", value)
	}

	remainder := 0
	for _, r := range value[4:] + value[:2] {
		switch {
		case r >= '0' && r <= '9':
			remainder = (remainder*10 + int(r-'0')) % 97
		case r >= 'A' && r <= 'Z':
			remainder = (remainder*100 + int(r-'A') + 10) % 97
		default:
			return i18n.Textf("%q in %q is not a capital letter or digit", r, value)
		}
	}

	if want := fmt.Sprintf("%02d", 98-remainder*100%97); value[2:4] != want {
		return i18n.Textf("check digits of %q are %s, they should be %s", value, value[2:4], want)
	}

	return ""
}
