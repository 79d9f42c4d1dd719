// Package input has what comes to screens: the scans and keys of the terminal before a
// screen gets them, and the answers of the commands that screens started. It names the keys
// and checks keymaps.
package input

import (
	"slices"
	"time"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Queue separates scans from keys and holds the scans that wait for the screen, and the
// keys after them.
type Queue struct {
	collector *scan.Collector
	events    []scan.Event
}

// NewQueue returns an empty queue.
func NewQueue(now func() time.Time) *Queue { return &Queue{collector: scan.NewCollector(now)} }

// Key handles a key of the terminal: one that a person pressed, or part of a scan.
func (q *Queue) Key(k tea.KeyMsg) scan.Step { return q.collector.Key(k) }

// Tick handles the end of a Step's Wait.
func (q *Queue) Tick() scan.Step { return q.collector.Tick() }

// Collecting reports whether a scan is incomplete.
func (q *Queue) Collecting() bool { return q.collector.Pending() }

// Settling reports whether what follows at once may belong to the last scan.
func (q *Queue) Settling() bool { return q.collector.Settling() }

// Add adds a scan or key to the end.
func (q *Queue) Add(e scan.Event) { q.events = append(q.events, e) }

// Empty reports whether nothing waits.
func (q *Queue) Empty() bool { return len(q.events) == 0 }

// First returns the first scan or key, which stays in the queue.
func (q *Queue) First() scan.Event { return q.events[0] }

// RemoveFirst removes the first scan or key.
func (q *Queue) RemoveFirst() { q.events = q.events[1:] }

// Scans returns how many scans wait.
func (q *Queue) Scans() int {
	n := 0
	for _, e := range q.events {
		if e.Scan != nil {
			n++
		}
	}

	return n
}

// Discard discards everything that waits and returns how many scans there were.
func (q *Queue) Discard() int {
	n := q.Scans()
	q.events = nil
	return n
}

// DiscardKeys discards keys that wait after a scan which ended in a message: the operator
// pressed them before reading it.
func (q *Queue) DiscardKeys() {
	q.events = slices.DeleteFunc(q.events, func(e scan.Event) bool { return e.Scan == nil })
}
