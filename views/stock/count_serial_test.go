package stock_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// statusOf returns the status and the location of a camera.
func statusOf(t *testing.T, h *viewtest.Warehouse, number string) (api.SerialStatus, api.ID) {
	t.Helper()
	list := ledgertest.Do(h.World, api.ListSerials, api.ListSerialsInput{ProductID: h.Camera.ID, SerialNumber: number}).Items
	require.Len(t, list, 1, number)
	return list[0].Status, list[0].LocationID
}

// scattered returns a warehouse with cameras that are elsewhere: S-0001 shipped, S-0002
// written off, S-0003 at WH-2 and S-0004 in transit. S-1001 and S-1002 are at WH-1.
func scattered(t *testing.T) *viewtest.Warehouse {
	t.Helper()
	h := fullWarehouse(t)
	key := api.StockKey{ProductID: h.Camera.ID, LocationID: h.Main.ID}
	h.Receive(h.Camera.ID, h.Main.ID, 3, "", "S-0001", "S-0002", "S-0004")
	h.Receive(h.Camera.ID, h.Depot.ID, 1, "", "S-0003")
	serial := func(number string) api.SerialChoice { return api.SerialChoice{SerialNumbers: []string{number}} }
	ledgertest.Do(h.World, api.FulfillStock, api.FulfillStockInput{StockKey: key, SerialChoice: serial("S-0001")})
	ledgertest.Do(h.World, api.WriteOffStock, api.WriteOffStockInput{StockKey: key, SerialChoice: serial("S-0002"), Reason: "lost"})
	tr := h.Transfer("TR-1", h.Camera, h.Main, h.Depot, 1)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, SerialNumbers: []string{"S-0004"}})
	return h
}

func TestCount_SerialElsewhereIsAnError(t *testing.T) {
	t.Parallel()
	h := scattered(t)
	d := openAt(t, h, "count/WH-1", signIn(h))
	d.Scan("CAM-1")
	for number, text := range map[string]string{
		"S-0001": "Serial S-0001 of CAM-1 was shipped from WH-1.",
		"S-0002": "Serial S-0002 of CAM-1 was written off at WH-1.",
		"S-0003": "Serial S-0003 of CAM-1 is recorded at WH-2.",
		"S-0004": "Serial S-0004 of CAM-1 is in transit from WH-1.",
	} {
		d.Scan(number)
		viewtest.RequireErrors(t, d, text+" Nothing was counted")
		d.Scan("]C121" + number)
		require.Contains(t, d.Model.Fault(), text)
		if number == "S-0004" { // a transfer is received, not counted
			d.Lacks("F8 count")
		}
		d.Key("enter").Sees("0 of 4 counted")
	}
	d.Scan("CAM-1").Scan("S-9999")
	viewtest.RequireErrors(t, d, "Serial S-9999 of CAM-1 was never received. Nothing was counted: check the label.")
	d.Scan("CAM-1").Scan("S-0001").Key("f8").Sees("A supervisor must approve: count it as found").Key("esc").
		Sees("0 of 4 counted")
	d.Scan("S-1001").Scan("S-1002").Sees("1 of 4 counted").Key("enter").Sees("1 counted").Key("enter", "enter").
		Sees("WH-1 counted: 0 adjusted")
}

func TestCount_SupervisorAcceptsFoundSerials(t *testing.T) {
	t.Parallel()
	h, saved := scattered(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1?sku=CAM-1", signIn(h), viewtest.KeepDrafts(saved))
	d.Scan("S-1001").Scan("S-1002")
	for _, number := range []string{"S-0001", "S-0002", "S-0003"} {
		d.Scan(number).Key("f8").Scan("BADGE-9").Sees("Approved by Eve", "serial").Advance(time.Second)
	}
	d.Scan("CAM-1").Scan("S-9999").Key("f8").Scan("BADGE-9").Advance(time.Second)
	d = openAt(t, h, "count/WH-1?sku=CAM-1", signIn(h), viewtest.KeepDrafts(saved)) // restarted
	d.Key("enter").Sees("1 counted", "found S-0001 S-0002 S-0003 S-9999").Key("enter", "enter").
		Sees("CAM-1@WH-1 counted: 1 adjusted")
	require.EqualValues(t, 6, h.Quantities(h.Camera, h.Main).OnHand)
	require.Zero(t, h.Quantities(h.Camera, h.Depot).OnHand)
	for _, number := range []string{"S-0001", "S-0002", "S-0003", "S-1001", "S-9999"} {
		status, at := statusOf(t, h, number)
		require.Equal(t, api.InStock, status, number)
		require.Equal(t, h.Main.ID, at, number)
	}
	last, who := lastMovement(t, h, h.Camera)
	require.Equal(t, api.OpReconcile, last.Operation, "the trace of the count")
	require.Equal(t, "Ada", who)
	moves := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpReturnStock}).Items
	require.Equal(t, "Eve", moves[0].ApprovedBy)
	require.Empty(t, h.Verify().Faults)
	d.Scan("S-0001").Sees("1 of 1 counted")
}

// Stock that arrives after the count began is here.
func TestCount_SerialReceivedDuringTheCount(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("CAM-1").Scan("S-1001").Scan("CAM-1").Scan("S-1002")
	h.Receive(h.Camera.ID, h.Main.ID, 1, "", "S-1003")
	d.Scan("CAM-1").Scan("S-1003").Key("enter").Sees("stock was 2 when the count began, now 3").Key("f10").
		Sees("✓ matches")
}
