package tuitest

import (
	"testing"

	"bincard/tui/i18n"

	"github.com/stretchr/testify/require"
)

// Language returns a translator to a language.
func Language(t testing.TB, code string) *i18n.Translator {
	t.Helper()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	l, ok := languages.Find(code)
	require.True(t, ok, code)
	return i18n.New(l)
}
