package listscreen_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/viewtest"
)

type fruit struct {
	name   string
	weight int64
}

// openSorter opens a list of fruits of an operator's terminal.
func openSorter(t *testing.T, h *viewtest.Warehouse, more bool) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	reg.Add("fruits", "Fruits", listscreen.New(h.Site, func(*listscreen.Screen) listscreen.Kind[fruit] {
		return listscreen.Kind[fruit]{
			Texts: listscreen.Fixed(listscreen.Texts{Title: "Fruits", Question: "Choose a fruit", Noun: "fruits"}),
			Key:   func(f fruit) string { return f.name },
			Load: listscreen.Fixed[listscreen.Loader[fruit]](func(context.Context) ([]fruit, bool, error) {
				return []fruit{{"banana", 120}, {"Apple", 150}, {"cherry", 8}}, more, nil
			}),
			Columns: func(tui.Size) []widget.Column[fruit] {
				return []widget.Column[fruit]{{Title: "name", Sort: "name", Cell: func(f fruit) string { return f.name }},
					{Title: "weight", Width: 8, Sort: "weight", Number: func(f fruit) int64 { return f.weight }}}
			},
		}
	}))
	return h.Terminal(t, reg)
}

func TestSorter_SortsByChosenColumn(t *testing.T) {
	t.Parallel()
	d := openSorter(t, viewtest.NewWarehouse(t), false)
	d.Lacks("▲", "▼").SeesInOrder("banana", "Apple", "cherry")
	d.Key("f9").Sees("Sort by which column?").Type("name").Key("enter").Sees("name▲")
	d.SeesInOrder("Apple", "banana", "cherry")
	d.Key("f9").Type("name").Key("enter").Sees("name▼")
	d.SeesInOrder("cherry", "banana", "Apple")
	d.Key("f9").Type("weight").Key("enter").Sees("weight▼").Lacks("name▼")
	d.SeesInOrder("Apple", "banana", "cherry")
	d.Key("f9").Type("default").Key("enter").Lacks("▲", "▼")
	d.SeesInOrder("banana", "Apple", "cherry")
}

func TestSorter_KeepsChoiceOfEachOperator(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	openSorter(t, h, false).Key("f9").Type("weight").Key("enter")
	openSorter(t, h, false).Sees("weight▼")
	h.Site.SetOperator("Eve")
	d := openSorter(t, h, false).Lacks("▼")
	d.Key("f9").Type("name").Key("enter").Sees("name▲")
	h.Site.SetOperator("Ada")
	openSorter(t, h, false).Sees("weight▼").Lacks("name▲")
	require.NoError(t, h.Site.Settings().Save("sort", []byte("{broken")))
	openSorter(t, h, false).Lacks("▼").Key("f9").Type("name").Key("enter").Sees("name▲")
	openSorter(t, h, false).Sees("name▲")
}

func TestSorter_RefusesIncompleteList(t *testing.T) {
	t.Parallel()
	d := openSorter(t, viewtest.NewWarehouse(t), true)
	d.Key("f9").Sees("More than 3 rows cannot be sorted").Lacks("Sort by which column?")
}
