// Package tuitest drives the terminal in tests.
//
// A Driver runs a shell without a program. The test sends keys, scans and time; every
// command runs before the next line of the test, so the result is deterministic. A Program
// runs the actual program on pipes and waits for conditions. Golden compares views with
// golden files.
package tuitest

import (
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Clock is a clock that only a Driver moves.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
}

type timer struct {
	at time.Time
	fn func(time.Time) tea.Msg
}

// Noon is the time at which every Driver's clock starts, on a Friday.
var Noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Tick returns a command that calls fn when the clock has moved by d.
func (c *Clock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.timers = append(c.timers, timer{at: c.now.Add(d), fn: fn})
		return nil
	}
}

// next moves the clock to the first timer that is due by limit, removes it and returns its
// message. If there is none, it moves the clock to limit.
func (c *Clock) next(limit time.Time) (tea.Msg, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := -1
	for i, t := range c.timers {
		if !t.at.After(limit) && (due < 0 || t.at.Before(c.timers[due].at)) {
			due = i
		}
	}

	if due < 0 {
		c.now = limit
		return nil, false
	}

	t := c.timers[due]
	c.timers = slices.Delete(c.timers, due, due+1)
	if t.at.After(c.now) {
		c.now = t.at
	}

	return t.fn(c.now), true
}
