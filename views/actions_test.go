package views_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// pages returns the text of every page of the current view, joined by single spaces.
func pages(d *tuitest.Driver) string {
	var out []string
	for last := ""; ; {
		view := d.View()
		if view == last {
			return words(strings.Join(out, "\n"))
		}
		out, last = append(out, view), view
		d.Key("pgdown")
	}
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// footer returns the last line at the given size.
func footer(d *tuitest.Driver, width, height int) string {
	lines := strings.Split(d.Size(width, height).View(), "\n")
	return lines[len(lines)-1]
}

// internalText matches text that was not written for people.
var internalText = regexp.MustCompile(`%!|_|[a-z][A-Z]|\bnil\b`)

// wideOnly lists the actions that only fit in a wide footer.
var wideOnly = []string{"explain.verify", "explain.order", "explain.trace", "snapshot.clear", "snapshot.sort", "movements.sort", "movements.document", "reservations.sort"}

// requireFindable requires every action of the top screen to appear in help and in
// the palette, and in the footer unless it is disabled or has NoFooter. A disabled
// action must give its reason there and when its key is pressed.
func requireFindable(t *testing.T, d *tuitest.Driver, where string) {
	t.Helper()
	wideFooter, standardFooter := footer(d, 120, 40), footer(d, 80, 24)
	actions := d.Model.Top().Actions()
	d.Key("f1")
	help := pages(d)
	d.Key("esc").Size(80, 200).Key("ctrl+p")
	palette := d.View()
	d.Key("esc").Size(80, 24)
	seen := map[string]bool{}
	for _, a := range actions {
		where := where + ": " + a.ID
		require.NotEmpty(t, a.ID, where)
		require.NotEmpty(t, a.Keys, where)
		require.False(t, seen[a.ID], "%s is there twice", where)
		seen[a.ID] = true
		require.Contains(t, help, words(cmp.Or(a.Help, widget.Capitalize(a.Label))), where)
		if a.Run != nil {
			require.Contains(t, palette, widget.Capitalize(a.Label), where)
		}
		reason := a.DisabledReason()
		if reason == "" {
			offered := func(line string) bool {
				return strings.Contains(line, a.Label) || a.Short != "" && strings.Contains(line, a.Short)
			}
			require.True(t, a.NoFooter || offered(wideFooter), "%s in %q", where, wideFooter)
			require.True(t, a.NoFooter || offered(standardFooter) || slices.Contains(wideOnly, a.ID), "%s in %q", where, standardFooter)
			continue
		}
		require.Contains(t, help, words(reason), where)
		require.GreaterOrEqual(t, len(strings.Fields(reason)), 3, "%s says %q", where, reason)
		require.LessOrEqual(t, widget.Width(reason), 77, "%s says %q: only the beginning can be read", where, reason)
		require.NotRegexp(t, internalText, reason, where)
		can := func(b tui.Action) bool { return b.DisabledReason() == "" && slices.Contains(b.Keys, a.Keys[0]) }
		if !slices.ContainsFunc(actions, can) {
			require.Equal(t, reason, d.Key(a.Keys[0]).Model.Toast(), where)
		}
	}
}

// TestEveryAction_IsFound opens every screen with data, without data, on a minimal
// service, and while the service is down.
func TestEveryAction_IsFound(t *testing.T) {
	t.Parallel()
	empty := func(_ *viewtest.Warehouse, reg *tui.Registry) (list []string) {
		for _, e := range reg.Entries() {
			if !strings.Contains(e.Pattern, "{") {
				list = append(list, e.Pattern)
			}
		}
		return list
	}
	full := func(h *viewtest.Warehouse, reg *tui.Registry) []string {
		return append(routes(reg, h), fillRoutes(h)...)
	}
	for name, c := range map[string]struct {
		open  func(testing.TB) *viewtest.Warehouse
		lists func(*viewtest.Warehouse, *tui.Registry) []string
		down  bool
	}{
		"full": {viewtest.NewWarehouse, full, false}, "minimal": {viewtest.NewMinimalWarehouse, full, false},
		"empty": {viewtest.NewWarehouse, empty, false}, "down": {viewtest.NewWarehouse, full, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := c.open(t)
			reg := registry(h)
			list := c.lists(h, reg)
			if c.down {
				h.Proxy.Down()
			}
			for _, route := range list {
				d := h.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{"home", route} })
				if d.Model.Route() == "home" && route != "home" {
					require.Equal(t, "minimal", name, "%s did not open", route)
					require.GreaterOrEqual(t, len(strings.Fields(d.Model.Fault()+d.Model.Toast())), 3, "%s does not say why it did not open", route)
					continue
				}
				requireFindable(t, d, route)
			}
		})
	}
}

// fillRoutes creates one document of each kind and returns the routes that show
// them.
func fillRoutes(h *viewtest.Warehouse) []string {
	h.Stock(h.Coffee.ID, h.Main.ID, 20)
	one := int64(6)
	out := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &one,
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}, CustomerName: "Café Lumen"}).Outbound
	many := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"},
		Lines: []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 2}, {ProductID: h.Oat.ID, RequestedQuantity: 3}}}).Outbound
	in := h.Inbound("PO-7", h.Oat, 24, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12, NewLot: api.NewLot{LotCode: "L7"}})
	lot := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items[0]
	pieces := h.Inbound("PO-77", h.Camera, 1, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: pieces.ID, Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "SN-1"}}})
	until := tuitest.Noon.Add(time.Hour)
	held := ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID}, Quantity: 2, ExpiresAt: &until})
	return []string{"receive/" + in.ID.String(), "receive/" + pieces.ID.String(), "fulfill/" + out.ID.String(), "fulfill/" + many.ID.String(), "trace/" + lot.ID.String(), "serial/SN-1",
		"reservations/" + held.Reservation.ID.String(), "products/COF-500", "explain/OAT-1L@WH-1", "adjust/COF-500@WH-1", "move/COF-500@WH-1", "count/WH-1"}
}
