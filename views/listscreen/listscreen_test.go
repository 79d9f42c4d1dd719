package listscreen_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"
	"bincard/views/viewtest"
)

// fruits returns the kind of a list of fruits, which loads rows.
func fruits(load func(ctx context.Context) ([]string, bool, error)) listscreen.Kind[string] {
	return listscreen.Kind[string]{
		Texts: listscreen.Fixed(listscreen.Texts{Title: "Fruits", Question: "Choose a fruit", Noun: "fruits", Empty: "No fruits"}),
		Key:   func(row string) string { return row },
		Load:  listscreen.Fixed[listscreen.Loader[string]](load),
		Columns: func(tui.Size) []widget.Column[string] {
			return []widget.Column[string]{{Title: "name", Cell: func(row string) string { return row }}}
		},
		Open:       tui.Action{ID: "fruits.open", Label: "open"},
		OpenRow:    func(row string) tea.Cmd { return tui.Toast("opened " + row) },
		FilterText: func(row string) string { return row },
	}
}

// open opens a list of a kind.
func open(t *testing.T, kind listscreen.Kind[string]) *tuitest.Driver {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	reg.Add("fruits", "Fruits", listscreen.New(h.Site, func(*listscreen.Screen) listscreen.Kind[string] { return kind }))
	return h.Terminal(t, reg)
}

func threeFruits(context.Context) ([]string, bool, error) {
	return []string{"apple", "banana", "cherry"}, true, nil
}

func TestScreen_FiltersAndOpens(t *testing.T) {
	t.Parallel()
	d := open(t, fruits(threeFruits))
	d.Sees("Fruits", "Choose a fruit", "more than 3 fruits", "cherry")
	d.Key("/").Type("an").Sees("1 of more than 3 fruits", "banana").Lacks("apple")
	d.Key("enter").Sees("opened banana")
	d.Key("esc").Sees("apple")
}

func TestScreen_KeepsRowsAfterError(t *testing.T) {
	t.Parallel()
	var failure error
	d := open(t, fruits(func(ctx context.Context) ([]string, bool, error) {
		if failure != nil {
			return nil, false, failure
		}
		return threeFruits(ctx)
	}))
	failure = errors.New("The orchard is closed. Come back.")
	d.Key("ctrl+r").Sees("as of 12:00:00: The orchard is closed.", "apple").Lacks("Come back")
	failure = nil
	d.Advance(31 * time.Second).Sees("apple").Lacks("as of")
}

func TestScreen_RefusesScansWithoutFindOrScan(t *testing.T) {
	t.Parallel()
	d := open(t, fruits(threeFruits))
	d.Scan("4006381333931").Sees("does not accept scans")
	require.Equal(t, 2, d.Bells())
	kind := fruits(threeFruits)
	kind.Scan = func(_ context.Context, r count.Label) (func() tea.Cmd, error) {
		return func() tea.Cmd { return tui.Toast("scanned " + r.Codes[0]) }, nil
	}
	open(t, kind).Scan("banana").Sees("scanned banana")
}

func TestScreen_FindsRowOfScan(t *testing.T) {
	t.Parallel()
	kind := fruits(threeFruits)
	kind.Find = &listscreen.Find[string]{Name: func(row string) string { return row }, SKU: func(row string) string { return row + "-1" },
		Product: func(string) api.ID { return api.ID{} }, Question: "Which fruit?", Line: func(row string) string { return row },
		NotFound: func(p *api.Product) tea.Cmd { return tui.Fail(errors.New("no fruit is " + p.SKU)) }}
	d := open(t, kind)
	d.Scan("cherry").Sees("opened cherry").Scan("banana-1").Sees("opened banana").Scan("COF-500").Sees("no fruit is COF-500")
}

func TestScreen_UnsupportedListHasAnotherScreen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	other := listscreen.New(h.Site, func(*listscreen.Screen) listscreen.Kind[string] {
		return fruits(func(context.Context) ([]string, bool, error) { return []string{"date"}, false, nil })
	})
	kind := fruits(func(context.Context) ([]string, bool, error) {
		return nil, false, &session.UnsupportedError{Spec: api.ListOutbounds.Spec}
	})
	kind.Unsupported = other
	reg := tui.NewRegistry()
	reg.Add("fruits", "Fruits", listscreen.New(h.Site, func(*listscreen.Screen) listscreen.Kind[string] { return kind }))
	h.Terminal(t, reg).Sees("date", "1 fruits").Lacks("apple")
}

// previewed returns the kind of a list whose preview shows the lots that read returns.
func previewed(rows int, read func(row string) (listscreen.PreviewLots, error)) listscreen.Kind[string] {
	kind := fruits(func(context.Context) (all []string, more bool, err error) {
		for i := range rows {
			all = append(all, fmt.Sprintf("fruit %d", i))
		}
		return all, false, nil
	})
	kind.Preview = func(row string) listscreen.Preview {
		return listscreen.Preview{Title: "About " + row, Facts: []listscreen.PreviewFact{{Label: "kind", Text: row}}, Lines: []listscreen.PreviewLine{{SKU: "A"}}}
	}
	kind.PreviewLots = func(row string) func(context.Context) (listscreen.PreviewLots, error) {
		return func(context.Context) (listscreen.PreviewLots, error) { return read(row) }
	}
	return kind
}

func TestScreen_PreviewNeverShowsLotsOfAnotherRow(t *testing.T) {
	t.Parallel()
	read := map[string]int{}
	d := open(t, previewed(3, func(row string) (listscreen.PreviewLots, error) {
		read[row]++
		if row == "fruit 2" {
			return nil, fmt.Errorf("no lots")
		}
		return listscreen.PreviewLots{api.ID{}: "LOT OF " + row}, nil
	}))
	d.Sees("fruit 0").Lacks("About").Key("down", "up")
	require.Empty(t, read, "a small screen reads no lots")
	d.Size(200, 60).Sees("│ About fruit 0", "LOT OF fruit 0")
	d.Hold().Key("down").Sees("│ About fruit 1").Lacks("LOT OF", "About fruit 0")
	d.Key("up").Sees("│ About fruit 0").Lacks("LOT OF")
	d.Release().Sees("LOT OF fruit 0").Lacks("LOT OF fruit 1")
	d.Key("down", "down").Sees("│ About fruit 2").Lacks("LOT OF")
}

func TestScreen_PreviewFollowsActions(t *testing.T) {
	t.Parallel()
	kind := previewed(3, func(row string) (listscreen.PreviewLots, error) {
		return listscreen.PreviewLots{api.ID{}: "LOT OF " + row}, nil
	})
	kind.Columns = func(tui.Size) []widget.Column[string] {
		return []widget.Column[string]{{Title: "name", Sort: "name", Cell: func(row string) string { return row }}}
	}
	d := open(t, kind).Size(200, 60)
	d.Sees("About fruit 0").Key("down", "down").Sees("LOT OF fruit 2")
	d.Key("f9").Type("name").Key("enter").Sees("About fruit 0", "LOT OF fruit 0")
	d.Key("/").Type("fruit 1").Sees("LOT OF fruit 1").Key("esc").Sees("About fruit 1", "LOT OF fruit 1")
	d.Type("2").Sees("LOT OF fruit 2", "/2").Lacks("fruit 1")
}

func TestScreen_PreviewReadsLotsWhenItOpens(t *testing.T) {
	t.Parallel()
	kind := previewed(3, func(row string) (listscreen.PreviewLots, error) {
		return listscreen.PreviewLots{api.ID{}: "LOT OF " + row}, nil
	})
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	for _, route := range []string{"home", "fruits"} {
		reg.Add(route, route, listscreen.New(h.Site, func(*listscreen.Screen) listscreen.Kind[string] { return kind }))
	}
	d := h.Terminal(t, reg).Size(200, 60)
	d.Hold().Do(tui.Open("fruits")).Sees("loading").Lacks("About")
	d.Release().Sees("LOT OF fruit 0")
	d.Key("/").Type("x").Lacks("About").Key("backspace").Sees("LOT OF fruit 0")
}

func TestScreen_PreviewFitsEverySize(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{0, 1, 200} {
		d := open(t, previewed(rows, func(string) (listscreen.PreviewLots, error) { return nil, nil }))
		for _, s := range append(tuitest.Shapes(), tuitest.Shape{Width: 110, Height: 32}, tuitest.Shape{Width: 179, Height: 200}) {
			tuitest.Fits(t, d.Size(s.Width, s.Height).Painted(), s)
		}
		if rows > 0 {
			d.Size(120, 40).Sees("About fruit 0").Key("/").Type("none").Lacks("│", "About")
		}
	}
}

func TestScreen_ClickOnPreviewSelectsNothing(t *testing.T) {
	t.Parallel()
	d := open(t, previewed(3, func(string) (listscreen.PreviewLots, error) { return nil, nil })).Size(120, 40).Key("f12")
	click := func(x int) {
		d.View()
		d.Send(tea.MouseMsg{X: x, Y: 7, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(100)
	d.Sees("About fruit 0")
	click(10)
	d.Sees("About fruit 1")
}
