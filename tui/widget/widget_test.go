package widget_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui/i18n"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

func TestTranslator_NumbersAndTimes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"0", "999", "1,000", "-1,234,567", "-100"}, []string{i18n.New(i18n.Language{}).Count(0), i18n.New(i18n.Language{}).Count(999),
		i18n.New(i18n.Language{}).Count(1000), i18n.New(i18n.Language{}).Count(-1234567), i18n.New(i18n.Language{}).Count(-100)})
	require.Equal(t, []string{"+48", "0", "-1,200"}, []string{i18n.New(i18n.Language{}).Change(48), i18n.New(i18n.Language{}).Change(0), i18n.New(i18n.Language{}).Change(-1200)})

	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	now := time.Date(2026, 3, 29, 12, 0, 0, 0, berlin) // the day the clocks go forward
	for want, at := range map[string]time.Time{
		"today 14:00":      time.Date(2026, 3, 29, 14, 0, 0, 0, berlin),
		"yesterday 23:59":  time.Date(2026, 3, 28, 23, 59, 0, 0, berlin),
		"tomorrow 00:00":   time.Date(2026, 3, 29, 22, 0, 0, 0, time.UTC),
		"2026-03-27 09:05": time.Date(2026, 3, 27, 9, 5, 0, 0, berlin),
		"":                 {},
	} {
		require.Equal(t, want, i18n.New(i18n.Language{}).When(at, now))
	}
	for want, d := range map[string]time.Duration{"2s": 2 * time.Second, "12 min": 12*time.Minute + 59*time.Second,
		"3 h 12 m": 3*time.Hour + 12*time.Minute, "3 h": 3 * time.Hour, "4 days": 100 * time.Hour} {
		require.Equal(t, want, i18n.New(i18n.Language{}).Span(d))
		require.Equal(t, want, i18n.New(i18n.Language{}).Ago(now.Add(-d), now))
		require.Equal(t, want, i18n.New(i18n.Language{}).Ago(now.Add(d), now))
	}
}

func TestBar_FullOnlyAtWhole(t *testing.T) {
	t.Parallel()
	p := widget.PlainTheme()
	require.Equal(t, "████░░░░░░", widget.Bar(p, 96, 240, 11)[:len("████░░░░░░")])
	require.Equal(t, "█░░░", widget.Bar(p, 1, 10_000, 4))
	require.Equal(t, "███░", widget.Bar(p, 9_999, 10_000, 4))
	require.Equal(t, "████", widget.Bar(p, 300, 240, 4))
	require.Equal(t, "░░░░", widget.Bar(p, 0, 0, 4))
	require.Equal(t, []string{"40%", "17%", "99%", "<1%", "100%", "–"}, []string{widget.Percent(nil, 96, 240), widget.Percent(nil, 6, 36),
		widget.Percent(nil, 9_999, 10_000), widget.Percent(nil, 1, 1000), widget.Percent(nil, 5, 5), widget.Percent(nil, 1, 0)})
}

func TestStack_SharesAddUp(t *testing.T) {
	t.Parallel()
	testenv.Property.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 8).Draw(r, "values")
		width := rapid.IntRange(8, 200).Draw(r, "width")
		var sum int64
		shares := make([]widget.Share, len(values))
		for i, v := range values {
			sum += v
			shares[i] = widget.Share{Value: v, Rune: rune('a' + i)}
		}
		bar := widget.Stack(widget.PlainTheme(), width, shares...)
		if sum == 0 {
			require.Empty(t, bar)
			return
		}
		require.Len(t, bar, width)
		for i, v := range values {
			require.Equal(t, v > 0, strings.ContainsRune(bar, rune('a'+i)), "share %d of %v", i, values)
		}
	})
}

func TestSpark_ShowsTheLastValues(t *testing.T) {
	t.Parallel()
	require.Equal(t, "▁▄█", widget.Spark([]int64{9, 9, 0, 5, 10}, 3))
	require.Equal(t, "▁▁", widget.Spark([]int64{0, 0}, 5))
	require.Empty(t, widget.Spark([]int64{1}, 0))
}

func TestDetails_CutsNoValue(t *testing.T) {
	t.Parallel()
	pairs := []widget.Pair{{Label: "unit", Value: "piece"}, {Label: "barcode", Value: "19521000000121"}, {Label: "box", Value: "6 × piece   19521000000121"}, {Label: "ends"}}
	require.Equal(t, "unit           piece\nbarcode\n      19521000000121\nbox\n6 × piece\n19521000000121\nends                ", widget.Details(widget.PlainTheme(), 20, pairs...))
	require.Equal(t, "unit     piece\nbarcode  19521000000121\nbox      6 × piece\n         19521000000121\nends     ", widget.Details(widget.PlainTheme(), 30, pairs...))
	require.Equal(t, widget.Fields(widget.PlainTheme(), 40, pairs...), widget.Details(widget.PlainTheme(), 40, pairs...))
}

func TestFields_NarrowAlignsRight(t *testing.T) {
	t.Parallel()
	pairs := []widget.Pair{{Label: "expected", Value: "240"}, {Label: "lot", Value: "L42-A-VERY-LONG-LOT"}, {Label: "ends"}}
	require.Equal(t, "expected         240\nlot L42-A-VERY-LONG…\nends                ", widget.Fields(widget.PlainTheme(), 20, pairs...))
	require.Equal(t, "expected  240\nlot       L42-A-VERY-LONG-LOT\nends      ", widget.Fields(widget.PlainTheme(), 80, pairs...))
	require.Equal(t, "expected 240", widget.Row(widget.PlainTheme(), 24, pairs...))
}

func TestFeed_NewestFirst(t *testing.T) {
	t.Parallel()
	f := widget.Feed{Max: 3}
	for _, lot := range []string{"L1", "L2", "L33", "L4"} {
		f.OK("box", lot, "+12")
	}
	f.Refused("SOY-1L\x07")
	require.Equal(t, 3, f.Len())
	require.Equal(t, "! SOY-1L\n✓ box      L4   +12", f.View(widget.PlainTheme(), 80, 2))
}

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func text(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestQuestion_AcceptsOnlyDigits(t *testing.T) {
	t.Parallel()
	q := widget.Number("How many?")
	require.True(t, q.AcceptsKey(text("4")))
	require.False(t, q.AcceptsKey(text("+")))
	require.False(t, q.AcceptsKey(key(tea.KeyEnter)), "enter belongs to the actions while the question is empty")
	require.Contains(t, q.View(widget.PlainTheme(), 40), "▸ How many?")
	for _, k := range []tea.KeyMsg{text("4"), text("8"), text("0"), key(tea.KeyBackspace)} {
		_, done := q.Key(k)
		require.False(t, done)
	}
	require.Contains(t, q.View(widget.PlainTheme(), 40), "▸ 48")
	require.True(t, q.AcceptsKey(key(tea.KeyEnter)))
	got, done := q.Key(key(tea.KeyEnter))
	require.True(t, done)
	require.Equal(t, "48", got)
	require.Empty(t, q.Value())
}

func TestForm_Validation(t *testing.T) {
	t.Parallel()
	f := widget.NewForm(nil,
		widget.Field{Name: "lot", Label: "Lot", Required: true},
		widget.Field{Name: "ends", Label: "Ends", Kind: widget.DateField},
		widget.Field{Name: "count", Label: "Count", Kind: widget.NumberField, Signed: true,
			Check: func(s string) error {
				if s == "13" {
					return errors.New("only 12 are there")
				}
				return nil
			}},
		widget.Field{Name: "state", Label: "State", Kind: widget.ChoiceField, Options: []string{"available", "damaged"}})
	require.False(t, f.Key(key(tea.KeyEnter)))
	require.Equal(t, "lot", f.Focused())
	require.Contains(t, f.View(widget.PlainTheme(), 60), "required")

	require.True(t, f.Fill("lot", "L42-A"))
	f.Key(key(tea.KeyEnter))
	for _, c := range "31.02.2027" {
		f.Key(text(string(c)))
	}
	f.Key(key(tea.KeyEnter))
	require.Equal(t, "ends", f.Focused())
	require.Contains(t, f.View(widget.PlainTheme(), 80), "not a date, use 2027-03-31")
	require.True(t, f.Fill("ends", "31.03.2027"))
	require.Equal(t, "2027-03-31", f.Value("ends"))

	f.Key(key(tea.KeyTab))
	f.Key(text("1"))
	f.Key(text("3"))
	f.Key(text("x"))
	f.Key(key(tea.KeyTab))
	require.Contains(t, f.View(widget.PlainTheme(), 80), `"13x" is not a whole number`, "a refused text stays to be corrected")
	f.Key(key(tea.KeyShiftTab))
	f.Key(key(tea.KeyBackspace))
	require.NotContains(t, f.View(widget.PlainTheme(), 80), "whole number")
	f.Key(key(tea.KeyTab))
	require.Equal(t, "state", f.Focused())
	f.Key(text("d"))
	require.False(t, f.Key(key(tea.KeyEnter)), "another field is invalid")
	require.Equal(t, "count", f.Focused())
	require.Contains(t, f.View(widget.PlainTheme(), 60), "only 12 are there")
	f.Key(key(tea.KeyBackspace))
	f.Key(text("2"))
	f.Key(key(tea.KeyTab))
	require.True(t, f.Key(key(tea.KeyEnter)))
	require.Equal(t, map[string]string{"lot": "L42-A", "ends": "2027-03-31", "count": "12", "state": "damaged"}, f.Values())
	require.EqualValues(t, 12, f.Number("count"))
	require.False(t, f.Fill("state", "lost"))
	f.SetProblem("lot", errors.New("lot L42-A is blocked"))
	require.Equal(t, "lot", f.Focused())
	for width := 20; width < 100; width++ {
		for _, line := range strings.Split(f.View(widget.PlainTheme(), width), "\n") {
			require.LessOrEqual(t, widget.Width(line), width, line)
		}
	}
}

func TestForm_ScanChangesNothingWhereItIsNotValid(t *testing.T) {
	t.Parallel()
	f := widget.NewForm(nil, widget.Field{Name: "count", Kind: widget.NumberField}, widget.Field{Name: "due", Kind: widget.DateField},
		widget.Field{Name: "state", Kind: widget.ChoiceField, Options: []string{"available", "damaged"}}, widget.Field{Name: "lot"})
	require.True(t, f.Scan("count", "12"))
	for _, code := range []string{"L162-B", "-5", "+5", "1e3", "12345678901234567890", ""} {
		require.False(t, f.Scan("count", code), code)
	}
	require.False(t, f.Scan("due", "L162-B"))
	require.True(t, f.Scan("due", "31.03.2027"))
	require.False(t, f.Scan("due", "20271301"))
	require.True(t, f.Scan("state", "damaged"))
	require.False(t, f.Scan("state", "L162-B"))
	require.True(t, f.Scan("lot", "L162-B"))
	require.False(t, f.Scan("none", "1"))
	require.Equal(t, map[string]string{"count": "12", "due": "2027-03-31", "state": "damaged", "lot": "L162-B"}, f.Values())
}

// A refused value is painted with its field's label, however long the reason is.
func TestForm_ProblemKeepsLabelAndValue(t *testing.T) {
	t.Parallel()
	f := widget.NewForm(nil, widget.Field{Name: "url", Label: "Service", Hint: "empty: this machine",
		Check: func(string) error { return errors.New("write it like https://stock.example.com, with its scheme") }},
		widget.Field{Name: "must", Label: "Location", Required: true, Hint: "WH-1, as on its label"})
	f.Fill("url", "127.0.0.1:8099")
	f.Key(key(tea.KeyEnter))
	require.Equal(t, "url", f.Focused())
	for _, width := range []int{20, 28, 40, 80} {
		view := f.View(widget.PlainTheme(), width)
		require.Contains(t, view, "Service", width)
		require.Contains(t, view, "127.0.0.1:8099", width)
		require.Contains(t, strings.Join(strings.Fields(view), " "), "scheme", width)
	}
	f.Key(key(tea.KeyBackspace))
	require.NotContains(t, f.View(widget.PlainTheme(), 80), "scheme")
	f.Focus("must")
	f.Validate()
	f.Focus("must")
	require.Contains(t, f.View(widget.PlainTheme(), 40), "required")
	require.NotContains(t, f.View(widget.PlainTheme(), 40), "WH-1")
}

func TestForm_ChoiceValueAndText(t *testing.T) {
	t.Parallel()
	f := widget.NewForm(nil, widget.Field{Name: "state", Kind: widget.ChoiceField, Options: []string{"verfügbar", "beschädigt"}, Values: []string{"available", "damaged"}})
	require.Equal(t, "available", f.Value("state"))
	require.True(t, f.Fill("state", "damaged"))
	require.False(t, f.Fill("state", "beschädigt"))
	require.Equal(t, "beschädigt", f.Text("state"))
	require.Contains(t, f.View(widget.PlainTheme(), 40), "beschädigt")
	require.Equal(t, "beschädigt", f.Prompt().Value)
}

func TestForm_Dates(t *testing.T) {
	t.Parallel()
	german := i18n.New(i18n.Language{Code: "de"})
	for _, c := range []struct{ text, english, german string }{
		{"2027-03-31", "2027-03-31", "2027-03-31"},
		{"20270331", "2027-03-31", "2027-03-31"},
		{"270331", "2027-03-31", "2027-03-31"},
		{"270200", "2027-02-28", "2027-02-28"}, // the end of the month
		{"31.03.2027", "2027-03-31", "2027-03-31"},
		{"1.2.27", "2027-02-01", "2027-02-01"},
		{"03/04/2027", "2027-03-04", ""}, // in German it could be the third of April
		{"31/03/2027", "", ""},
		{"271331", "", ""},
		{"270230", "", ""},
		{"2703", "", ""},
	} {
		for tr, want := range map[*i18n.Translator]string{nil: c.english, german: c.german} {
			f := widget.NewForm(tr, widget.Field{Name: "ends", Label: "Expiry", Kind: widget.DateField})
			require.Equal(t, want != "", f.Scan("ends", c.text), c.text)
			if want == "" {
				continue
			}
			require.Equal(t, want, f.Value("ends"), c.text)
			require.Contains(t, f.View(widget.PlainTheme(), 60), want, c.text)
			require.Contains(t, f.View(widget.PlainTheme(), 20), want, c.text)
		}
	}
}

func TestForm_DateWithATime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"2027-03-31": "2027-03-31", "31.03.2027 9:05": "2027-03-31 09:05", "270331 14:00": "2027-03-31 14:00",
		"31.03.2027 25:00": "", "14:00": "", "2027-03-31 14": ""} {
		clock := widget.NewForm(nil, widget.Field{Name: "due", Label: "Due", Kind: widget.DateField, Clock: true})
		require.Equal(t, want != "", clock.Scan("due", text), text)
		require.Equal(t, want, clock.Value("due"), text)
		day := widget.NewForm(nil, widget.Field{Name: "due", Label: "Due", Kind: widget.DateField})
		require.Equal(t, text == "2027-03-31", day.Scan("due", text), text)
	}
}

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
	testenv.Property.Check(t, func(r *rapid.T) {
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

// TestSheet_EveryTheme compares a sheet of all styles and widgets in each theme.
func TestSheet_EveryTheme(t *testing.T) {
	t.Parallel()
	for _, name := range widget.ThemeNames() {
		view := sheet(widget.FixedTheme(name, termenv.ANSI256))
		tuitest.Fits(t, view, tuitest.Shape{Width: 80, Height: 40})
		tuitest.Golden(t, name, view)
	}
}

func sheet(th widget.Theme) string {
	const width = 80
	strong := func(t widget.Theme, text string) string { return t.Strong.Render(text) }
	list := widget.NewList(func(row [2]string) string { return row[0] },
		widget.Column[[2]string]{Title: "product", Width: 12, Cell: func(row [2]string) string { return row[0] }},
		widget.Column[[2]string]{Title: "on hand", Width: 10, Right: true, Cell: func(row [2]string) string { return row[1] },
			Style: func(_ [2]string, t widget.Theme, text string) string { return t.Warning.Render(text) }})
	list.SetRows([][2]string{{"OAT-1L", "120"}, {"SOY-1L", "8"}, {"COF-500", "36"}})
	list.Key(tea.KeyMsg{Type: tea.KeyDown})
	form := widget.NewForm(nil,
		widget.Field{Name: "name", Label: "Name", Required: true, Hint: "as on the label"},
		widget.Field{Name: "count", Label: "Count", Kind: widget.NumberField},
		widget.Field{Name: "state", Label: "State", Kind: widget.ChoiceField, Options: []string{"available", "damaged"}},
		widget.Field{Name: "key", Label: "Key", Secret: true})
	form.Fill("count", "13")
	form.Fill("key", "secret")
	form.SetProblem("count", errors.New("12 are left"))
	empty, typed := widget.Number("Scan a barcode or type a quantity"), widget.Number("")
	typed.Set("48")
	var feed widget.Feed
	feed.OK("box", "OAT-1L", "+12")
	feed.Unconfirmed("piece", "SOY-1L", "+1")
	feed.Refused("WRONG-1")
	return strings.ReplaceAll(strings.Join([]string{
		strings.Join([]string{th.Text.Render("text"), th.Strong.Render("strong"), th.Muted.Render("muted"), th.Accent.Render("accent"),
			th.Warning.Render("warning"), th.Error.Render("error"), th.Selected.Render("selected")}, "  "),
		strings.Join([]string{th.OK("accepted"), th.Refused("refused"), th.Warn("late"), th.Unconfirmed("not confirmed"),
			th.Pending("waiting"), th.Ask("question")}, "  "),
		"", widget.Fields(th, width, widget.Pair{Label: "Expected", Value: "240"}, widget.Pair{Label: "Received", Value: "96", Style: strong}),
		widget.Row(th, width, widget.Pair{Label: "on hand", Value: "120", Style: strong}, widget.Pair{Label: "available", Value: "84"}),
		"", widget.Bar(th, 96, 240, 20),
		widget.Stack(th, 20, widget.Share{Value: 84, Rune: '█'}, widget.Share{Value: 36, Rune: '▒'}, widget.Share{Value: 12, Rune: '░'}),
		"", list.View(th, width, 5), "", form.View(th, width),
		"", empty.View(th, width), typed.View(th, width), "", feed.View(th, width, 5)}, "\n"), widget.QuestionMarker, "")
}
