package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// The limits between scanners and people, measured on scanners that act as keyboards.
const (
	characterGap = 35 * time.Millisecond  // the most between two characters of a scanner
	silenceGap   = 50 * time.Millisecond  // silence that ends a code without a terminator
	escapeGap    = 40 * time.Millisecond  // the most between esc and the rest of an arrow key
	tailGap      = 100 * time.Millisecond // a terminator within this time after a code belongs to it
	repeatGap    = 100 * time.Millisecond // the same code within this time is the same scan
	keyRepeat    = 12 * time.Millisecond  // the shortest interval at which a held key repeats

	minCharacters = 4    // fewer characters are a person's
	maxCharacters = 4096 // more characters are not a code
	maxLines      = 50   // more lines in one paste are not codes
)

// maxLag is the longest delay that is attributed to a program that does not get to run.
const maxLag = 2 * time.Second

// Collector separates scans from the keys of a person. It holds a key for at most 40 ms to see
// what follows, so that no character of a scan runs a shortcut. It loses no key of a person and
// keeps their order. It is for one goroutine: a program's Update.
type Collector struct {
	now func() time.Time

	held    []tea.KeyMsg // keys of a person or the beginning of a code
	text    []rune       // the characters in held, or the code so far
	framed  bool         // held begins with STX
	reading bool         // text is a code; held is empty
	pasting bool         // the code is a paste whose markers arrived in pieces
	escape  *escape      // an esc that may be the beginning of another key

	first, last time.Time   // of the characters
	ended       time.Time   // the end of the previous code
	terminator  tea.KeyType // of the previous code, or noTerminator

	previous     Scan
	previousRaw  string        // the whole previous burst or paste
	previousEnd  time.Time     // zero before the first
	tickExpected time.Time     // when the requested tick is due; zero if none was requested
	lag          time.Duration // the delay of the last tick

	events []Event
}

// noTerminator is the terminator of a code that ended in silence. It is not a key type.
const noTerminator = tea.KeyType(-1000)

// NewCollector returns a collector that reads the time from now.
func NewCollector(now func() time.Time) *Collector {
	return &Collector{now: now, terminator: noTerminator}
}

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

// Pending reports whether a key is held or a code is being read.
func (c *Collector) Pending() bool { return !c.deadline().IsZero() }

// deadline returns when the pending keys are decided without another key; zero if none are
// pending.
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

// expire decides the pending keys.
func (c *Collector) expire() {
	if c.escape != nil {
		c.breakEscape()
	}
	c.flush()
}

// flush ends a code, or emits the held keys.
func (c *Collector) flush() {
	if c.reading {
		c.finish(noTerminator, c.last)
		return
	}
	c.release()
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

func (c *Collector) emitKey(k tea.KeyMsg) { c.events = append(c.events, Event{Key: k}) }

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
