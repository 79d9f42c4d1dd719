package plain

import (
	"testing"

	"bincard/tui/i18n"

	"github.com/stretchr/testify/require"
)

func TestCommandWord_EnglishAndSessionLanguage(t *testing.T) {
	t.Parallel()
	languages, problems := i18n.Load("")
	require.Empty(t, problems)
	l, ok := languages.Find("de")
	require.True(t, ok)
	german := i18n.New(l)
	for word, want := range map[string]string{"back": "back", "ZURÜCK": "back", "mehr": "more", "more": "more", "ja": "yes", "Y": "yes", "nein": "no", "hilfe": "help",
		"suchen": "find", "beenden": "quit", "wo": "where", "OAT-1L": "oat-1l"} {
		require.Equal(t, want, commandWord(german, word), word)
	}
	require.Equal(t, "zurück", commandWord(nil, "zurück"))
}
