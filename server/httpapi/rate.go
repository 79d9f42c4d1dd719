package httpapi

import (
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

const (
	// defaultRate is far above what one client reaches in earnest; it stops a
	// client that runs wild.
	defaultRate = 20_000
	// burstOf is how many seconds' worth of requests may come at once.
	burstOf = 2
)

// A rateLimiter holds each key to so many requests a second. It keeps for each key the
// instant up to which its requests have used the time that they may take, which
// one compare-and-swap moves on.
type rateLimiter struct {
	interval time.Duration // of one request
	burst    time.Duration // how far ahead of the clock a key may get
	now      func() time.Time
	begun    time.Time
	keys     sync.Map // key id or actor's id → *atomic.Int64
}

func newRate(perSecond int, now func() time.Time) *rateLimiter {
	if perSecond < 0 {
		return nil
	}
	if perSecond == 0 {
		perSecond = defaultRate
	}
	each := time.Second / time.Duration(perSecond)
	return &rateLimiter{interval: each, burst: max(each, burstOf*time.Second), now: now, begun: now()}
}

// allow counts a request of the caller, or refuses it and says when the next one
// is welcome.
func (r *rateLimiter) allow(c *api.Caller) error {
	if r == nil {
		return nil
	}
	used := r.of(c)
	for {
		now := r.now().Sub(r.begun)
		old := used.Load()
		from := max(time.Duration(old), now)
		if from-now > r.burst+time.Second { // no key gets that far: the clock was set back
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

// rateLimited tells to come again after a while, in whole seconds, which is what
// the header can say.
func rateLimited(after time.Duration) error {
	seconds := int64((after + time.Second - 1) / time.Second)
	return api.Fail(api.RateLimited, api.Details{retryAfter: seconds},
		"Rate limit exceeded for this key. Retry in %d s.", seconds)
}

// retryAfter is the detail that the header Retry-After is made of.
const retryAfter = "retryAfterSeconds"

// How many seconds to wait, by what is waited for. What lies behind the
// handler says it itself.
const (
	retryCrowded = 1  // until one of many requests is done
	retryBusy    = 5  // until what kept one of them is done
	retryUnready = 30 // until whoever watches has seen to it
)

// retrySeconds is how many seconds to wait before the next try: what the error says,
// or a moment.
func retrySeconds(e *api.Error) int64 {
	n, ok := e.Details[retryAfter].(int64)
	if !ok || n < 1 {
		return retryCrowded
	}
	return n
}

// unavailable is a refusal for now, with the seconds after which to try again.
func unavailable(seconds int64, err error, format string, args ...any) *api.Error {
	e := api.Fail(api.Unavailable, api.Details{retryAfter: seconds}, format, args...)
	e.Err = err
	return e
}
