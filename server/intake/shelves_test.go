package intake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/intake"
	"bincard/server/ledger/ledgertest"
)

func TestShelves_BecomeThoseOfTheFile(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	milk := w.Product("MILK", "")
	w.Product("TEA", "")
	importTable(t, w.Service, intake.Locations, "code,name,type\nWH-1,Main,warehouse\nWH-2,Depot,warehouse\n")
	shelves := func() (all []string) {
		p := ledgertest.Call(t, w.Service, api.GetProduct, api.ProductInput{ProductID: milk.ID})
		for _, code := range []string{"WH-1", "WH-2"} {
			id := ledgertest.Call(t, w.Service, api.ListLocations, api.ListPlacesInput{Code: code}).Items[0].ID
			all = append(all, p.ShelvesAt(id)...)
		}
		return all
	}

	const text = "SKU;Lagerort;Lagerplatz\nmilk;WH-1;A-03-2| B-1\nMILK;depot;C-1\nTEA;WH-1;\n"
	plan := prepare(t, w.Service, intake.Shelves, text)
	require.Equal(t, []int{2, 0, 1}, []int{plan.New(), plan.Changed, plan.Unchanged})
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Shelves, text))
	require.Equal(t, []string{"A-03-2", "B-1", "C-1"}, shelves())
	require.Equal(t, 3, prepare(t, w.Service, intake.Shelves, text).Unchanged)

	other := "sku,ubicación,estante\nMILK,WH-1,\nMILK,WH-2,C-2\n"
	plan = prepare(t, w.Service, intake.Shelves, other)
	require.Equal(t, []int{0, 2}, []int{plan.New(), plan.Changed})
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Shelves, other))
	require.Equal(t, []string{"C-2"}, shelves())
	require.Equal(t, intake.Outcome{Applied: 2}, importTable(t, w.Service, intake.Shelves, text), "the same file again")
	require.Equal(t, []string{"A-03-2", "B-1", "C-1"}, shelves())
}

func TestShelves_ReportEveryBadLine(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Product("MILK", "")
	old := w.Product("OLD", "")
	ledgertest.Call(t, w.Service, api.ArchiveProduct, api.ProductInput{ProductID: old.ID})
	w.Location("WH-1")
	plan := prepare(t, w.Service, intake.Shelves, "sku,location,shelf\n"+
		"MILK,WH-1,A-1|a-1\n"+
		"NONE,WH-1,A-1\n"+
		"OLD,WH-9,A-1\n"+
		"MILK,,A-1\n"+
		"MILK,WH-1,1|2|3|4|5|6|7\n"+
		"MILK,WH-1,A-1\n"+
		"milk,WH-1,A-1\n")
	var got []string
	for _, p := range plan.Problems {
		got = append(got, p.String())
	}

	require.Equal(t, []string{
		"line 2: shelf: a-1 appears twice",
		"line 3: sku: there is no product NONE; import the products first",
		"line 4: sku: OLD is archived",
		"line 4: location: there is no location with the code or unique name WH-9",
		"line 5: location: is missing",
		"line 6: shelf: must have at most 6 items",
		"line 6: MILK at WH-1 is already on line 2",
		"line 7: MILK at WH-1 is already on line 2",
		"line 8: MILK at WH-1 is already on line 2",
	}, got)
}
