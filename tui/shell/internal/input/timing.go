package input

import (
	"slices"
	"time"
	"unicode"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	readTime = 500 * time.Millisecond // that an operator needs to see what a scan did

	interruptWindow = 3 * time.Second        // between two ctrl+c that quit
	lateAfter       = 150 * time.Millisecond // how long after a key a dialog still responds to it

	typedCodeWindow = time.Second     // how long after a letter without a meaning a digit or enter still belongs to a typed code
	burstWindow     = 2 * time.Second // how long after a burst of text a burst with an end key is still text
)

// Timing interprets keys and scans by the time between them.
type Timing struct {
	Scanned time.Time // the time of the last scan; zero if a key followed it

	Unterminated bool // the last scan

	now         func() time.Time
	key         time.Time // of the last key
	interrupted bool      // it was the first ctrl+c
	code        time.Time // when a letter without a meaning, or a digit after it, was typed
	burst       time.Time // of the last text in an input
	burstInput  int
}

// NewTiming returns a Timing without keys and scans.
func NewTiming(now func() time.Time) *Timing { return &Timing{now: now} }

// Key records a key that a person pressed and returns how long after the last one it came.
// Some scanners send ctrl+c around a code: quit is true for the second one.
func (t *Timing) Key(key string) (quiet time.Duration, quit bool) {
	quiet = t.Quiet()
	t.key = t.now()
	quit = key == "ctrl+c" && t.interrupted && quiet <= interruptWindow
	t.interrupted = key == "ctrl+c" && !quit
	return quiet, quit
}

// Quiet returns how long ago the last key was.
func (t *Timing) Quiet() time.Duration { return t.now().Sub(t.key) }

// DialogIsLate reports whether a dialog that opens now did not respond to the last key. The
// operator may be typing something else.
func (t *Timing) DialogIsLate() bool {
	late := !t.key.IsZero() && t.Quiet() >= lateAfter
	if late {
		t.key = t.now()
	}
	return late
}

// ReadingScan reports whether the operator cannot have seen yet what the last scan did.
func (t *Timing) ReadingScan() bool { return t.now().Sub(t.Scanned) < readTime }

// InCode reports whether a key belongs to a code that the operator types where the screen
// accepts no text. Its digits and enter must not run actions. claimed says that an action
// has the key.
func (t *Timing) InCode(k tea.KeyMsg, claimed bool) bool {
	now := t.now()
	typing := !t.code.IsZero() && now.Sub(t.code) < typedCodeWindow
	text := k.Type == tea.KeyRunes && !k.Paste && !k.Alt // several runes if they arrive together
	switch {
	case typing && k.Type == tea.KeyEnter:
		t.code = time.Time{}
		return true
	case typing && text && slices.ContainsFunc(k.Runes, unicode.IsDigit),
		text && slices.ContainsFunc(k.Runes, unicode.IsLetter) && !claimed:
		t.code = now
		return typing && claimed
	}

	return false
}

// TypedBurst reports whether a person may have typed a burst into an input over a slow
// connection: no key ended it, or it follows such a burst into the same input. A code that
// only a scanner sends is not typed. Text that was typed is no scan.
func (t *Timing) TypedBurst(s scan.Scan, input int) bool {
	follows := t.burstInput == input && t.now().Sub(t.burst) <= burstWindow
	if !s.Unterminated && !follows || s.Kind != scan.KindPlain && s.OK() {
		return false
	}
	t.burst, t.burstInput, t.Scanned = t.now(), input, time.Time{}
	return true
}

// ClearBurst forgets the last burst if it was typed into an input that is another one now.
func (t *Timing) ClearBurst(input int) {
	if t.burstInput == input {
		t.burst = time.Time{}
	}
}
