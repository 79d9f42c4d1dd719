package listscreen_test

import (
	"context"
	"errors"
	"testing"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"
	"bincard/views/viewtest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// fruits returns the kind of a list of fruits, which loads rows.
func fruits(load func(ctx context.Context) ([]string, bool, error)) listscreen.Kind[string] {
	return listscreen.Kind[string]{
		Texts: listscreen.Fixed(listscreen.Texts{Title: "Fruits", Question: "Choose a fruit", Noun: "fruits", Empty: "No fruits"}),
		Key:   func(row string) string { return row },
		Load:  listscreen.Fixed(load),
		Columns: func(tui.Size) []widget.Column[string] {
			return []widget.Column[string]{{Title: "name", Cell: func(row string) string { return row }}}
		},
		Open:       tui.Action{ID: "fruits.open", Label: "open"},
		OpenRow:    func(row *string) tea.Cmd { return tui.Toast("opened " + *row) },
		FilterText: func(row string) string { return row },
	}
}

// open opens a list of a kind.
func open(t *testing.T, kind listscreen.Kind[string]) *tuitest.Driver {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	reg.Add("fruits", "Fruits", listscreen.New(h.Site, func(*listscreen.Screen[string]) listscreen.Kind[string] { return kind }))
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
	kind.Find = &listscreen.Find[string]{Name: func(row *string) string { return *row }, SKU: func(row *string) string { return *row + "-1" },
		Product: func(*string) api.ID { return api.ID{} }, Question: "Which fruit?", Line: func(row *string) string { return *row },
		NotFound: func(p *api.Product) tea.Cmd { return tui.Fail(errors.New("no fruit is " + p.SKU)) }}
	d := open(t, kind)
	d.Scan("cherry").Sees("opened cherry").Scan("banana-1").Sees("opened banana").Scan("COF-500").Sees("no fruit is COF-500")
}

func TestScreen_UnsupportedListHasAnotherScreen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	other := listscreen.New(h.Site, func(*listscreen.Screen[string]) listscreen.Kind[string] {
		return fruits(func(context.Context) ([]string, bool, error) { return []string{"date"}, false, nil })
	})
	kind := fruits(func(context.Context) ([]string, bool, error) {
		return nil, false, &session.UnsupportedError{Spec: api.ListOutbounds.Spec}
	})
	kind.Unsupported = other
	reg := tui.NewRegistry()
	reg.Add("fruits", "Fruits", listscreen.New(h.Site, func(*listscreen.Screen[string]) listscreen.Kind[string] { return kind }))
	h.Terminal(t, reg).Sees("date", "1 fruits").Lacks("apple")
}
