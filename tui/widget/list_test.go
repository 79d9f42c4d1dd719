package widget_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

type movement struct {
	n      int
	sku    string
	change int64
}

func movements(n int, rendered *int) widget.List[movement] {
	l := widget.NewList(func(m movement) string { return strconv.Itoa(m.n) },
		widget.Column[movement]{Title: "sku", Cell: func(m movement) string { *rendered++; return m.sku }},
		widget.Column[movement]{Title: "operation", Width: 17, Rank: 2, Cell: func(movement) string { return "inbound_receive" }},
		widget.Column[movement]{Title: "who", Width: 8, Rank: 3, Cell: func(movement) string { return "Ada" }},
		widget.Column[movement]{Title: "change", Width: 8, Right: true, Cell: func(m movement) string { return i18n.New(i18n.Language{}).Change(m.change) }})
	rows := make([]movement, n)
	for i := range rows {
		rows[i] = movement{i, fmt.Sprintf("OAT-%d", i), int64(i)}
	}
	l.SetRows(rows)
	return l
}

func TestList_RendersOnlyVisibleRows(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(100_000, &rendered)
	l.MoveTo(70_000)
	view := l.View(widget.PlainTheme(), 80, 24)
	require.Equal(t, 23, rendered)
	require.Contains(t, view, "▸ OAT-70000")
	require.Len(t, strings.Split(view, "\n"), 24)
}

func TestList_NarrowDropsColumns(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(3, &rendered)
	wide, middle, narrow := l.View(widget.PlainTheme(), 80, 5), l.View(widget.PlainTheme(), 48, 5), l.View(widget.PlainTheme(), 20, 5)
	require.Contains(t, wide, "who")
	require.Contains(t, wide, "operation")
	require.NotContains(t, middle, "who")
	require.Contains(t, middle, "operation")
	require.NotContains(t, narrow, "operation")
	require.Contains(t, narrow, "change")
	for width := 1; width < 120; width++ {
		for _, line := range strings.Split(l.View(widget.PlainTheme(), width, 5), "\n") {
			require.LessOrEqual(t, widget.Width(line), width)
		}
	}
}

func TestList_LongTitle(t *testing.T) {
	t.Parallel()
	number := func(m movement) string { return strconv.Itoa(m.n) }
	l := widget.NewList(nil, widget.Column[movement]{Title: "product", Cell: func(m movement) string { return m.sku }},
		widget.Column[movement]{Title: "available", Width: 6, Right: true, Cell: number}, widget.Column[movement]{Title: "committed", Width: 6, Right: true, Cell: number})
	l.SetRows([]movement{{n: 7, sku: "OAT-1L"}})
	require.Equal(t, []string{
		"  product     available commit…",
		"▸ OAT-1L              7       7",
		""}, strings.Split(l.View(widget.PlainTheme(), 31, 3), "\n"), "a title starts in the room before it, not in the title")
}

func TestList_KeepsSelection(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(100, &rendered)
	l.View(widget.PlainTheme(), 80, 10)
	l.Key(tea.KeyMsg{Type: tea.KeyPgDown})
	l.Key(tea.KeyMsg{Type: tea.KeyDown})
	row, ok := l.Selected()
	require.True(t, ok)
	require.Equal(t, 9, row.n)
	l.SetRows(append([]movement{{n: 1000}}, l.Rows()...))
	row, _ = l.Selected()
	require.Equal(t, 9, row.n)
	require.Equal(t, 10, l.Cursor())
	l.SetRows(l.Rows()[:3])
	row, _ = l.Selected()
	require.Equal(t, 1, row.n, "the selected row was removed, so the nearest one is selected")
	l.SetRows(nil)
	_, ok = l.Selected()
	require.False(t, ok)
	require.False(t, l.Key(tea.KeyMsg{Type: tea.KeyEnter}))
}

func TestList_NearEnd(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(100, &rendered)
	l.View(widget.PlainTheme(), 80, 10)
	require.False(t, l.NearEnd())
	l.More = true
	require.False(t, l.NearEnd())
	l.MoveTo(85)
	require.True(t, l.NearEnd())
	l.Append(movement{n: 100})
	require.Equal(t, 101, l.Len())
}

// arrows returns the margins of the rows: a cursor and an arrow.
func arrows(view string) (out []string) {
	for _, line := range strings.Split(view, "\n") {
		if at := strings.Index(line, "OAT-"); at >= 0 {
			out = append(out, line[:at])
		}
	}
	return out
}

func TestList_MarksRowsOutOfView(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                 string
		rows, cursor, height int
		more                 bool
		want                 []string
	}{
		{"all visible", 3, 0, 4, false, []string{"▸ ", "  ", "  "}},
		{"rows follow", 12, 0, 4, false, []string{"▸ ", "  ", "↓ "}},
		{"rows precede", 12, 11, 4, false, []string{"↑ ", "  ", "▸ "}},
		{"both", 12, 6, 4, false, []string{"↑ ", "▸ ", "↓ "}},
		{"rows to load follow", 3, 0, 9, true, []string{"▸ ", "  ", "↓ "}},
		{"the last loaded row is selected", 3, 2, 9, true, []string{"  ", "  ", "▸↓"}},
		{"two lines", 12, 6, 2, false, []string{"↑ ", "▸↓"}},
		{"one line", 12, 6, 1, false, []string{"▸↕"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rendered := 0
			l := movements(c.rows, &rendered)
			l.More = c.more
			l.MoveTo(c.cursor)
			require.Equal(t, c.want, arrows(l.View(widget.PlainTheme(), 40, c.height)))
		})
	}
}

func TestList_ShowsTheRowsBesideTheCursor(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(20, &rendered)
	for _, key := range []tea.KeyType{tea.KeyDown, tea.KeyUp} {
		for range 25 {
			view := l.View(widget.PlainTheme(), 40, 6)
			require.Contains(t, view, fmt.Sprintf("OAT-%d ", max(0, l.Cursor()-1)))
			require.Contains(t, view, fmt.Sprintf("OAT-%d ", min(19, l.Cursor()+1)))
			l.Key(tea.KeyMsg{Type: key})
		}
	}
}

func TestList_EmptyText(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(0, &rendered)
	l.EmptyText = "Nothing is expected. Press n to announce an inbound"
	require.Contains(t, l.View(widget.PlainTheme(), 80, 5), "Press n")
	require.True(t, len(strings.Split(l.View(widget.PlainTheme(), 20, 3), "\n")) == 3)
}

func TestList_Click(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(100, &rendered)
	l.MoveTo(50)
	l.View(widget.PlainTheme(), 80, 11)
	require.False(t, l.Click(0), "the titles")
	require.True(t, l.Click(1))
	require.Equal(t, 42, l.Cursor())
	require.False(t, l.Click(11))
}

func TestList_CleansCells(t *testing.T) {
	t.Parallel()
	rendered := 0
	l := movements(0, &rendered)
	l.Append(movement{sku: "A\x1b[2J\nB"})
	require.NotContains(t, l.View(widget.PlainTheme(), 80, 5), "\x1b")
}

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
	testenv.Property.Check(t, func(r *rapid.T) {
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
