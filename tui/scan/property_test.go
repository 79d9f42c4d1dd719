package scan_test

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Keys at a person's pace are emitted as they were pressed.
func TestCollector_LosesNoKey(t *testing.T) {
	t.Parallel()
	pressed := []tea.KeyMsg{
		runes("a"), runes("7"), runes("/"), runes("["), keyFor(' '), key(tea.KeyEnter), key(tea.KeyTab),
		key(tea.KeyEsc), key(tea.KeyBackspace), key(tea.KeyCtrlC), key(tea.KeyCtrlB), key(tea.KeyUp),
		key(tea.KeyCtrlCloseBracket), key(tea.KeyCtrlD), key(tea.KeyF5),
		{Type: tea.KeyRunes, Runes: []rune{'['}, Alt: true},
	}
	rapid.Check(t, func(t *rapid.T) {
		var keys []press
		var want []string
		at := time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "keys") {
			k := rapid.SampledFrom(pressed).Draw(t, "key")
			keys = append(keys, press{at, k})
			want = append(want, k.String())
			at += time.Duration(rapid.IntRange(51, 400).Draw(t, "gap")) * ms
		}
		late := time.Duration(rapid.IntRange(0, 30).Draw(t, "late")) * ms
		require.Equal(t, want, names(play(keys, late)))
	})
}

// At any timing every character is emitted once and in order, in a key or in a scan.
func TestCollector_KeepsOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var keys []press
		var want strings.Builder
		at := time.Duration(0)
		for i := range rapid.IntRange(1, 60).Draw(t, "keys") {
			// Different letters never make the same code twice, which would be one scan.
			text := string(rune('a' + i%26))
			if rapid.Bool().Draw(t, "several") {
				text += strings.ToUpper(text)
			}
			keys = append(keys, press{at, runes(text)})
			want.WriteString(text)
			at += time.Duration(rapid.SampledFrom([]int{0, 1, 2, 10, 30, 35, 36, 49, 50, 51, 200}).Draw(t, "gap")) * ms
			if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
				keys = append(keys, press{at, rapid.SampledFrom([]tea.KeyMsg{key(tea.KeyEnter), key(tea.KeyUp), key(tea.KeyEsc), key(tea.KeyCtrlB), key(tea.KeyCtrlC)}).Draw(t, "key")})
			}
		}
		late := time.Duration(rapid.IntRange(0, 30).Draw(t, "late")) * ms
		var got strings.Builder
		for _, e := range play(keys, late) {
			switch {
			case e.Scan != nil:
				got.WriteString(e.Scan.Raw)
			case e.Key.Type == tea.KeyRunes:
				got.WriteString(string(e.Key.Runes))
			}
		}
		require.Equal(t, want.String(), got.String())
	})
}
