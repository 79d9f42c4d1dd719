package fair

import "sync"

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
