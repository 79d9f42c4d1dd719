package views_test

import (
	"strings"
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// Every form is saved with ctrl+s, and its footer says so.
func TestForms_SavedWithCtrlS(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := h.Terminal(t, registry(h))
	for _, x := range []struct {
		route  string
		fields []string
	}{
		{"locations/new", []string{"ST-9", "Corner"}},
		{"products/new", []string{"TEA-20", "Earl Grey"}},
		{"receive/new", []string{"COF-500", "6"}},
		{"ship/new", []string{"COF-500", "2"}},
		{"reservations/new", []string{"COF-500", "3"}},
	} {
		d.Do(tui.Open(x.route))
		for i, text := range x.fields {
			if i > 0 {
				d.Key("tab")
			}
			d.Type(text)
		}
		d.Sees("ctrl+s save").Key("ctrl+s").Lacks("ctrl+s save").Key("ctrl+g")
		require.Equal(t, "home", d.Model.Route(), x.route)
	}
	require.Len(t, ledgertest.Do(h.World, api.ListLocations, api.ListPlacesInput{}).Items, 3)
	require.Len(t, ledgertest.Do(h.World, api.ListProducts, api.ListProductsInput{}).Items, 5)
	require.Len(t, ledgertest.Do(h.World, api.ListInbounds, api.ListInboundsInput{}).Items, 1)
	require.Len(t, ledgertest.Do(h.World, api.ListTransfers, api.ListTransfersInput{}).Items, 1)
	held := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Coffee.ID}}).Items
	require.EqualValues(t, 3, held[0].Reserved)
}

// Where a screen takes "?" as text, its footer names F1 for the help, which leaves the text as
// it is.
func TestEveryScreen_NamesAHelpKeyThatWorks(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	for _, route := range routes(reg, h) {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} }).Size(80, 60)
		before := d.View()
		key := "?"
		if strings.Contains(before, "F1 help") {
			key = "f1"
		} else {
			d.Sees("? help")
		}
		d.Key(key).Sees("▸ help", "Everywhere").Key("esc").Lacks("Everywhere", "?█")
		require.Equal(t, before, d.View(), route)
	}
}
