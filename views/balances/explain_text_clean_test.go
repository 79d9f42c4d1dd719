package balances_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/balances"
)

// Names and reasons from before they were checked give no orders to the terminal, and add
// no lines.
func TestTextExplanation_IsClean(t *testing.T) {
	t.Parallel()
	text := balances.TextExplanation{Explanation: api.Explanation{
		Balance:   api.Balance{Product: &api.ProductRef{SKU: "OAT\u202e", Name: "Oat\x1b]0;PWNED\a\x1b[2J\u009b2Jmilk\nx"}},
		Movements: []api.Movement{{Reason: "fell\r\ndown\x1b]52;c;eA==\a"}}}}
	var english *i18n.Translator
	lines := text.Lines(english)
	require.Len(t, lines, 4)
	for _, l := range lines {
		require.False(t, strings.ContainsAny(l, "\x1b\a\n\r\u009b\u202e"), "%q", l)
	}
	require.Contains(t, lines[0], "milk")
}
