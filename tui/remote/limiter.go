package remote

import (
	"sync"
	"time"
)

const (
	maxFailures  = 5                // the most wrong passwords from one address, or for one name
	failureDecay = 12 * time.Second // the count of wrong passwords decreases by one in this time
	maxSources   = 4096             // above this, sources without failures are removed
)

// authLimiter limits password attempts and connections that have not signed in.
type authLimiter struct {
	now func() time.Time

	mu       sync.Mutex
	failures map[string]failures
	pending  int
}

// failures counts the wrong passwords of a source. The count decreases with time.
type failures struct {
	count float64
	last  time.Time
}

func newAuthLimiter() *authLimiter {
	return &authLimiter{now: time.Now, failures: map[string]failures{}}
}

func (d *authLimiter) count(source string) float64 {
	t := d.failures[source]
	return max(0, t.count-float64(d.now().Sub(t.last))/float64(failureDecay))
}

// allow reports whether all sources may try a password now.
func (d *authLimiter) allow(sources ...string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		if d.count(s) > maxFailures-1 {
			return false
		}
	}
	return true
}

// fail records a wrong password.
func (d *authLimiter) fail(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.failures) > maxSources {
		for s := range d.failures {
			if d.count(s) == 0 || len(d.failures) > 2*maxSources {
				delete(d.failures, s)
			}
		}
	}
	for _, s := range sources {
		d.failures[s] = failures{d.count(s) + 1, d.now()}
	}
}

// reset removes the failures of the sources.
func (d *authLimiter) reset(sources ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range sources {
		delete(d.failures, s)
	}
}
