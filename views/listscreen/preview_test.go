package listscreen_test

import (
	"context"
	"fmt"
	"testing"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/views/listscreen"
	"bincard/views/listsort"
	"bincard/views/preview"
	"bincard/views/viewtest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// previewed returns the kind of a list whose preview shows the lots that read returns.
func previewed(rows int, read func(row string) (preview.Lots, error)) listscreen.Kind[string] {
	kind := fruits(func(context.Context) (all []string, more bool, err error) {
		for i := range rows {
			all = append(all, fmt.Sprintf("fruit %d", i))
		}
		return all, false, nil
	})
	kind.Preview = func(row *string) preview.Document {
		return preview.Document{Title: "About " + *row, Facts: []preview.Fact{{Label: "kind", Text: *row}}, Lines: []preview.Line{{SKU: "A"}}}
	}
	kind.PreviewLots = func(row *string) func(context.Context) (preview.Lots, error) {
		return func(context.Context) (preview.Lots, error) { return read(*row) }
	}
	return kind
}

func TestScreen_PreviewNeverShowsLotsOfAnotherRow(t *testing.T) {
	t.Parallel()
	read := map[string]int{}
	d := open(t, previewed(3, func(row string) (preview.Lots, error) {
		read[row]++
		if row == "fruit 2" {
			return nil, fmt.Errorf("no lots")
		}
		return preview.Lots{api.ID{}: "LOT OF " + row}, nil
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
	kind := previewed(3, func(row string) (preview.Lots, error) { return preview.Lots{api.ID{}: "LOT OF " + row}, nil })
	kind.Orders = []listsort.Order[string]{listsort.Text("name", "name", func(row *string) string { return *row })}
	d := open(t, kind).Size(200, 60)
	d.Sees("About fruit 0").Key("down", "down").Sees("LOT OF fruit 2")
	d.Key("f9").Type("name").Key("enter").Sees("About fruit 0", "LOT OF fruit 0")
	d.Key("/").Type("fruit 1").Sees("LOT OF fruit 1").Key("esc").Sees("About fruit 1", "LOT OF fruit 1")
}

func TestScreen_PreviewReadsLotsWhenItOpens(t *testing.T) {
	t.Parallel()
	kind := previewed(3, func(row string) (preview.Lots, error) { return preview.Lots{api.ID{}: "LOT OF " + row}, nil })
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	for _, route := range []string{"home", "fruits"} {
		reg.Add(route, route, listscreen.New(h.Site, func(*listscreen.Screen[string]) listscreen.Kind[string] { return kind }))
	}
	d := h.Terminal(t, reg).Size(200, 60)
	d.Hold().Do(tui.Open("fruits")).Sees("loading").Lacks("About")
	d.Release().Sees("LOT OF fruit 0")
	d.Key("/").Type("x").Lacks("About").Key("backspace").Sees("LOT OF fruit 0")
}

func TestScreen_PreviewFitsEverySize(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{0, 1, 200} {
		d := open(t, previewed(rows, func(string) (preview.Lots, error) { return nil, nil }))
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
	d := open(t, previewed(3, func(string) (preview.Lots, error) { return nil, nil })).Size(120, 40).Key("f12")
	click := func(x int) {
		d.View()
		d.Send(tea.MouseMsg{X: x, Y: 7, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(100)
	d.Sees("About fruit 0")
	click(10)
	d.Sees("About fruit 1")
}
