package session

import (
	"maps"
	"sync"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// A worker is who works at the terminal, and where.
type worker struct {
	onLocation func(Location) // may be nil

	mu       sync.Mutex
	operator string
	location Location
	people   []api.Operator // of the organization, as they were read last
	// prove has how people prove their writes who showed their badge or PIN since another one
	// signed in.
	prove map[string]func(*api.Request)
}

// Operator returns who works here; it may be empty.
func (w *worker) Operator() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.operator
}

// SetOperator sets the operator, who is recorded with every write from now on. Nobody else has
// shown a badge or PIN yet.
func (w *worker) SetOperator(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.operator = name
	maps.DeleteFunc(w.prove, func(other string, _ func(*api.Request)) bool { return other != name })
}

// Location returns where the operator works.
func (w *worker) Location() Location {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.location
}

// SetLocation changes where the operator works.
func (w *worker) SetLocation(p Location) {
	w.mu.Lock()
	w.location = p
	w.mu.Unlock()
	if w.onLocation != nil {
		w.onLocation(p)
	}
}

// CountedAgain returns who is recorded with a quantity that two people counted.
func CountedAgain(first, second string) string {
	if first == "" || second == "" {
		return ""
	}
	return i18n.Textf("%s, counted again by %s", first, second)
}
