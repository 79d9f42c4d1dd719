package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Key handles a key as the program received it.
func (c *Collector) Key(k tea.KeyMsg) Step {
	now := c.now()
	if due := c.deadline(); !due.IsZero() && now.After(due.Add(c.slack(k, now))) {
		c.expire()
	}
	c.handleKey(k, now)
	return c.step(now)
}

// Tick handles the passing of time. It may be called late or early.
func (c *Collector) Tick() Step {
	now := c.now()
	if !c.tickExpected.IsZero() {
		c.lag = min(max(0, now.Sub(c.tickExpected)), maxLag)
	}

	c.tickExpected = time.Time{}
	if due := c.deadline(); !due.IsZero() && !now.Before(due) {
		c.expire()
	}

	return c.step(now)
}

// slack returns how much later than usual a key may still end a code. If the tick that was due
// before the key has not come, the program did not get to run, and the key may have waited too. A
// scanner's late enter must not count as a person's, which would book.
func (c *Collector) slack(k tea.KeyMsg, now time.Time) time.Duration {
	if !c.reading || !isTerminator(k) || c.tickExpected.IsZero() || !now.After(c.tickExpected) {
		return 0
	}
	return maxLag
}

// expire decides the pending keys.
func (c *Collector) expire() {
	if c.escape != nil {
		c.breakEscape()
	}
	c.flush()
}

// step returns the events and requests at most one tick at a time.
func (c *Collector) step(now time.Time) Step {
	s := Step{Events: c.events}
	c.events = nil
	due := c.deadline()
	if due.IsZero() {
		return s
	}
	if c.tickExpected.IsZero() || due.Before(c.tickExpected) || now.After(c.tickExpected) {
		c.tickExpected = due
		s.Wait = max(due.Sub(now), time.Millisecond)
	}

	return s
}

// handleKey handles a key by what it can be part of.
func (c *Collector) handleKey(k tea.KeyMsg, now time.Time) {
	if k.Type == tea.KeyEsc && k.Alt { // two presses that arrived together on a slow connection
		c.handleKey(tea.KeyMsg{Type: tea.KeyEsc}, now)
		k.Alt = false
	}
	if c.escape != nil && c.joinEscape(k, now) {
		return
	}

	characters, ok := c.characters(k)
	switch {
	case k.Paste:
		c.flush()
		c.paste(k.Runes, now)
	case ok:
		c.add(k, characters, now)
	case k.Type == keySTX && !k.Alt:
		c.flush()
		c.held, c.framed, c.first, c.last = []tea.KeyMsg{k}, true, now, now
	case isTerminator(k):
		c.terminate(k, now)
	case beginsEscape(k):
		c.flush()
		c.holdEscape(k, now)
	default:
		c.flush()
		c.emitKey(k)
		c.ended = time.Time{} // an enter after this key is a person's
	}
}
