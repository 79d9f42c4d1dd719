package outbox_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/outbox"
	"bincard/views/viewtest"
)

// openList opens the list with a key that may administer, or one that may not.
func openList(t *testing.T, h *viewtest.Warehouse, scopes ...api.Scope) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	outbox.Register(reg, h.SiteOf(h.As(api.Live, scopes...)))
	return h.Terminal(t, reg, func(o *shell.Options) { o.Start, o.Now = []string{outbox.NodesRoute}, h.Clock.Now })
}

// report makes a node report to the service.
func report(h *viewtest.Warehouse, id byte, r api.NodeReport) {
	r.ID = api.ID{id}
	ledgertest.Do(h.World, api.ListChanges, api.ListChangesInput{}, api.ReportedBy(r))
}

func TestNodes_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	openList(t, h, api.Admin, api.InventoryRead).Goldens("none")
	h.Clock.Set(tuitest.Noon.Add(-3 * time.Hour))
	oldest := tuitest.Noon.Add(-26 * time.Hour)
	report(h, 1, api.NodeReport{Label: "Quay store", Kind: api.NodeEdge, Version: "1.12.0", Pending: 1204, Failed: 3, Oldest: &oldest, Locations: []string{"WH-2"}})
	h.Clock.Set(tuitest.Noon.Add(-20 * time.Second))
	report(h, 2, api.NodeReport{Label: "Harbor office", Kind: api.NodeTerminal, Version: "1.13.0"})
	report(h, 3, api.NodeReport{Label: "Depot", Kind: api.NodeEdge, Version: "1.13.0", Pending: 2, Locations: []string{"WH-1", "WH-2"}, ClockOffset: (7 * time.Minute).Milliseconds()})
	h.Clock.Set(tuitest.Noon)
	d := openList(t, h, api.Admin, api.InventoryRead)
	d.Goldens("list")
	tuitest.Golden(t, "list-40x8", d.Size(40, 8).Painted())
	d.Size(80, 24).Sees("Quay store", "3 h ago", "clock 7 min slow", "connected")
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} { // Harbor office, then Quay store
		d.Size(size[0], size[1]).Key("home", "down").Sees("Harbor office", "all locations")
		d.Key("down").Sees("Quay store", "3 failed", "1,204 pending", "oldest from")
	}
}

func TestNodes_CopiedDirectory(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Clock.Set(tuitest.Noon)
	runs := []api.ID{{1}, {2}}
	for range 2 {
		for i, label := range []string{"Depot", "Quay"} {
			report(h, 1, api.NodeReport{Label: label, Kind: api.NodeEdge, Version: "1.13.0", Session: runs[i], OtherSession: runs[1-i]})
		}
	}
	d := openList(t, h, api.Admin, api.InventoryRead)
	d.Size(80, 24).Sees("Quay", "in use twice", "Depot + Quay").Lacks("connected")
	d.Size(40, 8).Sees("copied", "Depot + Quay")
	d.Size(20, 16).Sees("in use twice")
}

func TestNodes_NeedAnAdminKey(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	openList(t, h, api.InventoryRead).Sees("Not loaded. Only administrators can list the sites.")
	minimal := viewtest.NewMinimalWarehouse(t)
	reg := tui.NewRegistry()
	outbox.Register(reg, minimal.Site)
	minimal.Terminal(t, reg, func(o *shell.Options) { o.Start = []string{outbox.NodesRoute} }).
		Sees("Only the company's service lists its sites.")
}
