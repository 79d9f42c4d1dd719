package gs1

import (
	"strconv"
	"time"

	"bincard/tui/i18n"
)

func checkYymmdd(value string, year int) string {
	if message := checkYymmd0(value, year); message != "" {
		return message
	}
	if value[4:] == "00" {
		return i18n.Textf("%q has no day", value)
	}
	return ""
}

// checkYymmd0 also accepts day 00, which means the end of the month.
func checkYymmd0(value string, year int) string {
	if len(value) != 6 || !onlyDigits(value) {
		return i18n.Textf("%q is not a YYMMDD date", value)
	}
	yy, _ := strconv.Atoi(value[:2])
	return compareDay(value, fullYear(yy, year), value[2:4], value[4:])
}

func checkYyyymmdd(value string, _ int) string {
	if len(value) != 8 || !onlyDigits(value) {
		return i18n.Textf("%q is not a YYYYMMDD date", value)
	}
	if value[6:] == "00" {
		return i18n.Textf("%q has no day", value)
	}
	y, _ := strconv.Atoi(value[:4])
	return compareDay(value, y, value[4:6], value[6:])
}

func compareDay(value string, year int, month, day string) string {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if m < 1 || m > 12 {
		return i18n.Textf("%q has no month %s", value, month)
	}
	if d > daysIn(year, m) {
		return i18n.Textf("%q is not a date: %v %d has %d days", value, months[m-1], year, daysIn(year, m))
	}

	return ""
}

var months = [12]string{
	i18n.Textf("January"),
	i18n.Textf("February"),
	i18n.Textf("March"),
	i18n.Textf("April"),
	i18n.Textf("May"),
	i18n.Textf("June"),
	i18n.Textf("July"),
	i18n.Textf("August"),
	i18n.Textf("September"),
	i18n.Textf("October"),
	i18n.Textf("November"),
	i18n.Textf("December"),
}

// fullYear returns the year with these last two digits from 49 years before to 50 years after year.
func fullYear(yy, year int) int {
	full := year - year%100 + yy
	switch distance := full - year; {
	case distance >= 51:
		return full - 100
	case distance <= -50:
		return full + 100
	}

	return full
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// date parses six digits that a rule has accepted.
func date(value string, year int) time.Time {
	yy, _ := strconv.Atoi(value[:2])
	m, _ := strconv.Atoi(value[2:4])
	d, _ := strconv.Atoi(value[4:6])
	full := fullYear(yy, year)
	if d == 0 {
		d = daysIn(full, m)
	}
	return time.Date(full, time.Month(m), d, 0, 0, 0, 0, time.UTC)
}

func checkHhmi(value string, year int) string {
	if len(value) != 4 {
		return i18n.Textf("%q is not an HHMM time", value)
	}
	if message := checkHh(value[:2], year); message != "" {
		return message
	}
	return checkMi(value[2:], year)
}

func checkHh(value string, _ int) string { return compareClock(value, "23", i18n.Textf("an hour")) }
func checkMi(value string, _ int) string { return compareClock(value, "59", i18n.Textf("a minute")) }
func checkSs(value string, _ int) string { return compareClock(value, "59", i18n.Textf("a second")) }

// compareClock compares two digits, which compare as the numbers do.
func compareClock(value, most, name string) string {
	if len(value) != 2 || !onlyDigits(value) || value > most {
		return i18n.Textf("%q is not %v: 00 to %s", value, name, most)
	}
	return ""
}
