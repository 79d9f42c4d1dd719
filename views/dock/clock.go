package dock

import (
	"fmt"
	"time"

	"bincard/tui/widget"
)

// noticeable is how far a machine's clock may be off before it is told.
const noticeable = time.Minute

// ClockWords say that this machine's clock is wrong, where the service's is
// ahead of it by offset; "" within a minute.
func ClockWords(offset time.Duration) string { return clockWords(offset, clockFast, clockSlow) }

func clockWords(offset time.Duration, fast, slow string) string {
	d := offset.Abs()
	switch {
	case d <= noticeable:
		return ""
	case offset < 0:
		return fmt.Sprintf(fast, off(d.Round(time.Minute)))
	}
	return fmt.Sprintf(slow, off(d.Round(time.Minute)))
}

// off is by how much a clock is off, in the unit that matters.
func off(d time.Duration) string {
	switch days := int64(d.Round(time.Hour) / (24 * time.Hour)); {
	case days == 1:
		return clockDay
	case days > 1:
		return fmt.Sprintf(clockDays, widget.Count(days))
	}
	return widget.Span(d)
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
		return clockWords(s.opts.ClockOffset(), shortFast, shortSlow)
	}
	return ClockWords(s.opts.ClockOffset())
}
