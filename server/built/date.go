package built

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// ClockVariable is the environment variable that moves the clock of a program
	// built here, by a duration.
	ClockVariable = "BINCARD_TEST_CLOCK"
	// dateVariable is the date at which tests run: "+130" is in 130 days,
	// "02-29" the next 29 February, "12-31T23:58" or "12-31T23:59:55" the next such moment.
	dateVariable = "BINCARD_TEST_DATE"
)

// SetClock moves the clock of the tests, and of the programs that they start, to
// the date that BINCARD_TEST_DATE names. TestMain calls it before the tests run.
func SetClock() {
	date := os.Getenv(dateVariable)
	if date == "" || os.Getenv(ClockVariable) != "" {
		return
	}
	now := time.Now()
	at, err := next(date, now)
	if err != nil {
		panic(dateVariable + ": " + err.Error())
	}
	if err := os.Setenv(ClockVariable, at.Sub(now).String()); err != nil {
		panic(err)
	}
}

// next is the first instant after now that a date names.
func next(date string, now time.Time) (time.Time, error) {
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

// Now is the time of the tests and of the programs that they start.
func Now() time.Time {
	d, _ := time.ParseDuration(os.Getenv(ClockVariable)) // no variable is no shift
	return time.Now().Add(d)
}

// Environ is the environment of a program at the date and in the zone of the
// tests, for those that give it no other.
func Environ() []string {
	zone := os.Getenv("TZ")
	if zone == "" {
		zone = "UTC"
	}
	return []string{"TZ=" + zone, ClockVariable + "=" + os.Getenv(ClockVariable)}
}
