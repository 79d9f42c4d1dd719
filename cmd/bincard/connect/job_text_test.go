package connect

import (
	"errors"
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

func TestErrorText_NamesTheFlag(t *testing.T) {
	t.Parallel()
	require.Equal(t, "TR-1 has several lines. Specify one with --sku: A, B.", errorText(nil, errors.New("TR-1 has several lines. Specify one: A, B.")))
	require.Equal(t, "SO-1 has several lines. Specify one with --sku (A, B), or fulfill all.",
		errorText(nil, errors.New("SO-1 has several lines. Specify one (A, B), or fulfill everything ready.")))
}
