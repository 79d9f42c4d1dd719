package input

import (
	"slices"
	"strings"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

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
