package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui/i18n"
	"bincard/tui/scan/gs1"
)

// The keys of control characters.
const (
	keySTX = tea.KeyCtrlB
	keyETX = tea.KeyCtrlC
	keyGS  = tea.KeyCtrlCloseBracket
	keyRS  = tea.KeyCtrlCaret
	keyFS  = tea.KeyCtrlBackslash
	keyUS  = tea.KeyCtrlUnderscore
	keyEOT = tea.KeyCtrlD
)

// characters returns the characters that a key adds to a code. Separators other than GS count only
// within a code.
func (c *Collector) characters(k tea.KeyMsg) ([]rune, bool) {
	if k.Alt || k.Paste {
		return nil, false
	}

	switch k.Type {
	case tea.KeyRunes:
		return k.Runes, len(k.Runes) > 0
	case tea.KeySpace:
		return []rune{' '}, true
	case keyGS:
		return []rune{rune(keyGS)}, true
	case keyRS, keyFS, keyUS, keyEOT:
		return []rune{rune(k.Type)}, c.reading || len(c.held) > 0
	}

	return nil, false
}

func isTerminator(k tea.KeyMsg) bool {
	if k.Alt {
		return false
	}
	switch k.Type {
	case tea.KeyEnter, tea.KeyTab, tea.KeyCtrlJ, keyETX:
		return true
	}
	return false
}

// add adds characters that came soon enough to belong to the pending ones.
func (c *Collector) add(k tea.KeyMsg, characters []rune, now time.Time) {
	if !c.reading && len(c.held) == 0 || len(c.text) == 0 {
		c.first = now
	}
	if n := len(c.text); c.reading && n > 0 && now.Sub(c.last) > silenceGap &&
		characters[0] != rune(keyGS) && c.text[n-1] != rune(keyGS) {
		c.pauses = append(c.pauses, n)
	}

	c.last = now
	if len(c.text) <= maxCharacters {
		c.text = append(c.text, characters...)
	}
	if c.reading {
		return
	}

	c.held = append(c.held, k)
	separated := characters[0] == rune(keyGS) && c.terminator == noTerminator && now.Sub(c.ended) <= separatorGap
	if separated || len(characters) >= MinCharacters || len(c.text) >= MinCharacters && !c.keyHeldDown() {
		c.reading, c.held = true, nil
	}
}

// keyHeldDown reports whether the characters look like one repeating key, which can be faster than
// a slow scanner.
func (c *Collector) keyHeldDown() bool {
	for _, r := range c.text {
		if r != c.text[0] {
			return false
		}
	}

	return c.last.Sub(c.first) >= keyRepeat*time.Duration(len(c.text)-1)
}

// terminate handles a terminator. Without a code to end, it is a person's key.
func (c *Collector) terminate(k tea.KeyMsg, now time.Time) {
	switch {
	case c.reading, c.framed && len(c.text) > 0:
		c.finish(k.Type, now)
	case len(c.held) == 0 && c.isTail(k, now):
		if c.terminator == noTerminator && k.Type != keyETX { // no person ends a text with ETX
			c.events = append(c.events, Event{Key: k, Late: true})
		}
		c.terminator, c.ended = k.Type, now
	default:
		c.release()
		c.emitKey(k)
	}
}

// isTail reports whether a terminator belongs to the previous code: the LF of CR LF, or the late CR
// of a code that silence ended. The same terminator a second time is a person's.
func (c *Collector) isTail(k tea.KeyMsg, now time.Time) bool {
	return !c.ended.IsZero() && now.Sub(c.ended) <= tailGap+c.lag && k.Type != c.terminator
}

// release emits the held keys.
func (c *Collector) release() {
	if len(c.held) > 0 {
		c.ended = time.Time{} // the next key follows a person's key
	}
	for _, k := range c.held {
		c.emitKey(k)
	}
	c.clear()
}

func (c *Collector) clear() {
	c.held, c.text, c.pauses = nil, nil, nil
	c.framed, c.reading, c.pasting = false, false, false
}

// finish makes a scan of the text, which ended at end. Without a terminator, the text after a pause
// is another code.
func (c *Collector) finish(terminator tea.KeyType, end time.Time) {
	text, first, pasted, ends := c.text, c.first, c.pasting, append(c.pauses, len(c.text))
	if terminator != noTerminator {
		ends = ends[len(ends)-1:]
	}

	c.clear()
	c.terminator, c.ended = terminator, end

	from := 0
	for _, to := range ends {
		raw := string(text[from:to])
		switch {
		case raw == "" || c.isRepeat(raw, first, end):
		case to-from > maxCharacters:
			c.refuse(raw, i18n.Textf("more than %d characters arrived at once, too many for a code", maxCharacters),
				end, pasted)
		default:
			c.emit(raw, end, pasted, terminator == noTerminator)
		}

		from = to
	}
}

// isRepeat reports whether a burst immediately repeats the previous one, and records it.
func (c *Collector) isRepeat(raw string, first, end time.Time) bool {
	repeat := !c.previousEnd.IsZero() && raw == c.previousRaw && first.Sub(c.previousEnd) <= repeatGap
	c.previousRaw, c.previousEnd = raw, end
	return repeat
}

func (c *Collector) emit(raw string, now time.Time, pasted, unterminated bool) {
	s := Parse(raw, now)
	s.Pasted, s.Unterminated = pasted, unterminated
	s.Repeat = sameCode(s, c.previous)
	c.previous = s
	c.events = append(c.events, Event{Scan: &s})
}

// refuse emits a scan of KindRefused with the beginning of the text.
func (c *Collector) refuse(raw, why string, now time.Time, pasted bool) {
	const prefixLength = 64
	if runes := []rune(raw); len(runes) > prefixLength {
		raw = string(runes[:prefixLength])
	}
	s := Scan{Raw: raw, Text: raw, Kind: KindRefused, At: now, Pasted: pasted}
	s.GS1.Problems = []gs1.Problem{{Message: i18n.Textf("%v; nothing was counted", why)}}
	c.previous = s
	c.events = append(c.events, Event{Scan: &s})
}

// flush ends a code, or emits the held keys.
func (c *Collector) flush() {
	if c.reading {
		c.finish(noTerminator, c.last)
		return
	}
	c.release()
}
