package views_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func registry(h *viewtest.Warehouse) *tui.Registry {
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{Load: func() settings.Values { return settings.Values{Operator: "Ada"} }})
	return reg
}

// routes returns all routes of a registry with their parameters filled in.
func routes(reg *tui.Registry, h *viewtest.Warehouse) []string {
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	h.Inbound("PO-2", h.Oat, 24, -time.Hour)
	h.Stock(h.Soy.ID, h.Main.ID, 20)
	h.Stock(h.Coffee.ID, h.Main.ID, 20)
	two, due := int64(2), tuitest.Noon.Add(-time.Hour)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Soy.ID, LocationID: h.Main.ID, RequestedQuantity: &two, CustomerName: "Nordic Foods", ExpectedShipAt: &due})
	tr := h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 5)
	fill := strings.NewReplacer("receive/{id}", "receive/"+in.ID.String(), "ship/{id}", "ship/"+tr.ID.String(),
		"receive-transfer/{id}", "receive-transfer/"+tr.ID.String(), "{balance}", "COF-500@WH-1", "{id}", "NONE-1")
	var out []string
	for _, e := range reg.Entries() {
		out = append(out, fill.Replace(e.Pattern))
	}
	return out
}

// dayFirst matches a date that does not begin with the year.
var dayFirst = regexp.MustCompile(`\b\d\d?[./]\d\d?[./]\d\d`)

func TestEveryScreen_FitsEverySize(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			reg := registry(h)
			for _, route := range routes(reg, h) {
				d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
				for _, s := range append(tuitest.Shapes(), tuitest.Shape{Width: 1, Height: 1}, tuitest.Shape{Width: 7, Height: 3}) {
					d.Size(s.Width, s.Height)
					tuitest.Fits(t, d.Painted(), s)
					require.NotRegexp(t, dayFirst, d.View(), route)
				}
				require.NoError(t, d.Model.Err(), route)
				require.Empty(t, d.Model.Conflicts(), "keys of %s", route)
				require.True(t, d.Model.Idle(), route)
			}
		})
	}
}

func TestScanScreens_BindNoLetters(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	for _, route := range routes(reg, h) {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
		if _, scans := d.Model.Top().(tui.Scanner); !scans {
			continue
		}
		for _, a := range d.Model.Top().Actions() {
			for _, key := range a.Keys {
				require.False(t, len(key) == 1 && (key[0] >= 'a' && key[0] <= 'z' || key[0] >= 'A' && key[0] <= 'Z'), "%s on %s", key, route)
			}
		}
	}
}

func TestEveryScreen_OpensWithoutTheService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	list := routes(reg, h)
	h.Proxy.Down()
	for _, route := range list {
		d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
		require.NoError(t, d.Model.Err(), route)
		require.NotEmpty(t, strings.TrimSpace(d.View()), route)
		d.Scan("OAT-1L").Key("enter", "esc")
		require.NoError(t, d.Model.Err(), route)
	}
}

func TestShift_ReceiveShipReceive(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-118", h.Oat, 24, time.Hour)
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2026-118").Scan("]C101" + h.OatBox + "17270331" + "10L42-A").Scan(h.OatBox).Key("enter")
	d.Sees("Received 24: 24 of 24").Key("esc")
	tr := h.Transfer("TR-1", h.Oat, h.Main, h.Depot, 12)
	d.Scan("TR-1").Scan(h.OatBox).Key("enter").Sees("Shipped 12").Key("esc")
	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2"})
	d.Scan(tr.ID.String()).Key("+", "enter").Sees("Received 12: 12 of 12").Key("esc")
	d.Scan("OAT-1L").Sees("What do you want to do with it at WH-2?", "▸ 5   Stock", "12 on hand", "9   Adjust", "0   Move").Advance(time.Second).Key("enter")
	require.Equal(t, "explain/OAT-1L@WH-2", d.Model.Route())
	d.Sees("Σ")
}
