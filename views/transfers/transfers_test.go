package transfers_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/transfers"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// terminal starts a terminal on the lists, with routes above them.
func terminal(t *testing.T, h *viewtest.Warehouse, routes ...string) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	transfers.Register(reg, h.Site)
	return h.Terminal(t, reg, func(o *shell.Options) { o.Start = routes })
}

func reload(h *viewtest.Warehouse, tr api.Transfer) api.Transfer {
	return ledgertest.Do(h.World, api.GetTransfer, api.TransferInput{TransferID: tr.ID})
}

// shipped plans a transfer and ships q of it.
func shipped(h *viewtest.Warehouse, reference string, p api.Product, from, to api.Place, planned, q int64) api.Transfer {
	tr := h.Transfer(reference, p, from, to, planned)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &q})
	return tr
}

// fullWarehouse returns a warehouse with stock at both locations.
func fullWarehouse(t *testing.T) *viewtest.Warehouse {
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 120, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 60, "L2")
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	h.Stock(h.Coffee.ID, h.Depot.ID, 60)
	return h
}

func TestLists_InAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := terminal(t, h, "ship")
	d.Goldens("nothing")
	shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 96, 36)
	h.Transfer("TR-312", h.Coffee, h.Main, h.Depot, 40)
	shipped(h, "TR-313", h.Coffee, h.Depot, h.Main, 20, 20)
	d.Key("ctrl+r")
	d.Goldens("ship")
	d.Size(200, 60).Sees("│ TR-311", "to       WH-2", "status   in transit", "OAT-1L").Key("down").Sees("│ TR-312", "status   not shipped").Lacks("│ TR-311")
	d = terminal(t, h, "receive-transfer")
	d.Goldens("receive-transfer")
	d.Size(200, 60).Sees("│ TR-313", "from     WH-2", "status   in transit")
}

func TestTransfer_InAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 96, 36)
	d := terminal(t, h, "ship/TR-311")
	d.Scan("]C101" + h.OatBox + "10L2")
	d.Goldens("ship")
	d.Do(tui.Replace("receive-transfer/TR-311"))
	d.Scan(h.OatBox).Scan("SOY-1L")
	d.Goldens("receive-transfer-wrong")
}

func TestShip_PartlyThenFully(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := h.Transfer("TR-311", h.Oat, h.Main, h.Depot, 96)
	d := terminal(t, h, "ship")
	d.Scan("TR-311").Scan("]C101" + h.OatBox + "10L2")
	viewtest.RequireCount(t, d, 12)
	d.Key("enter").Sees("Shipped 12: 12 of 96, 84 to go")
	require.Equal(t, int64(12), reload(h, tr).ShippedQuantity)
	lots := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpTransferOut})
	require.NotEmpty(t, lots.Items)
	d.Key("+")
	viewtest.RequireCount(t, d, 84)
	d.Type("85").Key("enter")
	viewtest.RequireErrors(t, d, "85 is too many: OAT-1L has only 84 to go")
	d.Key("enter").Sees("Shipped 84: 96 of 96, 0 to go", "This transfer is shipped (96 of 96).")
	d.Size(20, 16).Sees("all shipped")
}

func TestShip_UsesScannedLot(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Transfer("TR-311", h.Oat, h.Main, h.Depot, 96)
	d := terminal(t, h, "ship/TR-311")
	d.Scan("]C101"+h.OatBox+"10L2").Type("61").Key("enter", "enter")
	viewtest.RequireErrors(t, d, "here is 60", "61")
	d.Type("60").Key("enter", "enter").Sees("Shipped 60")
	d.Scan("]C101" + h.OatBox + "10L9").Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L has no lot L9.")
}

func TestShip_RejectsMoreThanAvailable(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := h.Transfer("TR-311", h.Coffee, h.Main, h.Depot, 500)
	d := terminal(t, h, "ship/TR-311")
	d.Key("+", "enter")
	viewtest.RequireErrors(t, d, "here is 200", "you need 500")
	viewtest.RequireCount(t, d, 500)
	d.Type("200").Key("enter", "enter").Sees("Shipped 200")
	require.Equal(t, int64(200), reload(h, tr).ShippedQuantity)
}

func TestReceive_ByScanAndNumber(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-313", h.Coffee, h.Depot, h.Main, 30, 20)
	d := terminal(t, h, "receive-transfer")
	d.Scan("COF-500").Sees("Receive TR › TR-313", "from WH-2 Depot").Scan("COF-500")
	viewtest.RequireCount(t, d, 1)
	d.Key("enter").Sees("Received 1: 1 of 20, 19 to go", "5% after this", "close short")
	d.Key("+").Sees("100% after this", "enter receive 19").Key("enter").Sees("Received 19: 20 of 20", "Nothing is in transit: 20 of 30 shipped, 20 received.")
	require.Equal(t, int64(20), reload(h, tr).ReceivedQuantity)
}

func TestSerials_ShipAndReceive(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-0001", "S-0002")
	tr := h.Transfer("TR-9", h.Camera, h.Main, h.Depot, 2)
	d := terminal(t, h, "ship/TR-9")
	d.Scan("S-0009")
	viewtest.RequireErrors(t, d, "S-0009 is unknown")
	d.Scan("S-0002").Scan("CAM-1").Scan("S-0001").Key("enter").Sees("Shipped 2")
	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2", Name: "Depot"})
	d = terminal(t, h, "receive-transfer/TR-9")
	d.Scan("S-0001").Key("enter").Sees("Received 1: 1 of 2")
	require.Equal(t, int64(1), reload(h, tr).ReceivedQuantity)
}

// A serial that is not at the source is refused when it is scanned.
func TestShip_RefusesSerialOfAnotherLocation(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 1, "", "S-0001")
	h.Receive(h.Camera.ID, h.Depot.ID, 1, "", "S-0008")
	tr := h.Transfer("TR-9", h.Camera, h.Main, h.Depot, 1)
	d := terminal(t, h, "ship/TR-9")
	d.Scan("CAM-1").Scan("S-0008")
	viewtest.RequireErrors(t, d, "Serial S-0008 of CAM-1 is recorded at WH-2")
	d.Scan("CAM-1").Scan("S-0001").Key("enter").Sees("Shipped 1")
	require.Equal(t, int64(1), reload(h, tr).ShippedQuantity)
}

func TestShip_ConcurrentCancel(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := h.Transfer("TR-311", h.Coffee, h.Main, h.Depot, 40)
	d := terminal(t, h, "ship/TR-311")
	d.Key("+")
	h.Proxy.Before(api.ShipTransfer.Spec, func() {
		ledgertest.Do(h.World, api.CancelTransfer, api.TransferInput{TransferID: tr.ID})
	})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "This transfer is already canceled")
	d.Sees("This transfer is canceled (0 of 40).")
}

func TestCancel_ReturnsStock(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Coffee, h.Main, h.Depot, 40, 40)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Key("ctrl+x").Sees("Cancel TR-311? Its stock in transit (40) goes back to WH-1.").Key("enter").Sees("TR-311 canceled")
	require.Equal(t, api.TransferCancelled, reload(h, tr).Status)
}

func TestCloseShort_WithReason(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Coffee, h.Main, h.Depot, 40, 40)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Sees("! At WH-2 Depot, but you are at WH-1: F6 to switch")
	d.Type("30").Key("enter", "enter").Sees("Record it there?").Key("enter").Sees("Received 30")
	d.Key("f5").Sees("Close TR-311 with 10 lost in transit? Reason").Type("fell off").Key("enter").Sees("Closed: 10 lost")
	got := reload(h, tr)
	require.Equal(t, api.TransferClosed, got.Status)
	require.Equal(t, "fell off", got.CloseReason)
}

func TestNew_PlansTransfer(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := terminal(t, h, "ship")
	d.Key("f3").Scan("COF-500").Type("12").Key("enter").Sees("WH-2 Depot").Key("enter").Type("TR-500").Key("enter")
	d.Sees("Ship › TR-500", "to WH-2 Depot")
	rows := ledgertest.Do(h.World, api.ListTransfers, api.ListTransfersInput{})
	require.Len(t, rows.Items, 1)
	require.Equal(t, h.Depot.ID, rows.Items[0].DestinationLocationID)
}

func TestTransfers_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 120, "L1")
	tr := h.Transfer("TR-311", h.Oat, h.Main, h.Depot, 40)
	d := terminal(t, h, "ship")
	d.Scan("TR-311").Scan("OAT-1L").Scan("]C1010950600013435210L1").Sees("is unknown. Is it OAT-1L")
	d.Advance(time.Second).Scan("]C1010950600013435210L1")
	viewtest.RequireCount(t, d, 2)
	d.Key("enter").Sees("This service does not record lots. Clear the lot (F7), then try again.")
	require.Zero(t, reload(h, tr).ShippedQuantity)
	d.Key("enter", "f7", "backspace", "backspace", "enter", "enter", "enter").Sees("Shipped 2: 2 of 40").Lacks("close short")
	d.Key("esc").Lacks("F3 new")
	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2"})
	d = terminal(t, h, "receive-transfer")
	d.Scan("OAT-1L").Key("+", "enter").Sees("Received 2: 2 of 2")
	require.Equal(t, int64(2), reload(h, tr).ReceivedQuantity)
}

func TestReceive_Damaged(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 24, 24)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Key("f6").Sees("Location: WH-2 Depot").Lacks("you are at")
	d.Key("+", "f4").Type("2").Key("enter").Sees("of the 24 counted").Key("enter").Sees("Received 24, 2 damaged: 24 of 24")
	rows := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Oat.ID, LocationID: h.Depot.ID}})
	require.Equal(t, int64(2), rows.Items[0].Damaged)
	require.Equal(t, int64(22), rows.Items[0].Available)
}

func TestShip_AsksAboutEmptyShelf(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
	d := terminal(t, h, "ship/TR-1")
	d.Type("4").Key("enter", "enter").Sees("Shipped 4").Lacks("Is the shelf empty")
	d.Key("+", "enter").Sees("The ledger shows no COF-500 left at WH-1. Is the shelf empty?")
	d.Advance(time.Second).Key("n").Sees("How many COF-500 are left at WH-1?").Type("3").Key("enter").Sees("Corrected: 3 of COF-500")
	rows := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Coffee.ID, LocationID: h.Main.ID}})
	require.Equal(t, int64(3), rows.Items[0].OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 1)
}

func TestShip_CountingShelfKeepsCount(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 8)
	d := terminal(t, h, "ship/TR-1")
	d.Type("5").Key("enter", "-").Sees("The ledger shows 10 of COF-500 at WH-1").Key("esc")
	viewtest.RequireCount(t, d, 5)
	d.Key("-").Type("x").Key("enter").Sees("not a quantity").Key("backspace").Type("5").Key("enter").Sees("Corrected: 5 of COF-500")
	viewtest.RequireCount(t, d, 5)
	d.Key("enter").Sees("Shipped 5", "Is the shelf empty?").Advance(time.Second).Key("enter")
	require.Empty(t, d.Model.Dialog())
	h.Proxy.Down()
	d.Key("-").Sees("cannot be reached")
}

func TestReceive_OtherLotThanShipped(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 24, 24)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Key("f6").Scan("]C1"+"10L2").Key("+", "enter").Sees("Lot L1 is in transit, not L2. Check the label, or clear the lot (F7) to")
	require.Zero(t, reload(h, tr).ReceivedQuantity)
	d.Key("enter", "f7", "backspace", "backspace", "enter", "enter", "enter").Sees("Received 24: 24 of 24")
}

func TestReceive_DamagedOfScannedLot(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 130, 130)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Key("f6").Scan("]C1"+"10L2").Type("6").Key("enter", "f4").Type("2").Key("enter", "enter").Sees("Received 6, 2 damaged: 6 of 130")
	require.EqualValues(t, 6, reload(h, tr).ReceivedQuantity)
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID, LotCode: "L2"}).Items
	for _, held := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lots[0].ID}).Holdings {
		if held.LocationID == h.Depot.ID {
			require.Equal(t, []int64{6, 2}, []int64{held.OnHand, held.Damaged})
		}
	}
}
