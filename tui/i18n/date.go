package i18n

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// dateLayout returns how the language writes a date, as time.Format takes it.
func (t *Translator) dateLayout() string {
	// Translators: the date 2006-01-02 as people write it, with the same day: 02.01.2006.
	return t.GetC("2006-01-02", "date")
}

// Date writes the date of a time as the language does: 2026-12-31, in German 31.12.2026.
func (t *Translator) Date(at time.Time) string { return at.Format(t.dateLayout()) }

// DateClock writes a time with its date: 2026-12-31 14:00.
func (t *Translator) DateClock(at time.Time) string { return t.Date(at) + at.Format(" 15:04") }

// DayOfYear writes the date of a time without its year: 12-31, in German 31.12.
func (t *Translator) DayOfYear(at time.Time) string {
	return at.Format(strings.Trim(strings.Replace(t.dateLayout(), "2006", "", 1), "-/"))
}

// TimeText writes a full date, with or without a time of day, as the language does. Any other text
// is returned as it is, and so is an instant, whose zone is in it.
func (t *Translator) TimeText(text string) string {
	_, err := time.Parse(time.RFC3339, text)
	switch at, onlyDay, ok := t.ParseTime(text, time.Time{}); {
	case !ok || err == nil:
		return text
	case onlyDay:
		return t.Date(at)
	default:
		return t.DateClock(at)
	}
}

// DateExample is a date in the form of the language, for a hint; with a time of day if clock is set.
func (t *Translator) DateExample(clock bool) string {
	at := time.Date(2027, time.March, 31, 14, 0, 0, 0, time.UTC)
	if clock {
		return t.DateClock(at)
	}
	return t.Date(at)
}

// ParseTime parses a time as people type it, in the zone of now. It knows
//
//   - a day: 2026-12-31, 20261231, 261231 as on labels (261200 is the end of that month),
//     31.12.2026, 31.12.26, and the form of the language, in English 12/31/2026
//   - a day relative to now: 31.12., which is the nearest one, and today, tomorrow and yesterday
//     in English and the language
//   - a time of day: 14:00, which is that of today, or after a day
//   - an instant of RFC 3339
//
// A zero now knows no relative days. onlyDay reports that the text has no time of day: at is the
// start of the day.
func (t *Translator) ParseTime(text string, now time.Time) (at time.Time, onlyDay, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err == nil {
		return at.In(now.Location()), false, true
	}

	parts := dayAndClock().FindStringSubmatch(text)
	if at, ok = t.parseDay(parts[1], now); parts[2] == "" || !ok {
		return at, true, ok && text != ""
	}

	clock, err := time.Parse("15:04:05", parts[2])
	if err != nil {
		clock, err = time.Parse("15:04", parts[2])
	}

	y, m, d := at.Date()

	return time.Date(y, m, d, clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location()), false, err == nil
}

// dayAndClock matches a day, a time of day, or both.
var dayAndClock = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(.*?)(?:(?:^|[ t]+)(\d{1,2}:\d\d(?::\d\d)?))?$`)
})

// parseDay returns the start of a day. An empty text is today.
func (t *Translator) parseDay(text string, now time.Time) (time.Time, bool) {
	own := strings.NewReplacer("01", "1", "02", "2").Replace(t.dateLayout())
	if code := t.Language().Code; code == Pseudo || code == English && t.dateLayout() == time.DateOnly {
		own = "1/2/2006"
	}

	if !now.IsZero() {
		for day, word := range []string{t.Get("yesterday"), t.Get("today"), t.Get("tomorrow")} {
			english := []string{"yesterday", "today", "tomorrow"}[day]
			if text == english || text == strings.ToLower(word) || text == "" && day == 1 {
				return inZone(now.AddDate(0, 0, day-1), now), true
			}
		}

		for _, layout := range []string{"2.1.", "2.1", strings.TrimSuffix(own, "/2006")} {
			if at, err := time.Parse(layout+" 2006", text+now.Format(" 2006")); err == nil {
				return nearest(inZone(at, now), now), true
			}
		}
	}

	for _, layout := range []string{time.DateOnly, "20060102", "060102", "2.1.2006", "2.1.06", own} {
		if at, err := time.Parse(layout, text); err == nil {
			return inZone(at, now), true
		}
	}

	if month, ok := strings.CutSuffix(text, "00"); ok && len(month) == 4 { // on labels, the end of the month
		if at, err := time.Parse("0601", month); err == nil {
			return inZone(at.AddDate(0, 1, -1), now), true
		}
	}

	return time.Time{}, false
}

// nearest returns the day, or that of the year before or after, that is nearest to now.
func nearest(day, now time.Time) time.Time {
	for _, other := range []time.Time{day.AddDate(-1, 0, 0), day.AddDate(1, 0, 0)} {
		if other.Sub(now).Abs() < day.Sub(now).Abs() {
			return other
		}
	}
	return day
}

// inZone returns the start of the same day in the zone of now.
func inZone(day, now time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, now.Location())
}
