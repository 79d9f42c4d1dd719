package dock

import (
	"time"
)

// cacheEntry is what was read at some time.
type cacheEntry struct {
	readAt time.Time
	value  any
}

// Cached answers what read answered under this name, for as long as keep;
// then, or where nothing is remembered, it reads. An error is not remembered.
func (s *Site) Cached(name string, keep time.Duration, now time.Time, read func() (any, error)) (any, error) {
	s.mu.Lock()
	m, ok := s.cache[name]
	s.mu.Unlock()
	if age := now.Sub(m.readAt); ok && age >= 0 && age < keep {
		return m.value, nil
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

// Invalidate lets the next Remember of this name read.
func (s *Site) Invalidate(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cache, name)
}
