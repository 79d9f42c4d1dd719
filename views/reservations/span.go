package reservations

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// TimeLeft formats the remaining time so that its width changes little: "4 days", "2
// h 05 m", "12:34". It returns "" if no time is left.
func TimeLeft(t *i18n.Translator, d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d >= 48*time.Hour:
		return t.GetN(int(d/(24*time.Hour)), "%s day", "%s days")
	case d >= time.Hour:
		return t.Get("%d h %02d m", int(d/time.Hour), int(d%time.Hour/time.Minute))
	}

	d = (d + time.Second - 1).Truncate(time.Second)

	return fmt.Sprintf("%d:%02d", int(d/time.Minute), int(d%time.Minute/time.Second))
}

// statusAt returns the status at a time. A pending reservation past its end is
// expired, even if the service has not said so yet.
func statusAt(r *api.Reservation, now time.Time) api.ReservationStatus {
	if r.Status == api.ReservationPending && !r.ExpiresAt.After(now) {
		return api.ReservationExpired
	}
	return r.Status
}

// statuses are the names of the statuses.
var statuses = i18n.Texts[string]{
	"pending":   "reserved",
	"committed": "committed",
	"released":  "released",
	"expired":   "expired",
	"cancelled": "canceled",
}

// endsSoon reports whether a reservation expires within the hour.
func endsSoon(r *api.Reservation, now time.Time) bool {
	return statusAt(r, now) == api.ReservationPending && r.ExpiresAt.Before(now.Add(time.Hour))
}

// sortByDue sorts pending reservations first, by end; then committed ones; then the
// rest, latest change first.
func sortByDue(rows []api.Reservation, now time.Time) {
	rank := func(r *api.Reservation) int {
		switch statusAt(r, now) {
		case api.ReservationPending:
			return 0
		case api.ReservationCommitted:
			return 1
		}

		return 2
	}

	slices.SortStableFunc(rows, func(a, b api.Reservation) int {
		if x, y := rank(&a), rank(&b); x != y {
			return cmp.Compare(x, y)
		}
		if rank(&a) == 2 {
			return b.UpdatedAt.Compare(a.UpdatedAt)
		}
		return a.ExpiresAt.Compare(b.ExpiresAt)
	})
}

// glyph marks the status of a reservation without color.
func glyph(r *api.Reservation, now time.Time) string {
	switch statusAt(r, now) {
	case api.ReservationPending:
		if endsSoon(r, now) {
			return widget.GlyphRefused
		}
		return widget.GlyphPending
	case api.ReservationCommitted:
		return widget.GlyphOK
	}

	return " "
}

var spanText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,5}) ?(\pL+)$`)
})

// spanUnit returns the unit of time that a word names, in English or in the language of
// the session; 0 for none.
func spanUnit(t *i18n.Translator, word string) time.Duration {
	for _, t := range []*i18n.Translator{nil, t} {
		units := map[time.Duration]string{
			time.Minute:        t.GetC("m min minute minutes", "units of time"),
			time.Hour:          t.GetC("h hour hours", "units of time"),
			24 * time.Hour:     t.GetC("d day days", "units of time"),
			7 * 24 * time.Hour: t.GetC("w week weeks", "units of time"),
		}

		for unit, words := range units {
			if slices.Contains(strings.Fields(strings.ToLower(words)), word) {
				return unit
			}
		}
	}

	return 0
}

// parseExpiry parses a duration from now or a point in time. The default is an hour.
func parseExpiry(t *i18n.Translator, text string, now time.Time) (time.Time, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return now.Add(time.Hour), nil
	}

	if m := spanText().FindStringSubmatch(text); m != nil && spanUnit(t, m[2]) > 0 {
		n, _ := strconv.Atoi(m[1])
		unit := spanUnit(t, m[2])
		if n == 0 {
			return time.Time{}, t.NewError("%q is in the past. Choose a later time.", text)
		}
		return now.Add(time.Duration(n) * unit), nil
	}

	at, onlyDay, ok := t.ParseTime(text, now)
	if !ok {
		return time.Time{}, t.NewError("not a time: type 2 h, 3 days, or %s", t.DateExample(true))
	}
	if onlyDay { // until its end
		at = at.AddDate(0, 0, 1).Add(-time.Minute)
	}
	if !at.After(now) {
		return time.Time{}, t.NewError("%q is in the past. Choose a later time.", text)
	}

	return at, nil
}

// expiryText formats the end of a reservation.
func expiryText(t *i18n.Translator, r *api.Reservation, now time.Time) string {
	return t.When(r.ExpiresAt, now)
}
