package plain

import (
	"testing"

	"bincard/tui/tuitest"

	"github.com/stretchr/testify/require"
)

func TestCommandWord_EnglishAndSessionLanguage(t *testing.T) {
	t.Parallel()
	german := tuitest.Language(t, "de")
	for word, want := range map[string]string{"back": "back", "ZURÜCK": "back", "mehr": "more", "more": "more", "ja": "yes", "Y": "yes", "nein": "no", "hilfe": "help",
		"suchen": "find", "beenden": "quit", "wo": "where", "OAT-1L": "oat-1l"} {
		require.Equal(t, want, commandWord(german, word), word)
	}
	require.Equal(t, "zurück", commandWord(nil, "zurück"))
}
