package widget_test

import (
	"testing"

	"bincard/server/budget"
	"bincard/tui/widget"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestText_CountsCells(t *testing.T) {
	t.Parallel()
	require.Equal(t, "燕麦…", widget.Clip("燕麦奶一升", 5))
	require.Equal(t, "燕麦 ", widget.Left("燕麦", 5))
	require.Equal(t, "  1,284", widget.Right("1,284", 7))
	require.Equal(t, "", widget.Clip("x", 0))
	require.Equal(t, "PO-1     ONLINE", widget.Between("PO-1", "ONLINE", 15))
	require.Equal(t, "PO-2026… ONLINE", widget.Between("PO-2026-118", "ONLINE", 15))
	require.Equal(t, []string{"oat milk", "1 l"}, widget.Wrap("oat milk 1 l", 8))
}

func TestBetween_FillsTheWidth(t *testing.T) {
	t.Parallel()
	budget.Property.Check(t, func(r *rapid.T) {
		left, right := rapid.StringMatching(`[a-z燕麦 ]{0,30}`).Draw(r, "left"), rapid.StringMatching(`[a-z燕麦]{0,30}`).Draw(r, "right")
		width := rapid.IntRange(1, 60).Draw(r, "width")
		require.LessOrEqual(t, widget.Width(widget.Between(left, right, width)), width)
		if widget.Width(left)+widget.Width(right) < width {
			require.Equal(t, width, widget.Width(widget.Between(left, right, width)))
		}
	})
}

func TestClean_RemovesControlSequences(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"Oat milk 1 l":                 "Oat milk 1 l",
		"Café Lumen 燕麦奶 👩‍🚒":           "Café Lumen 燕麦奶 👩‍🚒",
		"a\x1b[31mred\x1b[0m":          "ared",
		"a\x1b]52;c;AAAA\x07b":         "ab",
		"a\x1b]0;title\x1b\\b":         "ab",
		"two\r\nlines\tand":            "two  lines and",
		"bell\x07 del\x7f c1\u009b31m": "bell del c131m",
		"\u202ereversed\u2066\u200f":   "reversed",
		"broken \xff utf":              "broken � utf",
		"\x1b":                         "",
		"tag\U000e0041s":               "tags",
		"\u2028x":                      " x",
	} {
		got := widget.Clean(from)
		require.NotContains(t, got, "\x1b")
		require.Equal(t, want, got, "%q", from)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mred\u202e\x9b")
	f.Fuzz(func(t *testing.T, s string) {
		got := widget.Clean(s)
		require.Equal(t, got, widget.Clean(got), "a second Clean changed the text")
		for _, r := range got {
			require.False(t, r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e, "%q left in %q", r, got)
		}
	})
}

func TestWrap_KeepsCodesInOnePiece(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"this is", "OAT-1L (Oat", "milk 1 l)"}, widget.Wrap("this is OAT-1L (Oat milk 1 l)", 11))
	require.Equal(t, []string{"PO-2026-42", "8"}, widget.Wrap("PO-2026-428", 10))
}

func TestWrap_HyphenatesAWordThatIsWiderThanALine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Reservierungen":       {"Reservierun-", "gen"},
		"alle Reservierungen.": {"alle", "Reservierun-", "gen."},
		"Kommissionierte":      {"Kommissio-", "nierte"},
		"Qualitätsprüfung":     {"Qualitäts-", "prüfung"},
		"Kleinschreibung":      {"Klein-", "schreibung"},
		"zurückgestellte":      {"zurück-", "gestellte"},
		"Bestandsbewegungen":   {"Bestands-", "bewegungen"},
		"Wiederherstellung":    {"Wiederher-", "stellung"},
		"OATMILKINCARTONS":     {"OATMILKINCART", "ONS"},
		"Bestand2026Korrektur": {"Bestand2026Ko", "rrektur"},
		"Reservierung":         {"Reservierung"},
	} {
		require.Equal(t, want, widget.Wrap(text, 13))
	}
}

func TestCleanLines(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb c", widget.CleanLines("a\x1b[2J\nb\tc\u202e"))
}
