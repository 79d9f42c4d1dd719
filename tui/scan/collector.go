package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// How scanners differ from people. The figures were measured on scanners that type as keyboards.
const (
	characterGap = 35 * time.Millisecond  // the most between two characters of a scanner
	silenceGap   = 50 * time.Millisecond  // what ends a code that no terminator ends
	escapeGap    = 40 * time.Millisecond  // the most between esc and the rest of an arrow key
	tailGap      = 100 * time.Millisecond // a terminator this soon after a code belongs to it
	repeatGap    = 100 * time.Millisecond // the same code again this soon is the same scan
	keyRepeat    = 12 * time.Millisecond  // the fastest that a held key repeats

	minCharacters = 4    // fewer are not told from a person
	maxCharacters = 4096 // more are no code
	maxLines      = 50   // more in one paste are a page of text
)

// maxLag is the longest time for which a starved program is believed to be late.
const maxLag = 2 * time.Second

// Collector tells scans from keys. It holds a key back for at most 40 ms to see what follows, so
// that no character of a scan ever reaches a shortcut. It loses no key of a person and keeps their
// order. It is for one goroutine: a program's Update.
type Collector struct {
	now func() time.Time

	held    []tea.KeyMsg // keys that may be a person's or the beginning of a code
	text    []rune       // the characters in held, or the code so far
	framed  bool         // held begins with STX
	reading bool         // it is a code; held is empty
	pasting bool         // the code is a paste whose marks came apart
	escape  *escape      // an esc that may be the beginning of another key

	first, last time.Time   // of the characters
	ended       time.Time   // the last sign of the code before
	terminator  tea.KeyType // what ended it, or noTerminator

	previous     Scan
	previousRaw  string        // of the whole burst or paste
	previousEnd  time.Time     // zero before the first
	tickExpected time.Time     // when the tick that was asked for comes; zero when none
	lag          time.Duration // by how much the last tick came late: the program is starved

	events []Event
}

// noTerminator is no key's type: it says that a code ended in silence.
const noTerminator = tea.KeyType(-1000)

// NewCollector makes a collector that reads the time from now.
func NewCollector(now func() time.Time) *Collector {
	return &Collector{now: now, terminator: noTerminator}
}

// Key takes a key as the program received it.
func (c *Collector) Key(k tea.KeyMsg) Step {
	now := c.now()
	if due := c.deadline(); !due.IsZero() && now.After(due.Add(c.slack(k, now))) {
		c.expire()
	}
	c.handleKey(k, now)
	return c.step(now)
}

// Tick takes the passing of time. A late or early call does no harm.
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

// slack is how much later than usual a key may still end a code. Where the tick
// that should have come before the key has not, the program was kept from
// running, and the key may have waited as long: a scanner's enter that comes
// late must not become a person's, who would have said "book".
func (c *Collector) slack(k tea.KeyMsg, now time.Time) time.Duration {
	if !c.reading || !isTerminator(k) || c.tickExpected.IsZero() || !now.After(c.tickExpected) {
		return 0
	}
	return maxLag
}

// Pending reports whether a key is held or a code is being read.
func (c *Collector) Pending() bool { return !c.deadline().IsZero() }

// deadline is when what is pending is decided without another key; zero when nothing is.
func (c *Collector) deadline() time.Time {
	switch {
	case c.escape != nil:
		return c.escape.last.Add(escapeGap)
	case c.reading, c.framed:
		return c.last.Add(silenceGap)
	case len(c.held) > 0:
		return c.last.Add(characterGap)
	}
	return time.Time{}
}

// expire decides what is pending.
func (c *Collector) expire() {
	if c.escape != nil {
		c.breakEscape()
	}
	c.flush()
}

// flush ends a code, or gives held keys back to the person who pressed them.
func (c *Collector) flush() {
	if c.reading {
		c.finish(noTerminator, c.last)
		return
	}
	c.release()
}

// step hands over what happened and asks for one tick at a time.
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

func (c *Collector) emitKey(k tea.KeyMsg) { c.events = append(c.events, Event{Key: k}) }

// handleKey sorts a key by what it can be part of.
func (c *Collector) handleKey(k tea.KeyMsg, now time.Time) {
	if k.Type == tea.KeyEsc && k.Alt { // two presses that came together on a slow link
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
		c.ended = time.Time{} // an enter after it is the person's too
	}
}
