package gs1

import "bincard/tui/i18n"

func checkIso3166(value string, _ int) string {
	if !inList(countryNumbers, value) {
		return i18n.Textf("%q is not a country number", value)
	}
	return ""
}

// checkIso3166999 also accepts 999, which means several countries.
func checkIso3166999(value string, year int) string {
	if value == "999" {
		return ""
	}
	return checkIso3166(value, year)
}

func checkIso3166alpha2(value string, _ int) string {
	if !inList(countryLetters, value) {
		return i18n.Textf("%q is not a country code", value)
	}
	return ""
}

func checkIso4217(value string, _ int) string {
	if !inList(currencyNumbers, value) {
		return i18n.Textf("%q is not a currency number", value)
	}
	return ""
}

func checkPackagetype(value string, _ int) string {
	if !inList(packageTypes, value) {
		return i18n.Textf("%q is not a package type code", value)
	}
	return ""
}

// checkMediatype accepts GS1's media types (01 to 10) and those for local use (80 to 99).
func checkMediatype(value string, _ int) string {
	if len(value) == 2 && onlyDigits(value) && (value >= "01" && value <= "10" || value >= "80") {
		return ""
	}
	return i18n.Textf("%q is not a medium: 01 to 10 or 80 to 99", value)
}

// checkLatitude checks ten-millionths of a degree north of the south pole.
func checkLatitude(value string, _ int) string {
	return compareDegrees(value, "1800000000", i18n.Textf("latitude"))
}

// checkLongitude checks ten-millionths of a degree east of Greenwich.
func checkLongitude(value string, _ int) string {
	return compareDegrees(value, "3600000000", i18n.Textf("longitude"))
}

// compareDegrees compares digits of the same length, which compare as the numbers do.
func compareDegrees(value, most, name string) string {
	if len(value) != len(most) || value > most {
		return i18n.Textf("%q is not a %v: the maximum is %s", value, name, most)
	}
	return ""
}
