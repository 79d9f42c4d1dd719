package session

import (
	"sync"

	"bincard/tui/i18n"
)

// A worker is who works at the terminal, and where.
type worker struct {
	onLocation func(Location) // may be nil

	mu       sync.Mutex
	operator string
	location Location
}

// Operator returns who works here; it may be empty.
func (w *worker) Operator() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.operator
}

func (w *worker) setOperator(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.operator = name
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
