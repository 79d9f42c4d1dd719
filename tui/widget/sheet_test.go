package widget_test

import (
	"errors"
	"strings"
	"testing"

	"bincard/tui/theme"
	"bincard/tui/tuitest"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// TestSheet_EveryTheme compares a sheet of all styles and widgets in each theme.
func TestSheet_EveryTheme(t *testing.T) {
	t.Parallel()
	for _, name := range theme.Names() {
		view := sheet(theme.Fixed(name, termenv.ANSI256))
		tuitest.Fits(t, view, tuitest.Shape{Width: 80, Height: 40})
		tuitest.Golden(t, name, view)
	}
}

func sheet(th theme.Theme) string {
	const width = 80
	strong := func(t theme.Theme, text string) string { return t.Strong.Render(text) }
	list := widget.NewList(func(row [2]string) string { return row[0] },
		widget.Column[[2]string]{Title: "product", Width: 12, Cell: func(row [2]string) string { return row[0] }},
		widget.Column[[2]string]{Title: "on hand", Width: 10, Right: true, Cell: func(row [2]string) string { return row[1] },
			Style: func(_ [2]string, t theme.Theme, text string) string { return t.Warning.Render(text) }})
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
