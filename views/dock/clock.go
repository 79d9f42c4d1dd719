package dock

import (
	"bincard/tui/i18n"
	"time"
)

// noticeable is how far a machine's clock may be off before it is told.
const noticeable = time.Minute

// ClockWords say that this machine's clock is wrong, where the service's is
// ahead of it by offset; "" within a minute.
func ClockWords(t *i18n.Translator, offset time.Duration) string {
	return clockWords(t, offset, i18n.Text("This machine's clock is %s fast. Times shown are the service's."), i18n.Text("This machine's clock is %s slow. Times shown are the service's."))
}

func clockWords(t *i18n.Translator, offset time.Duration, fast, slow string) string {
	d := offset.Abs()
	switch {
	case d <= noticeable:
		return ""
	case offset < 0:
		return t.Get(fast, off(t, d.Round(time.Minute)))
	}
	return t.Get(slow, off(t, d.Round(time.Minute)))
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
		return clockWords(s.T(), s.opts.ClockOffset(), i18n.Text("Clock %s fast. Service time shown."), i18n.Text("Clock %s slow. Service time shown."))
	}
	return ClockWords(s.T(), s.opts.ClockOffset())
}
