package session

import (
	"sync"
	"time"
)

// A cache keeps values that were read, by name.
type cache struct {
	mu      sync.Mutex
	entries map[string]cacheEntry
}

// cacheEntry is a cached value and the time it was read.
type cacheEntry struct {
	readAt time.Time
	value  any
}

// Cached returns the cached value of name if it is younger than maxAge. Otherwise it
// calls read and caches the result. Errors are not cached.
func (c *cache) Cached(name string, maxAge time.Duration, now time.Time, read func() (any, error)) (any, error) {
	c.mu.Lock()
	entry, ok := c.entries[name]
	c.mu.Unlock()
	if age := now.Sub(entry.readAt); ok && age >= 0 && age < maxAge {
		return entry.value, nil
	}

	value, err := read()
	if err != nil {
		return nil, err
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]cacheEntry{}
	}

	c.entries[name] = cacheEntry{now, value}

	return value, nil
}

// Invalidate removes name from the cache.
func (c *cache) Invalidate(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, name)
}
