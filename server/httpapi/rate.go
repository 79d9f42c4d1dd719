package httpapi

import (
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

const (
	// defaultRate is far above what a working client needs; it stops a faulty
	// one.
	defaultRate = 20_000
	// burstOf is the number of seconds whose requests may come at once.
	burstOf = 2
)

// A rateLimiter limits the requests of each key per second. For each key it
// stores the time up to which its requests have used their share, which a
// compare-and-swap advances.
type rateLimiter struct {
	interval time.Duration // per request
	burst    time.Duration // how far a key may run ahead of the clock
	now      func() time.Time
	start    time.Time
	keys     sync.Map // key id or actor → *atomic.Int64
}

func newRate(perSecond int, now func() time.Time) *rateLimiter {
	if perSecond < 0 {
		return nil
	}
	if perSecond == 0 {
		perSecond = defaultRate
	}
	interval := time.Second / time.Duration(perSecond)
	return &rateLimiter{interval: interval, burst: max(interval, burstOf*time.Second), now: now, start: now()}
}

// allow counts a request of the caller, or returns an error with the time to
// wait.
func (r *rateLimiter) allow(c *api.Caller) error {
	if r == nil {
		return nil
	}
	used := r.of(c)
	for {
		now := r.now().Sub(r.start)
		old := used.Load()
		from := max(time.Duration(old), now)
		if from-now > r.burst+time.Second { // only possible if the clock was set back
			from = now
		}
		next := from + r.interval
		if over := next - now - r.burst; over > 0 {
			return rateLimited(over)
		}
		if used.CompareAndSwap(old, int64(next)) {
			return nil
		}
	}
}

func (r *rateLimiter) of(c *api.Caller) *atomic.Int64 {
	var key any = c.KeyID
	if c.KeyID == (api.ID{}) {
		key = c.Actor
	}
	if used, ok := r.keys.Load(key); ok {
		return used.(*atomic.Int64)
	}
	used, _ := r.keys.LoadOrStore(key, new(atomic.Int64))
	return used.(*atomic.Int64)
}

// rateLimited returns the error for a wait, rounded up to whole seconds for
// the Retry-After header.
func rateLimited(after time.Duration) error {
	seconds := int64((after + time.Second - 1) / time.Second)
	return api.Fail(api.RateLimited, api.Details{retryAfter: seconds},
		"Rate limit exceeded for this key. Retry in %d s.", seconds)
}

// clockOf returns now, or time.Now if it is nil.
func clockOf(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
