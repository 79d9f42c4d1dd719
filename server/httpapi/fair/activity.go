package fair

import (
	"sync"

	"github.com/google/uuid"
)

// recentStarts is the number of starts for which an organization is active after
// its last one.
const recentStarts = 64

// maxIdle is the number of organizations above which idle ones are removed.
const maxIdle = 1024

// An Activity knows which organizations are active: those with requests in one of
// the queues that share it, or with one of the last starts.
type Activity struct {
	mu     sync.Mutex // also of the queues
	active int
	starts uint64
	recent [recentStarts]*presence
	orgs   map[uuid.UUID]*presence
}

// NewActivity returns an activity for queues.
func NewActivity() *Activity { return &Activity{orgs: map[uuid.UUID]*presence{}} }

// A presence counts the requests of an organization that run or wait, and its
// recent starts.
type presence struct{ count int }

// of returns the presence of an organization.
func (a *Activity) of(id uuid.UUID) *presence {
	p := a.orgs[id]
	if p == nil {
		if len(a.orgs) >= maxIdle {
			for id, p := range a.orgs {
				if p.count == 0 {
					delete(a.orgs, id)
				}
			}
		}

		p = &presence{}
		a.orgs[id] = p
	}

	return p
}

func (a *Activity) add(p *presence, n int) {
	if p.count == 0 {
		a.active++
	}
	if p.count += n; p.count == 0 {
		a.active--
	}
}

// start counts a start, until recentStarts later, and returns its number.
func (a *Activity) start(p *presence) uint64 {
	last := &a.recent[a.starts%recentStarts]
	if *last != nil {
		a.add(*last, -1)
	}
	*last = p
	a.add(p, +1)
	a.starts++
	return a.starts
}

// alone reports whether no other organization is active.
func (a *Activity) alone(p *presence) bool {
	return a.active == 0 || a.active == 1 && p.count > 0
}

// A Counter limits what each key has at once.
type Counter[K comparable] struct {
	limit int
	mu    sync.Mutex
	now   map[K]int
}

// NewCounter returns a counter with a limit for each key.
func NewCounter[K comparable](limit int) *Counter[K] {
	return &Counter[K]{limit: limit, now: map[K]int{}}
}

// Add counts one more for a key. It reports false, and counts nothing, if that
// is more than the limit.
func (c *Counter[K]) Add(key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[key] >= c.limit {
		return false
	}
	c.now[key]++
	return true
}

// Done counts one less.
func (c *Counter[K]) Done(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[key]--; c.now[key] <= 0 {
		delete(c.now, key)
	}
}
