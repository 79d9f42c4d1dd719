package apiclient

import (
	"net/http"
	"sync"
	"time"
)

// tolerance is how far an answer may lie from what is known of the service's
// clock without changing it, so that what screens show does not jitter.
const tolerance = 1500 * time.Millisecond

// An offset is by how much the service's clock is ahead of this machine's. The
// first answer tells it. Another one changes it when the next answer agrees, so
// that one wrong Date does not, or at once when this machine's clock was set.
type offset struct {
	mu    sync.Mutex
	known bool
	value time.Duration
	last  time.Time // when the last answer came, by this machine's clock

	outlier      bool // the last answer was out of bounds, and these were its own
	lower, upper time.Duration
}

// update takes the Date of an answer whose header came at ended, that long after
// the request was made. The Date has whole seconds and was written in between,
// so the offset lies within bounds; what is known stays while it is near them.
func (o *offset) update(h http.Header, ended time.Time, took time.Duration) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" { // a cache answered
		return
	}
	least := date.Sub(ended.Round(0)) // by the wall clock, not by how long the program runs
	most := least + time.Second + took
	o.mu.Lock()
	defer o.mu.Unlock()
	set := !o.last.IsZero() && (ended.Round(0).Sub(o.last.Round(0))-ended.Sub(o.last)).Abs() > tolerance
	o.last = ended
	agrees := o.outlier && least <= o.upper+tolerance && most >= o.lower-tolerance
	o.outlier = o.value < least-tolerance || o.value > most+tolerance
	if o.outlier && (!o.known || set || agrees) {
		o.value, o.outlier = least+(most-least)/2, false
	}
	o.known, o.lower, o.upper = true, least, most
}

// ClockOffset is by how much the service's clock is ahead of this machine's, as its
// answers told; zero where none has.
func (c *Client) ClockOffset() time.Duration {
	c.offset.mu.Lock()
	defer c.offset.mu.Unlock()
	return c.offset.value
}

// Now is the service's time, as far as it is known.
func (c *Client) Now() time.Time {
	now := c.now()
	if d := c.ClockOffset(); d != 0 {
		return now.Round(0).Add(d) // by the wall clock, which is what the offset is from
	}
	return now
}
