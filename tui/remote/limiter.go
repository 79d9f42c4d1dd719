package remote

import (
	"sync"
	"time"
)

const (
	maxFailuresOfName   = 5                // the most wrong passwords for one name from one address
	maxFailuresOfSource = 20               // the most wrong passwords from one address
	failureDecay        = 12 * time.Second // the count of wrong passwords decreases by one in this time
	maxSources          = 4096             // above this, sources without failures are removed
)

// authLimiter limits password attempts and connections that have not signed in.
type authLimiter struct {
	now func() time.Time

	mu       sync.Mutex
	failures map[attempt]failures
	pending  []*pendingConn // oldest first
}

// An attempt is what failures are counted for: a name from an address, or an address
// without a name. A name alone does not count: anybody could lock its owner out.
type attempt struct{ from, name string }

func (a attempt) limit() float64 {
	if a.name == "" {
		return maxFailuresOfSource
	}
	return maxFailuresOfName
}

// failures counts wrong passwords. The count decreases with time.
type failures struct {
	count float64
	last  time.Time
}

func newAuthLimiter() *authLimiter {
	return &authLimiter{now: time.Now, failures: map[attempt]failures{}}
}

func (d *authLimiter) count(a attempt) float64 {
	t := d.failures[a]
	return max(0, t.count-float64(d.now().Sub(t.last))/float64(failureDecay))
}

// reserve counts an attempt as failed before the password is checked, so that many at
// once are no way around the limit. It reports false, and counts nothing, if there were
// too many.
func (d *authLimiter) reserve(from, name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	both := []attempt{{from, name}, {from, ""}}
	for _, a := range both {
		if d.count(a) > a.limit()-1 {
			return false
		}
	}

	if len(d.failures) > maxSources {
		for a := range d.failures {
			if d.count(a) == 0 || len(d.failures) > 2*maxSources {
				delete(d.failures, a)
			}
		}
	}

	for _, a := range both {
		d.failures[a] = failures{d.count(a) + 1, d.now()}
	}

	return true
}

// succeed gives a reserved attempt back and forgets the failures of the name.
func (d *authLimiter) succeed(from, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.failures, attempt{from, name})
	source := attempt{from, ""}
	d.failures[source] = failures{max(0, d.count(source)-1), d.now()}
}
