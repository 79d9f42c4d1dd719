package remote

import (
	"sync"
	"time"
)

const (
	maxFailures     = 5                // the most wrong passwords for one name from one address
	maxFromAddress  = 20               // the most wrong passwords from one address
	failureDecay    = 12 * time.Second // the count of wrong passwords decreases by one in this time
	maxSources      = 4096             // above this, sources without failures are removed
	maxPending      = 64               // the most connections that have not signed in
	maxPendingOfOne = 32               // the most of those from one address; many may share one
)

// authLimiter limits password attempts and connections that have not signed in.
type authLimiter struct {
	now func() time.Time

	mu       sync.Mutex
	failures map[string]failures
	pending  []*pendingConn // oldest first
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

// An attempt is the try of a password for a name from an address.
type attempt struct{ address, name string }

// pair returns the source that counts the wrong passwords for the name from the address: not
// for the name alone, or anybody could lock a person out.
func (a attempt) pair() string { return a.address + " " + a.name }

// try reports whether a password may be tried now, and counts it as wrong: many tries at
// once are no more than one after the other.
func (d *authLimiter) try(a attempt) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count(a.address) > maxFromAddress-1 || d.count(a.pair()) > maxFailures-1 {
		return false
	}
	if len(d.failures) > maxSources {
		for s := range d.failures {
			if d.count(s) == 0 || len(d.failures) > 2*maxSources {
				delete(d.failures, s)
			}
		}
	}
	for _, s := range []string{a.address, a.pair()} {
		d.failures[s] = failures{d.count(s) + 1, d.now()}
	}
	return true
}

// succeed takes back a try whose password was right, and forgets the wrong ones for the name
// from the address.
func (d *authLimiter) succeed(a attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.failures, a.pair())
	if n := d.count(a.address) - 1; n > 0 {
		d.failures[a.address] = failures{n, d.now()}
	} else {
		delete(d.failures, a.address)
	}
}

// add adds a connection that has not signed in. It returns the one that must make room for
// it, or nil: the oldest from the address with the most.
func (d *authLimiter) add(k *pendingConn) (dropped *pendingConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	number := map[string]int{}
	for _, x := range d.pending {
		number[x.from]++
	}
	from := k.from
	if number[from] < maxPendingOfOne {
		if len(d.pending) < maxPending {
			d.pending = append(d.pending, k)
			return nil
		}
		for _, x := range d.pending {
			if number[x.from] > number[from] {
				from = x.from
			}
		}
	}
	for i, x := range d.pending {
		if x.from == from {
			d.pending = append(append(d.pending[:i:i], d.pending[i+1:]...), k)
			return x
		}
	}
	return nil
}

// remove removes a connection that has signed in or closed.
func (d *authLimiter) remove(k *pendingConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, x := range d.pending {
		if x == k {
			d.pending = append(d.pending[:i:i], d.pending[i+1:]...)
			return
		}
	}
}
