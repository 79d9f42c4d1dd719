package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// The limits between scanners and people, measured on scanners that act as keyboards.
const (
	characterGap = 35 * time.Millisecond  // the most between two characters of a scanner
	silenceGap   = 50 * time.Millisecond  // silence that ends a code without a terminator
	pieceGap     = 200 * time.Millisecond // the same for a GS1 code, which may arrive in pieces
	separatorGap = 500 * time.Millisecond // the same after a separator: more of the code is on its way
	escapeGap    = 40 * time.Millisecond  // the most between esc and the rest of an arrow key
	tailGap      = 100 * time.Millisecond // a terminator within this time after a code belongs to it
	repeatGap    = 100 * time.Millisecond // the same code within this time is the same scan
	keyRepeat    = 12 * time.Millisecond  // the shortest interval at which a held key repeats

	maxCharacters = 4096 // more characters are not a code
	maxLines      = 50   // more lines in one paste are not codes
)

// MinCharacters is how many characters a scan has at least: fewer are a person's. The AIM
// prefix of a scanner counts.
const MinCharacters = 4

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
	pauses  []int        // where text paused for longer than silenceGap
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

// escape is an esc whose sequence may arrive in pieces on a slow connection: esc, then [A.
type escape struct {
	keys     []tea.KeyMsg // as received
	sequence []rune       // the characters after esc
	last     time.Time
}

// noTerminator is the terminator of a code that ended in silence. It is not a key type.
const noTerminator = tea.KeyType(-1000)

// NewCollector returns a collector that reads the time from now.
func NewCollector(now func() time.Time) *Collector {
	return &Collector{now: now, terminator: noTerminator}
}

// Pending reports whether a key is held or a code is being read.
func (c *Collector) Pending() bool { return !c.deadline().IsZero() }

// Settling reports whether a terminator, or the same code again, would still be taken for a part of
// the last scan.
func (c *Collector) Settling() bool {
	now := c.now()
	return !c.ended.IsZero() && now.Sub(c.ended) <= tailGap+c.lag ||
		!c.previousEnd.IsZero() && now.Sub(c.previousEnd) <= repeatGap
}

// deadline returns when the pending keys are decided without another key; zero if none are
// pending.
func (c *Collector) deadline() time.Time {
	switch {
	case c.escape != nil:
		return c.escape.last.Add(escapeGap)
	case (c.reading || c.framed) && len(c.text) > 0 && c.text[len(c.text)-1] == rune(keyGS):
		return c.last.Add(separatorGap)
	case c.reading && Parse(string(c.text[:min(len(c.text), 64)]), c.last).Kind == KindGS1:
		return c.last.Add(pieceGap)
	case c.reading && len(c.text) >= len("01")+14 && string(c.text[:2]) == "01":
		return c.last.Add(separatorGap) // a misread GTIN: the rest of its label must not count as another label
	case c.reading, c.framed:
		return c.last.Add(silenceGap)
	case len(c.held) > 0:
		return c.last.Add(characterGap)
	}

	return time.Time{}
}

func (c *Collector) emitKey(k tea.KeyMsg) { c.events = append(c.events, Event{Key: k}) }
