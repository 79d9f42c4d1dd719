package widget_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"bincard/server/budget"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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
	p := theme.Plain()
	require.Equal(t, "████░░░░░░", widget.Bar(p, 96, 240, 11)[:len("████░░░░░░")])
	require.Equal(t, "█░░░", widget.Bar(p, 1, 10_000, 4))
	require.Equal(t, "███░", widget.Bar(p, 9_999, 10_000, 4))
	require.Equal(t, "████", widget.Bar(p, 300, 240, 4))
	require.Equal(t, "░░░░", widget.Bar(p, 0, 0, 4))
	require.Equal(t, []string{"40%", "99%", "<1%", "100%", "–"}, []string{widget.Percent(nil, 96, 240),
		widget.Percent(nil, 9_999, 10_000), widget.Percent(nil, 1, 1000), widget.Percent(nil, 5, 5), widget.Percent(nil, 1, 0)})
}

func TestStack_SharesAddUp(t *testing.T) {
	t.Parallel()
	budget.Property.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1_000_000), 1, 8).Draw(r, "values")
		width := rapid.IntRange(8, 200).Draw(r, "width")
		var sum int64
		shares := make([]widget.Share, len(values))
		for i, v := range values {
			sum += v
			shares[i] = widget.Share{Value: v, Rune: rune('a' + i)}
		}
		bar := widget.Stack(theme.Plain(), width, shares...)
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
	require.Equal(t, "unit           piece\nbarcode\n      19521000000121\nbox\n6 × piece\n19521000000121\nends                ", widget.Details(theme.Plain(), 20, pairs...))
	require.Equal(t, "unit     piece\nbarcode  19521000000121\nbox      6 × piece\n         19521000000121\nends     ", widget.Details(theme.Plain(), 30, pairs...))
	require.Equal(t, widget.Fields(theme.Plain(), 40, pairs...), widget.Details(theme.Plain(), 40, pairs...))
}

func TestFields_NarrowAlignsRight(t *testing.T) {
	t.Parallel()
	pairs := []widget.Pair{{Label: "expected", Value: "240"}, {Label: "lot", Value: "L42-A-VERY-LONG-LOT"}, {Label: "ends"}}
	require.Equal(t, "expected         240\nlot L42-A-VERY-LONG…\nends                ", widget.Fields(theme.Plain(), 20, pairs...))
	require.Equal(t, "expected  240\nlot       L42-A-VERY-LONG-LOT\nends      ", widget.Fields(theme.Plain(), 80, pairs...))
	require.Equal(t, "expected 240", widget.Row(theme.Plain(), 24, pairs...))
}

func TestFeed_NewestFirst(t *testing.T) {
	t.Parallel()
	f := widget.Feed{Max: 3}
	for _, lot := range []string{"L1", "L2", "L33", "L4"} {
		f.OK("box", lot, "+12")
	}
	f.Refused("SOY-1L\x07")
	require.Equal(t, 3, f.Len())
	require.Equal(t, "! SOY-1L\n✓ box      L4   +12", f.View(theme.Plain(), 80, 2))
}

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func text(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestQuestion_AcceptsOnlyDigits(t *testing.T) {
	t.Parallel()
	q := widget.Number("How many?")
	require.True(t, q.AcceptsKey(text("4")))
	require.False(t, q.AcceptsKey(text("+")))
	require.False(t, q.AcceptsKey(key(tea.KeyEnter)), "enter belongs to the actions while the question is empty")
	require.Contains(t, q.View(theme.Plain(), 40), "▸ How many?")
	for _, k := range []tea.KeyMsg{text("4"), text("8"), text("0"), key(tea.KeyBackspace)} {
		_, done := q.Key(k)
		require.False(t, done)
	}
	require.Contains(t, q.View(theme.Plain(), 40), "▸ 48")
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
	require.Contains(t, f.View(theme.Plain(), 60), "required")

	require.True(t, f.Fill("lot", "L42-A"))
	f.Key(key(tea.KeyEnter))
	for _, c := range "31.02.2027" {
		f.Key(text(string(c)))
	}
	f.Key(key(tea.KeyEnter))
	require.Equal(t, "ends", f.Focused())
	require.Contains(t, f.View(theme.Plain(), 80), "not a date, use 2027-03-31")
	require.True(t, f.Fill("ends", "31.03.2027"))
	require.Equal(t, "2027-03-31", f.Value("ends"))

	f.Key(key(tea.KeyTab))
	f.Key(text("1"))
	f.Key(text("3"))
	f.Key(text("x"))
	f.Key(key(tea.KeyTab))
	require.Contains(t, f.View(theme.Plain(), 80), `"13x" is not a whole number`, "a refused text stays to be corrected")
	f.Key(key(tea.KeyShiftTab))
	f.Key(key(tea.KeyBackspace))
	require.NotContains(t, f.View(theme.Plain(), 80), "whole number")
	f.Key(key(tea.KeyTab))
	require.Equal(t, "state", f.Focused())
	f.Key(text("d"))
	require.False(t, f.Key(key(tea.KeyEnter)), "another field is invalid")
	require.Equal(t, "count", f.Focused())
	require.Contains(t, f.View(theme.Plain(), 60), "only 12 are there")
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
		for _, line := range strings.Split(f.View(theme.Plain(), width), "\n") {
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
		view := f.View(theme.Plain(), width)
		require.Contains(t, view, "Service", width)
		require.Contains(t, view, "127.0.0.1:8099", width)
		require.Contains(t, strings.Join(strings.Fields(view), " "), "scheme", width)
	}
	f.Key(key(tea.KeyBackspace))
	require.NotContains(t, f.View(theme.Plain(), 80), "scheme")
	f.Focus("must")
	f.Validate()
	f.Focus("must")
	require.Contains(t, f.View(theme.Plain(), 40), "required")
	require.NotContains(t, f.View(theme.Plain(), 40), "WH-1")
}

func TestForm_ChoiceValueAndText(t *testing.T) {
	t.Parallel()
	f := widget.NewForm(nil, widget.Field{Name: "state", Kind: widget.ChoiceField, Options: []string{"verfügbar", "beschädigt"}, Values: []string{"available", "damaged"}})
	require.Equal(t, "available", f.Value("state"))
	require.True(t, f.Fill("state", "damaged"))
	require.False(t, f.Fill("state", "beschädigt"))
	require.Equal(t, "beschädigt", f.Text("state"))
	require.Contains(t, f.View(theme.Plain(), 40), "beschädigt")
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
			require.Contains(t, f.View(theme.Plain(), 60), want, c.text)
			require.Contains(t, f.View(theme.Plain(), 20), want, c.text)
		}
	}
}
