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
	spanish := tuitest.Language(t, "es")
	for word, want := range map[string]string{"atrás": "back", "ATRAS": "back", "más": "more", "mas": "more", "sí": "yes", "si": "yes"} {
		require.Equal(t, want, commandWord(spanish, word), word)
	}
}

func TestScreenLine_SessionLanguage(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"Recibir PO-1": "receive PO-1", "recibir transferencia TR-1": "receive-transfer TR-1",
		"DESPACHAR TR-1": "ship TR-1", "explicar": "explain", "receive PO-1": "receive PO-1", "recibirPO-1": "recibirPO-1", "": ""} {
		require.Equal(t, want, screenLine(tuitest.Language(t, "es"), line))
	}
	require.Equal(t, "recibir PO-1", screenLine(nil, "recibir PO-1"))
}
