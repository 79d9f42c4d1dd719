package connect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/i18n"
)

func TestScreenPhrases_AreInMessages(t *testing.T) {
	t.Parallel()
	messages := keyHint.ReplaceAllString(strings.ReplaceAll(i18n.Template(), "\"\n\"", ""), "")
	for _, x := range screenPhrases {
		require.Contains(t, messages, x.screen)
	}
}
