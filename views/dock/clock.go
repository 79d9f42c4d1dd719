package dock

import (
	"bincard/tui/i18n"
	"fmt"
	"time"
)

// noticeable is how far a machine's clock may be off before it is told.
const noticeable = time.Minute

// ClockWords say that this machine's clock is wrong, where the service's is
// ahead of it by offset; "" within a minute.
func ClockWords(t *i18n.Translator, offset time.Duration) string {
	return clockWords(t, offset, t.Get("This machine's clock is %s fast. Times shown are the service's."), t.Get("This machine's clock is %s slow. Times shown are the service's."))
}

func clockWords(t *i18n.Translator, offset time.Duration, fast, slow string) string {
	d := offset.Abs()
	switch {
	case d <= noticeable:
		return ""
	case offset < 0:
		return fmt.Sprintf(fast, off(t, d.Round(time.Minute)))
	}
	return fmt.Sprintf(slow, off(t, d.Round(time.Minute)))
}

// off is by how much a clock is off, in the unit that matters.
func off(t *i18n.Translator, d time.Duration) string {
	switch days := int64(d.Round(time.Hour) / (24 * time.Hour)); {
	case days == 1:
		return t.Get("1 day")
	case days > 1:
		return t.Get("%s days", t.Count(days))
	}
	return t.Span(d)
}

// now is the time of what the site works on.
func (s *Site) now() time.Time {
	if s.opts.Now == nil {
		return time.Now()
	}
	return s.opts.Now()
}

// ClockWords say that this machine's clock is wrong, in few words where there is
// little room; "" where it is not, or where that is not known.
func (s *Site) ClockWords(small bool) string {
	switch {
	case s.opts.ClockOffset == nil:
		return ""
	case small:
		return clockWords(s.T(), s.opts.ClockOffset(), s.T().Get("Clock %s fast. Service time shown."), s.T().Get("Clock %s slow. Service time shown."))
	}
	return ClockWords(s.T(), s.opts.ClockOffset())
}
