package scan

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// beginsEscape reports whether a key is esc, or esc with the [ or O of a longer sequence, which
// looks like alt.
func beginsEscape(k tea.KeyMsg) bool {
	if k.Type == tea.KeyEsc {
		return !k.Alt
	}
	return k.Type == tea.KeyRunes && k.Alt && len(k.Runes) == 1 && strings.ContainsRune("[O", k.Runes[0])
}

func (c *Collector) holdEscape(k tea.KeyMsg, now time.Time) {
	c.escape = &escape{keys: []tea.KeyMsg{k}, last: now}
	if k.Type == tea.KeyRunes {
		c.escape.sequence = []rune{k.Runes[0]}
	}
}

// joinEscape adds a key to the pending esc. If the key does not belong to it, joinEscape emits the
// esc and returns false.
func (c *Collector) joinEscape(k tea.KeyMsg, now time.Time) bool {
	e := c.escape
	if k.Type != tea.KeyRunes || k.Alt || k.Paste {
		c.breakEscape()
		return false
	}

	sequence := append(append([]rune{}, e.sequence...), k.Runes...)
	length, complete := sequenceLength(sequence)
	if length == 0 {
		c.breakEscape()
		return false
	}
	if !complete {
		e.keys, e.sequence, e.last = append(e.keys, k), sequence, now
		return true
	}

	c.escape = nil
	c.sequence(string(sequence[:length]), now)
	if rest := sequence[length:]; len(rest) > 0 {
		c.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: rest}, now)
	}

	return true
}

// breakEscape emits the pieces as the keys that were received.
func (c *Collector) breakEscape() {
	e := c.escape
	c.escape = nil
	for _, k := range e.keys {
		c.emitKey(k)
	}
}

// sequence handles a complete sequence. The text between paste markers that arrived in pieces is a
// code. A sequence that is not a key is dropped, as Bubble Tea does.
func (c *Collector) sequence(s string, now time.Time) {
	switch s {
	case "[200~":
		c.flush()
		c.reading, c.pasting, c.first, c.last = true, true, now, now
	case "[201~":
		c.flush()
	default:
		if k, ok := parseSequence(s); ok {
			c.emitKey(k)
		}
	}
}

// sequenceLength returns how many of the characters after an esc are one sequence: 0 if they are
// not a sequence. complete is false if more characters must follow.
func sequenceLength(s []rune) (length int, complete bool) {
	if s[0] == 'O' {
		switch {
		case len(s) == 1:
			return 1, false
		case strings.ContainsRune(finalLetters+"PQRS", s[1]):
			return 2, true
		}

		return 0, false
	}

	if s[0] != '[' {
		return 0, false
	}

	for i, r := range s[1:] {
		switch {
		case r >= 0x40 && r <= 0x7e:
			return i + 2, true
		case r < 0x20 || r > 0x7e:
			return 0, false
		}
	}

	return len(s), false
}
