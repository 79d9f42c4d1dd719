package dock

import (
	"time"
)

// memory is what was read at some time.
type memory struct {
	at    time.Time
	value any
}

// Remember answers what read answered under this name, for as long as keep;
// then, or where nothing is remembered, it reads. An error is not remembered.
func (s *Site) Remember(name string, keep time.Duration, now time.Time, read func() (any, error)) (any, error) {
	s.mu.Lock()
	m, ok := s.memories[name]
	s.mu.Unlock()
	if age := now.Sub(m.at); ok && age >= 0 && age < keep {
		return m.value, nil
	}
	value, err := read()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memories[name] = memory{now, value}
	return value, nil
}

// Outdate lets the next Remember of this name read.
func (s *Site) Outdate(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memories, name)
}
