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
