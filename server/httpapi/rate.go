package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
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
	policy   []string      // the RateLimit-Policy header
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
	burst := max(interval, burstOf*time.Second)
	policy := fmt.Sprintf(`"key";q=%d;w=%d`, burst/interval, burst/time.Second)

	return &rateLimiter{interval: interval, burst: burst, policy: []string{policy}, now: now, start: now()}
}

// allow counts a request of the caller, or returns an error with the time to
// wait. It adds the headers RateLimit-Policy and RateLimit of
// draft-ietf-httpapi-ratelimit-headers to the answer.
func (r *rateLimiter) allow(c *api.Caller, h http.Header) error {
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
			r.report(h, from-now)
			return rateLimited(over)
		}
		if used.CompareAndSwap(old, int64(next)) {
			r.report(h, next-now)
			return nil
		}
	}
}

// report sets the headers with the remaining requests of a key and the time until all are
// available again. ahead is how far the key is ahead of its rate.
func (r *rateLimiter) report(h http.Header, ahead time.Duration) {
	b := make([]byte, 0, 32)
	b = strconv.AppendInt(append(b, `"key";r=`...), int64(max(0, r.burst-ahead)/r.interval), 10)
	b = strconv.AppendInt(append(b, ";t="...), int64((ahead+time.Second-1)/time.Second), 10)
	h["Ratelimit-Policy"], h["Ratelimit"] = r.policy, []string{string(b)}
}

func (r *rateLimiter) of(c *api.Caller) *atomic.Int64 {
	var key any = c.KeyID
	if c.KeyID == api.NoID {
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
