package apiclient

import (
	"net/http"
	"sync"
	"time"
)

// tolerance is how far an answer's time may be from the known offset without
// changing it, so that displayed times do not jitter.
const tolerance = 1500 * time.Millisecond

// An offset is how far the service's clock is ahead of the local one. The
// first answer sets it. A differing answer changes it only if the next one
// agrees, since a single Date may be wrong, or if the local clock was set.
type offset struct {
	mu    sync.Mutex
	known bool
	value time.Duration
	last  time.Time // when the last answer arrived, by the local clock

	outlier      bool // the last answer contradicted the offset; lower and upper are its bounds
	lower, upper time.Duration
}

// update takes the Date of an answer. Its header arrived at ended, took after
// the request was sent. The Date was written in between and has whole seconds,
// so it bounds the offset; within the bounds and tolerance the offset stays.
func (o *offset) update(h http.Header, ended time.Time, took time.Duration) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" { // from a cache
		return
	}

	lower := date.Sub(ended.Round(0)) // Round removes the monotonic clock
	upper := lower + time.Second + took
	o.mu.Lock()
	defer o.mu.Unlock()
	set := !o.last.IsZero() && (ended.Round(0).Sub(o.last.Round(0))-ended.Sub(o.last)).Abs() > tolerance
	o.last = ended
	agrees := o.outlier && lower <= o.upper+tolerance && upper >= o.lower-tolerance
	o.outlier = o.value < lower-tolerance || o.value > upper+tolerance
	if o.outlier && (!o.known || set || agrees) {
		o.value, o.outlier = lower+(upper-lower)/2, false
	}

	o.known, o.lower, o.upper = true, lower, upper
}
