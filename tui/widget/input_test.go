package widget_test

import (
	"strings"
	"testing"

	"bincard/server/budget"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// press sends keys to an input, each of which it must accept.
func press(t *testing.T, in *widget.Input, keys ...tea.KeyMsg) *widget.Input {
	t.Helper()
	for _, k := range keys {
		require.True(t, in.AcceptsKey(k), "%s in %q", k, in.View(80))
		in.Key(k)
	}
	return in
}

func TestInput_EditsAtCursor(t *testing.T) {
	t.Parallel()
	var in widget.Input
	require.Equal(t, "█", in.View(10))
	in.Set("OAT 1L")
	for _, step := range []struct {
		key  tea.KeyMsg
		want string
	}{
		{key(tea.KeyLeft), "OAT 1█L"},
		{text("2"), "OAT 12█L"},
		{key(tea.KeyBackspace), "OAT 1█L"},
		{key(tea.KeyDelete), "OAT 1█"},
		{key(tea.KeyCtrlLeft), "OAT █1"},
		{key(tea.KeyCtrlW), "█1"},
		{text("BAR"), "BAR█1"},
		{key(tea.KeySpace), "BAR █1"},
		{key(tea.KeyHome), "█BAR 1"},
		{key(tea.KeyCtrlRight), "BAR█ 1"},
		{key(tea.KeyEnd), "BAR 1█"},
		{key(tea.KeyCtrlA), "█BAR 1"},
		{key(tea.KeyRight), "B█AR 1"},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("d"), Alt: true}, "B█ 1"},
		{key(tea.KeyCtrlU), "█ 1"},
		{key(tea.KeyCtrlK), "█"},
	} {
		press(t, &in, step.key)
		require.Equal(t, step.want, in.View(80), step.key)
	}
	in.Set("one")
	press(t, &in, key(tea.KeyHome))
	in.Set("three")
	require.Equal(t, "three█", in.View(80), "Set moves the cursor to the end")
}

func TestInput_KeyReportsChange(t *testing.T) {
	t.Parallel()
	in := widget.Input{Limit: 3}
	require.True(t, in.Key(text("abcd")))
	require.Equal(t, "abc", in.Value())
	require.False(t, in.Key(text("e")), "the input is full")
	require.True(t, in.AcceptsKey(text("e")), "a full input still accepts text")
	require.False(t, in.Key(key(tea.KeyLeft)))
	require.True(t, in.Key(key(tea.KeyDelete)))
	require.False(t, in.Key(key(tea.KeyDelete)))
	require.Equal(t, "ab", in.Value())
}

// The keys that an input rejects go to the list or the actions.
func TestInput_RejectsOtherKeys(t *testing.T) {
	t.Parallel()
	in := widget.Input{Allow: widget.Digits}
	for _, k := range []tea.KeyMsg{key(tea.KeyLeft), key(tea.KeyHome), key(tea.KeyEnd), key(tea.KeyBackspace), key(tea.KeyCtrlU),
		key(tea.KeyUp), key(tea.KeyTab), key(tea.KeyEnter), key(tea.KeyEsc), text("x"), key(tea.KeySpace), key(tea.KeyCtrlV)} {
		require.False(t, in.AcceptsKey(k), k)
		require.False(t, in.Key(k), k)
	}
	in.Set("12")
	require.False(t, in.AcceptsKey(key(tea.KeyEnd)), "the cursor is at the end already")
	press(t, &in, key(tea.KeyHome))
	require.False(t, in.AcceptsKey(key(tea.KeyHome)))
	require.True(t, in.AcceptsKey(key(tea.KeyBackspace)), "the input has text")
	for _, k := range []tea.KeyMsg{key(tea.KeyUp), key(tea.KeyDown), key(tea.KeyTab), key(tea.KeyCtrlP), key(tea.KeyCtrlN),
		key(tea.KeyCtrlV), {Type: tea.KeyRunes, Runes: []rune("7"), Alt: true}} {
		require.False(t, in.AcceptsKey(k), k)
		require.False(t, in.Key(k), k)
	}
	require.Equal(t, "█12", in.View(10))
}

// A terminal may send several typed letters in one message, which may spell the name of a
// key.
func TestInput_KeyNamesAreText(t *testing.T) {
	t.Parallel()
	var in widget.Input
	for _, word := range []string{"home", "left", "ctrl+u", "delete"} {
		in.Set("")
		press(t, &in, text(word))
		require.Equal(t, word, in.Value())
	}
}

func TestInput_FiltersUnprintable(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"two\nlines\tand\x1b[31m red": "twolinesand[31m red",
		"L1\x1d30":                    "L130",
		"turn\u202eed":                "turned",
		"Käse 🧀":                      "Käse 🧀",
		"L\xff1":                      "L□1",
		"L\ufffd1":                    "L□1",
		strings.Repeat("9", 300):      strings.Repeat("9", 200),
	} {
		var set, pasted widget.Input
		set.Set(raw)
		require.Equal(t, want, set.Value())
		press(t, &pasted, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(raw), Paste: true})
		require.Equal(t, want, pasted.Value())
	}
}

func TestInput_CursorIsVisible(t *testing.T) {
	t.Parallel()
	budget.Property.Check(t, func(r *rapid.T) {
		var in widget.Input
		in.Set(rapid.StringOf(rapid.SampledFrom([]rune("aé 7界🧀"))).Draw(r, "text"))
		for range rapid.IntRange(0, 12).Draw(r, "back") {
			in.Key(key(tea.KeyLeft))
		}
		width := rapid.IntRange(1, 30).Draw(r, "width")
		view := in.View(width)
		require.LessOrEqual(t, widget.Width(view), width)
		before, after, found := strings.Cut(view, "█")
		require.True(t, found)
		require.Contains(t, in.Value(), before+after)
		if widget.Width(in.Value()) < width {
			require.Equal(t, in.Value(), before+after)
		}
	})
	var in widget.Input
	in.Set("7")
	require.Empty(t, in.View(0))
}
