package widget_test

import (
	"testing"

	"bincard/tui/widget"

	"github.com/stretchr/testify/require"
)

func TestFitParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		text     string
		width, n int
		want     []string
	}{
		{"one line", "today 08:13 · Ada", 20, 2, []string{"today 08:13 · Ada"}},
		{"breaks between parts", "today 08:13 · Ada · TR-2026-451", 20, 2, []string{"today 08:13 · Ada", "TR-2026-451"}},
		{"leaves out a part", "today 08:13 · Ada · TR-2026-451 · lot L158-B", 20, 2, []string{"today 08:13 · Ada", "TR-2026-451"}},
		{"leaves out a part on one line", "adjust · today 08:13 · Ada", 20, 1, []string{"adjust · today 08:13"}},
		{"ends a long part after a word", "today 08:13 · kept back for the store", 20, 2, []string{"today 08:13", "kept back for the…"}},
		{"a long part between others", "kept back for the store · Ada", 20, 2, []string{"kept back for the", "store · Ada"}},
		{"a long word", "2026-000000000000000000000451", 20, 1, []string{"2026-00000000000000…"}},
		{"no text", "", 20, 2, []string{""}},
		{"no room", "adjust · Ada", 0, 2, []string{}},
		{"no lines", "adjust", 20, 0, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, widget.FitParts(c.text, c.width, c.n))
		})
	}
}
