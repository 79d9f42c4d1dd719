package session

import (
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// noticeable is the largest clock offset without a warning.
const noticeable = time.Minute

// ClockWords returns a warning that this machine's clock is wrong, or "" if offset is
// at most a minute. A positive offset means that the service's clock is ahead.
func ClockWords(t *i18n.Translator, offset time.Duration) string {
	return clockWords(t, offset, i18n.Text("This machine's clock is %s fast. Times shown are the service's."),
		i18n.Text("This machine's clock is %s slow. Times shown are the service's."))
}

func clockWords(t *i18n.Translator, offset time.Duration, fast, slow string) string {
	d := offset.Abs()
	switch {
	case d <= noticeable:
		return ""
	case offset < 0:
		return t.Get(fast, offsetText(t, d.Round(time.Minute)))
	}

	return t.Get(slow, offsetText(t, d.Round(time.Minute)))
}

// offsetText formats the size of a clock offset.
func offsetText(t *i18n.Translator, d time.Duration) string {
	if days := int(d.Round(time.Hour) / (24 * time.Hour)); days > 0 {
		return t.GetN(days, "%s day", "%s days")
	}

	return t.Span(d)
}

// A clock tells the service's time.
type clock struct {
	t      *i18n.Translator
	now    func() time.Time
	offset func() time.Duration // of the service's clock; nil if there is one clock
}

// warning returns a warning that this machine's clock is wrong, a shorter one if small is
// set. It returns "" if the clock is right or the offset is unknown.
func (c *clock) warning(small bool) string {
	switch {
	case c.offset == nil:
		return ""
	case small:
		return clockWords(c.t, c.offset(), i18n.Text("Clock %s fast. Service time shown."),
			i18n.Text("Clock %s slow. Service time shown."))
	}

	return ClockWords(c.t, c.offset())
}

// ClockWords returns a warning that this machine's clock is wrong, or else that of the edge,
// a shorter one if small is set; "" if both are right.
func (s *Site) ClockWords(small bool) string {
	switch words := s.warning(small); {
	case words != "" || !EdgeClockWrong(s.SyncStatus()):
		return words
	case small:
		return s.T().Get("The edge's clock is wrong.")
	}

	return EdgeClockWords(s.T())
}

// EdgeClockWrong reports whether a node has the alarm about its clock.
func EdgeClockWrong(st *api.Sync) bool {
	return st != nil && slices.Contains(st.Alarms, api.AlarmClock)
}

// EdgeClockWords returns a warning about the clock of a node on another machine.
func EdgeClockWords(t *i18n.Translator) string {
	return t.Get("The edge's clock differs from the service's.")
}
