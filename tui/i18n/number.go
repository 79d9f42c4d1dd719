package i18n

import (
	"strconv"
	"time"
)

// Count writes a number with the separators of the language: 1,284, in German 1.284.
func (t *Translator) Count(n int64) string {
	separator := ","
	if t != nil {
		// Translators: the sign between thousands, as in 1,284.
		separator = t.GetC(",", "thousands")
	}

	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}

	return sign + digits
}

// Change writes a number with its sign: +48, -1,200, 0.
func (t *Translator) Change(n int64) string {
	if n > 0 {
		return "+" + t.Count(n)
	}
	return t.Count(n)
}

// When writes a time relative to now, in now's zone: "today 14:00", "yesterday 16:05",
// "tomorrow 09:00", else the date and 14:00. The last nanosecond of a day is the day. The
// zero time is "".
func (t *Translator) When(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	if endsDay(at) {
		return t.Day(at, now)
	}
	return t.Day(at, now) + " " + at.Format("15:04")
}

// endsDay reports whether a time is the last nanosecond of its day.
func endsDay(at time.Time) bool {
	next := at.Add(1)
	return next.Nanosecond() == 0 && next.Format("150405") == "000000"
}

// TimeOrDay writes a time of today as the time of day, and any other as its day, as When
// does.
func (t *Translator) TimeOrDay(at, now time.Time) string {
	if at = at.In(now.Location()); !Today(at, now) || endsDay(at) {
		return t.Day(at, now)
	}
	return at.Format("15:04")
}

// Day writes the day of a time: "today", "yesterday", "tomorrow", else its date. The zero time is "".
func (t *Translator) Day(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}

	at = at.In(now.Location())
	switch days(at) - days(now) {
	case -1:
		return t.Get("yesterday")
	case 0:
		return t.Get("today")
	case 1:
		return t.Get("tomorrow")
	}

	return t.Date(at)
}

// Weekday writes the day of the week in two letters: "Mo".
func (t *Translator) Weekday(at time.Time) string {
	switch at.Weekday() {
	case time.Monday:
		return t.GetC("Mo", "weekday")
	case time.Tuesday:
		return t.GetC("Tu", "weekday")
	case time.Wednesday:
		return t.GetC("We", "weekday")
	case time.Thursday:
		return t.GetC("Th", "weekday")
	case time.Friday:
		return t.GetC("Fr", "weekday")
	case time.Saturday:
		return t.GetC("Sa", "weekday")
	}

	return t.GetC("Su", "weekday")
}

// Today reports whether a time is on the day of now, in now's zone.
func Today(at, now time.Time) bool { return days(at.In(now.Location())) == days(now) }

// days returns the number of the calendar day in the time's own zone.
func days(at time.Time) int64 {
	y, m, d := at.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

// Clock writes the time of day with seconds, in now's zone, for feeds: "13:52:08".
func Clock(at, now time.Time) string { return at.In(now.Location()).Format(time.TimeOnly) }

// Ago writes the duration between a time and now: "2s", "12 min", "3 h 12 m", "4 days".
func (t *Translator) Ago(at, now time.Time) string {
	d := now.Sub(at)
	if d < 0 {
		d = -d
	}
	return t.Span(d)
}

// Span writes a duration in its largest unit or, for hours, two units.
func (t *Translator) Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return t.Get("%s min", strconv.Itoa(int(d/time.Minute)))
	case d < 48*time.Hour:
		h, m := int(d/time.Hour), int(d%time.Hour/time.Minute)
		if m == 0 {
			return t.Get("%s h", strconv.Itoa(h))
		}
		return t.Get("%s h %s m", strconv.Itoa(h), strconv.Itoa(m))
	}

	return t.GetN(int(d/(24*time.Hour)), "%s day", "%s days")
}
