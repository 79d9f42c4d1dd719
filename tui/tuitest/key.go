package tuitest

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// KeyOf returns the key message whose KeyMsg.String is name.
func KeyOf(t testing.TB, name string) tea.KeyMsg {
	t.Helper()
	if name == "space" {
		return runeKey(' ')
	}
	if runes := []rune(name); len(runes) == 1 {
		return runeKey(runes[0])
	}
	for k := tea.KeyType(-200); k < 130; k++ {
		if msg := (tea.KeyMsg{Type: k}); k != tea.KeyRunes && msg.String() == name {
			return msg
		}
	}

	require.Failf(t, "no such key", "%q", name)

	return tea.KeyMsg{}
}

// runeKey returns the key message that a terminal sends for a character.
func runeKey(r rune) tea.KeyMsg {
	switch {
	case r == ' ':
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	case r < 0x20 || r == 0x7f:
		return tea.KeyMsg{Type: tea.KeyType(r)}
	}

	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
}
