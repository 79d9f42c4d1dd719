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
func ClockWords(offset time.Duration) string {
	switch d := offset.Abs().Round(time.Minute); {
	case offset.Abs() <= noticeable:
		return ""
	case offset < 0:
		return fmt.Sprintf(clockFast, off(d))
	default:
		return fmt.Sprintf(clockSlow, off(d))
	}
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

// ClockWords say that this machine's clock is wrong; "" where it is not, or
// where that is not known.
func (s *Site) ClockWords() string {
	if s.opts.ClockOffset == nil {
		return ""
	}
	return ClockWords(s.opts.ClockOffset())
}
