package testenv

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// ClockVariable is the environment variable with the duration by which a
	// program built here shifts its clock.
	ClockVariable = "BINCARD_TEST_CLOCK"
	// dateVariable is the date at which the tests run: "+130" is in 130 days,
	// "02-29" the next February 29, "12-31T23:58" or "12-31T23:59:55" the next
	// such time.
	dateVariable = "BINCARD_TEST_DATE"
)

// SetClock shifts the clock of the tests, and of the programs that they start,
// to the date in BINCARD_TEST_DATE. TestMain calls it first.
func SetClock() {
	date := os.Getenv(dateVariable)
	if date == "" || os.Getenv(ClockVariable) != "" {
		return
	}

	shift, err := ClockAt(date, time.Local)
	if err != nil {
		panic(dateVariable + ": " + err.Error())
	}
	if err := os.Setenv(ClockVariable, shift); err != nil {
		panic(err)
	}
}

// ClockAt returns the value of ClockVariable that shifts the clock to the next
// date in a time zone.
func ClockAt(date string, zone *time.Location) (string, error) {
	now := time.Now().In(zone)
	at, err := nextDate(date, now)
	return at.Sub(now).String(), err
}

// nextDate returns the first time after now that a date names.
func nextDate(date string, now time.Time) (time.Time, error) {
	if text, ok := strings.CutPrefix(date, "+"); ok {
		days, err := strconv.Atoi(text)
		return now.Add(time.Duration(days) * 24 * time.Hour), err
	}

	layout := "2006-01-02T15:04:05"
	switch strings.Count(date, ":") {
	case 0:
		date += now.Format("T15:04:05")
	case 1:
		date += ":00"
	}

	for year := now.Year(); year <= now.Year()+8; year++ {
		at, err := time.ParseInLocation(layout, fmt.Sprintf("%04d-%s", year, date), now.Location())
		if err == nil && at.After(now) {
			return at, nil
		}
	}

	return now, fmt.Errorf("%q is not a date", date)
}

// Now returns the time of the tests and of the programs that they start.
func Now() time.Time {
	d, _ := time.ParseDuration(os.Getenv(ClockVariable)) // zero if not set
	return time.Now().Add(d)
}

// Environ returns the environment variables that give a program the tests'
// date and time zone.
func Environ() []string {
	zone := os.Getenv("TZ")
	if zone == "" {
		zone = "UTC"
	}
	return []string{"TZ=" + zone, ClockVariable + "=" + os.Getenv(ClockVariable)}
}
