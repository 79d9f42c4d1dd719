package session

import (
	"time"
)

// cacheEntry is a cached value and the time it was read.
type cacheEntry struct {
	readAt time.Time
	value  any
}

// Cached returns the cached value of name if it is younger than maxAge. Otherwise it
// calls read and caches the result. Errors are not cached.
func (s *Site) Cached(name string, maxAge time.Duration, now time.Time, read func() (any, error)) (any, error) {
	s.mu.Lock()
	entry, ok := s.cache[name]
	s.mu.Unlock()
	if age := now.Sub(entry.readAt); ok && age >= 0 && age < maxAge {
		return entry.value, nil
	}
	value, err := read()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache[name] = cacheEntry{now, value}
	return value, nil
}

// Invalidate removes name from the cache.
func (s *Site) Invalidate(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cache, name)
}
