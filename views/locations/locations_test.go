package locations_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// openAt starts a terminal with all screens on a route above home.
func openAt(t *testing.T, h *viewtest.Warehouse, route string) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{})
	return h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
}

// byCode reads locations from the ledger.
func byCode(h *viewtest.Warehouse, code string) []api.Place {
	return ledgertest.Do(h.World, api.ListLocations, api.ListPlacesInput{Code: code}).Items
}

func TestLocations_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "locations")
	d.Goldens("list")
	d.Scan("WH-3").Goldens("unknown")
	d.Key("f3").Goldens("form")
	d.Type("Quay").Key("ctrl+s").Advance(5 * time.Second).Goldens("made")
}

func TestLocations_ChoosingSetsLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "locations")
	d.Sees("You work at WH-1", "2 locations", "Main warehouse", "Depot").Key("down", "enter")
	require.Equal(t, h.Depot.ID, h.Site.Location().ID)
	require.Equal(t, "home", d.Model.Route())
	d.Do(tui.Open("locations")).Sees("You work at WH-2").Scan("WH-1")
	require.Equal(t, h.Main.ID, h.Site.Location().ID)
	d.Do(tui.Open("locations")).Scan("OAT-1L").Sees("9   Adjust").Advance(time.Second).Key("enter")
	require.Equal(t, "explain/OAT-1L@WH-1", d.Model.Route())
}

func TestLocations_UnknownCodeCreatesLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "locations")
	d.Scan("ST-7").Key("f3").Sees("ST-7").Type("Harbor shop").Key("tab", "s").Key("enter").Sees("Location ST-7 created").Key("enter")
	require.Equal(t, "ST-7", h.Site.Location().Code)
	created := byCode(h, "ST-7")
	require.Len(t, created, 1)
	require.Equal(t, "Harbor shop", created[0].Name)
	require.Equal(t, string(api.Shop), created[0].Type)
	require.Equal(t, "locations", d.Model.Route())
	d.Key("f3").Scan("VIRT").Type("In the mail").Key("tab", "v", "enter").Sees("Location VIRT created").Key("f3")
	d.Sees("Code").Lacks("In the mail")
	require.Equal(t, string(api.Virtual), byCode(h, "VIRT")[0].Type)
}

func TestNew_ShowsErrorAtField(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "locations/new")
	d.Key("ctrl+s").Sees("! required").Scan("WH-2")
	viewtest.RequireErrors(t, d, "WH-2 already exists (Depot)")
	d.Type("wh-2").Key("tab").Type("Another").Key("ctrl+s")
	viewtest.RequireErrors(t, d, "A location with code WH-2 already exists (Depot)")
	d.Sees("wh-2", "! taken").Key("ctrl+u")
	for range 41 {
		d.Type("x")
	}
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Code: ")
	require.Len(t, byCode(h, ""), 2)
}

func TestCorrect_SendsWhatDiffers(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "locations").Key("down").Key("ctrl+e").Sees("Locations › WH-2 › correct", "Depot")
	d.Scan("WH-1")
	viewtest.RequireErrors(t, d, "Nothing is scanned here.")
	d.Key("ctrl+s")
	viewtest.RequireErrors(t, d, "Nothing is different yet.")
	d.Key("ctrl+u").Type("Depot South")
	ledgertest.Do(h.World, api.ChangeLocation, api.ChangeLocationInput{LocationID: h.Depot.ID, Name: "Depot 2"})
	d.Key("ctrl+s")
	require.Contains(t, d.Model.Fault(), "location WH-2 has changed meanwhile")
	d.Advance(time.Second).Key("f4").Goldens("both")
	d.Key("tab", "s").Key("ctrl+s").Sees("WH-2 is corrected", "Depot South")
	got := byCode(h, "WH-2")[0]
	require.Equal(t, "Depot South", got.Name)
	require.Equal(t, string(api.Shop), got.Type)
	require.EqualValues(t, 3, got.Version)
}

func TestLocations_WithoutService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Proxy.Down()
	d := openAt(t, h, "locations")
	d.Sees("Press ctrl+r to refresh").Scan("WH-2")
	viewtest.RequireErrors(t, d, "cannot be reached")
	h.Proxy.Up()
	d.Key("ctrl+r").Sees("Depot")
}
