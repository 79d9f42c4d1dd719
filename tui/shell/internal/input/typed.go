package input

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// typedCodeWindow is how long after a letter without a meaning a digit or enter still
// belongs to a typed code.
const typedCodeWindow = time.Second

// A TypedCode recognizes a code that the operator types where the screen accepts no text.
// Its digits and enter must not run actions.
type TypedCode struct {
	last time.Time // when a letter without a meaning, or a digit after it, was typed
}

// Contains reports whether a key belongs to such a code. claimed says that an action has
// the key.
func (c *TypedCode) Contains(k tea.KeyMsg, claimed bool, now time.Time) bool {
	typing := !c.last.IsZero() && now.Sub(c.last) < typedCodeWindow
	text := k.Type == tea.KeyRunes && !k.Paste && !k.Alt // several runes if they arrive together
	switch {
	case typing && k.Type == tea.KeyEnter:
		c.last = time.Time{}
		return true
	case typing && text && slices.ContainsFunc(k.Runes, unicode.IsDigit), text && slices.ContainsFunc(k.Runes, unicode.IsLetter) && !claimed:
		c.last = now
		return typing && claimed
	}
	return false
}

// ParseCommand parses a command barcode. isCommand reports whether text is one, and known
// whether the command exists.
func ParseCommand(text string) (c tui.Command, known, isCommand bool) {
	if len(text) < len(tui.CommandPrefix) || !strings.EqualFold(text[:len(tui.CommandPrefix)], tui.CommandPrefix) {
		return "", false, false
	}
	c = tui.Command(strings.ToUpper(strings.TrimSpace(text[len(tui.CommandPrefix):])))
	return c, slices.Contains(tui.Commands(), c), true
}

// Text returns a text as the key message that pastes it.
func Text(text string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
}
