package shell_test

import (
	"testing"

	"bincard/tui"
)

// The header shows the environment and the location, however long the names are.
func TestHeader_ShortensLongNames(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Send(tui.StatusMsg{Company: "A very long company name that never ends Incorporated", Environment: "LIVE", Live: true,
		Location: "WH-1 Main warehouse", Operator: "Bartholomew Featherstonehaugh-Cholmondeley", Connection: "ONLINE 2s", Pending: 3})
	d.Sees("Bincard   A very", "LIVE    WH-1 Main warehouse", "Bartholomew Fea…", "ONLINE 2s ○3")
	d.Send(tui.StatusMsg{Company: "Harbour Goods", Environment: "LIVE", Location: "WH-1 Main warehouse", Operator: "Ada", Connection: "ONLINE"})
	d.Sees("Bincard   Harbour Goods  LIVE    WH-1 Main warehouse", "Ada   ONLINE")
}

// On small terminals the header names who is signed in, and keeps the end of a code.
func TestHeader_SmallNamesThePerson(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Size(40, 8).Sees("PO-1 ", " Ada ONLINE")
	d.Do(tui.Open("receive/PO-2026-437")).Send(tui.StatusMsg{Connection: "OFFLINE", Pending: 1, Operator: "Ada"})
	d.Size(20, 16).Sees("…2026-437 OFFLINE ○1")
	d.Send(tui.StatusMsg{Connection: "DAMAGE · DISK FULL", Short: "DISK", Operator: "Ada"}).Size(20, 16).Sees("DISK").Lacks("DAMAGE")
	plain, _ := openShell(t)
	plain.Size(40, 8).Lacks("Ada")
}
