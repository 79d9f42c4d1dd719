package views_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

func TestEveryScreen_SameTextInEveryTheme(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, route := range routes(registry(h), h) {
		viewtest.Themes(t, route, func(change func(*shell.Options)) *tuitest.Driver {
			h.Site = h.NewSite() // a new site, so that each run detects unsupported operations itself
			return h.Terminal(t, registry(h), change, func(o *shell.Options) { o.Start = []string{"home", route} })
		})
	}
}

// TestScreenStates_InAllThemes covers states beyond that in which a screen opens. The
// packages of the screens have those without a name.
func TestScreenStates_InAllThemes(t *testing.T) {
	t.Parallel()
	full, bare := viewtest.NewWarehouse(t), viewtest.NewWarehouse(t)
	fillRoutes(full)
	kit := ledgertest.Do(full.World, api.CreateProduct, api.CreateProductInput{SKU: "KIT-1", Name: "Breakfast basket",
		Components: []api.Component{{ProductID: full.Oat.ID, Quantity: 2}, {ProductID: full.Coffee.ID, Quantity: 1}}})
	full.Stock(kit.ID, full.Main.ID, 5)
	none := func(*tuitest.Driver) {}
	for _, x := range []struct {
		name, route string
		house       *viewtest.Warehouse
		then        func(d *tuitest.Driver)
	}{
		{"piece", "serial/SN-1", full, none},
		{"kit", "kit/KIT-1@WH-1", full, func(d *tuitest.Driver) { d.Type("3").Key("enter") }},
		{"count", "count", full, func(d *tuitest.Driver) { d.Key("enter").Scan("COF-500").Type("7").Key("enter") }},
		{"chart", "explain/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Key("tab") }},
		{"as-of", "snapshot?sku=COF-500&asOf=2026-11-20", full, none},
		{"filter", "movements", full, func(d *tuitest.Driver) { d.Key("f3") }},
		{"order", "fulfill/new", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"transfer", "ship/new", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"delivery", "receive/new", full, func(d *tuitest.Driver) { d.Key("ctrl+s") }},
		{"location", "locations/new", full, none},
		{"", "scanner", full, none},
		{"help", "explain/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Key("f1") }},
		{"actions", "receive", full, func(d *tuitest.Driver) { d.Key("ctrl+p").Type("stock") }},
		{"", "receive", bare, none},
		{"no-transfer", "receive-transfer", bare, none},
		{"no-order", "fulfill", bare, none},
		{"no-stock", "stock", bare, none},
		{"no-movement", "movements", bare, none},
		{"no-balance", "snapshot", bare, none},
		{"", "reservations", bare, none},
		{"none-late", "late", bare, none},
		{"none-low", "low", bare, none},
		{"none-ends", "expiring", bare, none},
		{"", "unknown", bare, none},
		{"", "home", bare, none},
		{"", "receive/PO-7", full, func(d *tuitest.Driver) { d.Scan("]C101" + full.OatBox + "10L7").Scan("SOY-1L") }},
		{"", "receive/PO-7", full, func(d *tuitest.Driver) { d.Scan("]C101" + full.OatBox + "17260131" + "10L0") }},
		{"", "fulfill/SO-1", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"", "fulfill/SO-1", full, func(d *tuitest.Driver) { d.Scan("SOY-1L") }},
		{"", "adjust/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Type("5").Key("enter") }},
		{"", "move/COF-500@WH-1", full, func(d *tuitest.Driver) { d.Scan("COF-500") }},
		{"", "count/WH-1", full, func(d *tuitest.Driver) { d.Scan("COF-500").Type("18").Key("enter", "enter") }},
		{"", "movements?days=7", full, func(d *tuitest.Driver) { d.Key("f8").Await() }},
		{"", "locations", full, func(d *tuitest.Driver) { d.Scan("WH-3").Key("f3") }},
		{"", "products/new", full, func(d *tuitest.Driver) { d.Type("OAT-1L").Key("ctrl+s") }},
		{"", "reservations/new?sku=OAT-1L", full, func(d *tuitest.Driver) { d.Type("6").Key("enter") }},
		{"", "scanner", full, func(d *tuitest.Driver) { d.Scan("]C10109521234543219" + "10L42-A\x1d17271331") }},
	} {
		x.house.Themes(t, x.route+" "+x.name, registry(x.house), x.route, x.then)
		if x.name == "" {
			continue
		}
		d := x.house.Terminal(t, registry(x.house), func(o *shell.Options) { o.Start = []string{x.route} })
		x.then(d)
		d.Goldens(x.name)
	}
}
