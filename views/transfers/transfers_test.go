package transfers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/transfers"
	"bincard/views/viewtest"
)

// terminal starts a terminal on the lists, with routes above them.
func terminal(t *testing.T, h *viewtest.Warehouse, routes ...string) *tuitest.Driver {
	t.Helper()
	return start(t, h, func(o *shell.Options) { o.Start = routes })
}

func start(t *testing.T, h *viewtest.Warehouse, change func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	transfers.Register(reg, h.Site)
	return h.Terminal(t, reg, change)
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
	viewtest.RequireErrors(t, d, "Too many: OAT-1L has only 84 to go")
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
	d.Scan("]C101" + h.OatBox + "10L9").Sees("No stock of lot L9 is free here. Check the label.")
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
	h.Receive(h.Camera.ID, h.Depot.ID, 1, "", "S-0008")
	tr := h.Transfer("TR-9", h.Camera, h.Main, h.Depot, 2)
	d := terminal(t, h, "ship/TR-9")
	d.Scan("S-0009")
	viewtest.RequireErrors(t, d, "S-0009 is unknown")
	d.Scan("CAM-1").Scan("S-0008")
	viewtest.RequireErrors(t, d, "Serial S-0008 of CAM-1 is recorded at WH-2")
	d.Scan("S-0002").Scan("CAM-1").Scan("S-0001").Key("enter").Sees("Shipped 2")
	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2", Name: "Depot"})
	d = terminal(t, h, "receive-transfer/TR-9")
	d.Scan("S-0001").Key("enter").Sees("Received 1: 1 of 2")
	require.Equal(t, int64(1), reload(h, tr).ReceivedQuantity)
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
	tr := shipped(h, "TR-311", h.Coffee, h.Main, h.Depot, 60, 40)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Sees("! At WH-2 Depot, but you are at WH-1: F6 to switch")
	d.Type("30").Key("enter", "enter").Sees("Record it there?").Key("enter").Sees("Received 30")
	d.Key("f5").Sees("Close TR-311 with 10 lost in transit and 20 not shipped? Reason").Type("fell off").Key("enter")
	d.Sees("Closed: 10 lost, 20 not shipped")
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

func TestShip_AsksAboutEmptyShelf(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
	d := terminal(t, h, "ship/TR-1")
	d.Type("4").Key("enter", "enter").Sees("Shipped 4").Lacks("Is the shelf empty")
	d.Key("+", "enter").Sees("The ledger shows no COF-500 left at WH-1. Is the shelf empty?")
	d.Advance(time.Second).Key("n").Sees("How many COF-500 are left at WH-1?").Type("3").Key("enter").Sees("Corrected: 3 of COF-500")
	require.Equal(t, int64(3), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 1)
}

func TestShip_CountingShelfKeepsCount(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 8)
	held := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines: []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 2}}}).Outbound
	d := terminal(t, h, "ship/TR-1")
	d.Type("5").Key("enter", "-").Sees("The ledger shows 10 of COF-500 at WH-1").Key("esc")
	viewtest.RequireCount(t, d, 5)
	d.Key("-").Type("1").Key("enter")
	viewtest.RequireErrors(t, d, "Only 8 can be removed; order "+names.Outbound(&held)+" holds stock. Enter 2 or more, or open the order and cancel it.")
	ledgertest.Do(h.World, api.CancelOutbound, api.OutboundInput{OutboundID: held.ID})
	d.Key("-").Type("x").Key("enter").Sees("not a quantity").Key("backspace").Type("5").Key("enter").Sees("Corrected: 5 of COF-500")
	viewtest.RequireCount(t, d, 5)
	d.Key("enter").Sees("Shipped 5", "Is the shelf empty?").Advance(time.Second).Key("enter")
	require.Empty(t, d.Model.Dialog())
	h.Proxy.Down()
	d.Key("-").Sees("cannot be reached")
}

func TestShip_CountingShelfIsBlindForWorkers(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 8)
	d := start(t, h, func(o *shell.Options) {
		o.Start = []string{"ship/TR-1"}
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "BADGE-1",
			Permissions: tui.Permissions{tui.MayCount: {Pieces: 1}}}, {Name: "Eve", Badge: "BADGE-9", Supervisor: true}}}
	})
	d.Key("-").Sees("How many COF-500 are at WH-1, including those counted?").Lacks("The ledger shows").Type("9").Key("enter").
		Sees("Corrected: 9 of COF-500")
	d.Key("-").Type("12").Key("enter").Sees("A supervisor must approve", "count 12 of COF-500 at WH-1").Lacks("shows", "9 of").
		Scan("BADGE-9").Sees("Approved by Eve").Advance(time.Second).
		Sees("The ledger shows 9 of COF-500 at WH-1, and 12 are counted. Record the count?").Key("enter").
		Sees("Corrected: 12 of COF-500")
	last := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items[0]
	require.Equal(t, []string{"Ada", "Eve"}, []string{last.Operator, last.ApprovedBy})
}

// A large difference needs a supervisor, as in a count: nobody counts the shelf again.
func TestShip_LargeDifferenceOfTheShelfNeedsASupervisor(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 10)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 8)
	d := start(t, h, func(o *shell.Options) {
		o.Start = []string{"ship/TR-1"}
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "BADGE-1",
			Permissions: tui.Permissions{tui.MayCount: {Unlimited: true}}}, {Name: "Eve", Badge: "BADGE-9", Supervisor: true}}}
	})
	d.Key("-").Type("30").Key("enter").Sees("A supervisor must approve", "count 30 of COF-500 at WH-1").Lacks("Corrected").
		Scan("BADGE-9").Advance(time.Second).Key("enter").Sees("Corrected: 30 of COF-500")
}

func TestReceive_OtherLotThanShipped(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 24, 24)
	d := terminal(t, h, "receive-transfer/TR-311")
	other := "Lot L1 is in transit, not L2. Press F8 to count the right label, or clear the lot (F7) to receive what was shipped."
	d.Key("f6").Scan("]C1"+"10L2").Key("+", "enter").Sees("F8 count again")
	viewtest.RequireErrors(t, d, other)
	d.Scan("]C1" + "10L1").Key("f8").Sees("F8 count again").Advance(time.Second).Key("f8")
	viewtest.RequireCount(t, d, 0)
	d.Scan("]C1"+"10L1").Type("4").Key("enter", "enter").Sees("Received 4: 4 of 24")
	d.Scan("]C1"+"10L9").Type("5").Key("enter", "enter").Sees("OAT-1L has no lot L9", "F8 count again").Advance(time.Second).Key("f8")
	viewtest.RequireCount(t, d, 0)
	require.EqualValues(t, 4, reload(h, tr).ReceivedQuantity)
	d.Scan("]C1"+"10L2").Key("+", "enter", "enter", "f7", "backspace", "backspace", "enter", "enter", "enter").Sees("Received 20: 24 of 24")
}

func TestReceive_DamagedOfScannedLot(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := shipped(h, "TR-311", h.Oat, h.Main, h.Depot, 130, 130)
	d := terminal(t, h, "receive-transfer/TR-311")
	d.Key("f6").Sees("Location: WH-2 Depot").Lacks("you are at")
	d.Scan("]C1"+"10L2").Type("6").Key("enter", "f4").Type("2").Key("enter", "enter").Sees("of the 6 counted")
	d.Key("enter").Sees("Received 6, 2 damaged: 6 of 130")
	require.EqualValues(t, 6, reload(h, tr).ReceivedQuantity)
	rows := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Equal(t, "damaged in transit: broken", rows[0].Reason)
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID, LotCode: "L2"}).Items
	for _, held := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lots[0].ID}).Holdings {
		if held.LocationID == h.Depot.ID {
			require.Equal(t, []int64{6, 2}, []int64{held.OnHand, held.Damaged})
		}
	}
}

// twoLines plans TR-7 from WH-1 to WH-2, of coffee and of a product by lot.
func twoLines(h *viewtest.Warehouse) (coffee, soy api.Transfer) {
	coffee = h.Transfer("TR-7", h.Coffee, h.Main, h.Depot, 10)
	h.Clock.Advance(time.Millisecond)
	soy = h.Transfer("TR-7", h.Soy, h.Main, h.Depot, 6)
	return coffee, soy
}

func TestDelivery_ShipsEveryLineAtOnce(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Soy.ID, h.Main.ID, 60, "S1")
	coffee, soy := twoLines(h)
	h.Transfer("TR-7", h.Coffee, h.Depot, h.Main, 3) // the way back is another delivery
	d := terminal(t, h, "ship")
	d.Sees("TR-7", "2 lines to go", "16").Key("enter").Sees("Ship › TR-7", "Coffee beans 500 g", "Soy drink 1 l")
	d.Sees("▸ COF-500").Key("down").Sees("▸ SOY-1L").Key("up").Sees("▸ COF-500")
	d.Scan("SOY-1L").Type("6").Key("enter").Sees("SOY-1L is counted. Next: COF-500, 10 to go").Advance(time.Second).Key("+").Sees("enter ship 16")
	d.Key("enter").Sees("Shipped 16 (2 products): complete", "This transfer is shipped (16 of 16).")
	require.Equal(t, []int64{10, 6}, []int64{reload(h, coffee).ShippedQuantity, reload(h, soy).ShippedQuantity})
	require.Len(t, h.Proxy.Calls(api.ShipTransfer.Spec), 2)
}

func TestDelivery_ReceivesEveryLineAtOnce(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Oat.ID, h.Depot.ID, 6, "L1")
	shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 10, 10)
	h.Clock.Advance(time.Millisecond)
	shipped(h, "TR-8", h.Oat, h.Depot, h.Main, 6, 6)
	d := terminal(t, h, "receive-transfer/TR-8")
	d.Scan("COF-500").Type("10").Key("enter").Scan("OAT-1L").Type("6").Key("enter", "enter").Sees("Received 16 (2 products): complete")
}

// Keys that bounce, and a number for the line before, count nothing on the next line.
func TestDelivery_CountsNothingOnALineThatWasNotChosen(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Soy.ID, h.Main.ID, 60, "S1")
	twoLines(h)
	h.Receive(h.Soy.ID, h.Depot.ID, 6, "S1")
	shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 10, 10)
	h.Clock.Advance(time.Millisecond)
	shipped(h, "TR-8", h.Soy, h.Depot, h.Main, 6, 6)
	for _, route := range []string{"ship/TR-7", "receive-transfer/TR-8"} {
		d := terminal(t, h, route).Scan("COF-500").Key("+").Sees("COF-500 is counted. Next: SOY-1L, 6 to go")
		d.Key("+", "6", "enter", "f5").Sees("Ignored: SOY-1L is next").Lacks("Reason")
		viewtest.RequireCount(t, d, 0)
		d.Key("down").Type("6").Key("enter")
		viewtest.RequireCount(t, d, 6)
	}
}

// TestDelivery_LocationAfterTheLastLine covers the way to the other end of a transfer.
func TestDelivery_LocationAfterTheLastLine(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Transfer("TR-8", h.Coffee, h.Main, h.Depot, 10)
	d := terminal(t, h, "ship").Key("enter", "+").Scan("WH-2").Sees("F6 work at WH-2")
	d.Key("enter", "enter").Sees("This transfer is shipped (10 of 10).")
	d.Scan("WH-2").Sees("Location: WH-2", "WH-2 Depot").Scan("TR-8").Sees("Receive TR › TR-8")
}

func TestDelivery_ReceivesAndClosesLines(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Soy.ID, h.Depot.ID, 6, "S1")
	coffee := shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 10, 10)
	h.Clock.Advance(time.Millisecond)
	soy := shipped(h, "TR-8", h.Soy, h.Depot, h.Main, 6, 6)
	d := terminal(t, h, "receive-transfer/TR-8")
	d.Scan("COF-500").Type("10").Key("enter", "f4").Type("1").Key("enter", "enter").Sees("COF-500 is counted. Next: SOY-1L")
	d.Advance(time.Second).Key("f5").Sees("Close TR-8 SOY-1L with 6 lost in transit? Reason").Type("fell off").Key("enter").Sees("Closed: 6 lost", "6 missing")
	viewtest.RequireCount(t, d, 10)
	d.Key("enter").Sees("Received 10 of COF-500, 1 damaged: complete", "This transfer is complete (10 of 16).")
	require.Equal(t, api.TransferReceived, reload(h, coffee).Status)
	require.Equal(t, api.TransferClosed, reload(h, soy).Status)
}

func TestDelivery_OffersNextOne(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 5)
	h.Clock.Advance(time.Millisecond)
	h.Receive(h.Soy.ID, h.Main.ID, 60, "S1")
	twoLines(h)
	shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 10, 10)
	shipped(h, "TR-9", h.Coffee, h.Depot, h.Main, 10, 10)
	d := terminal(t, h, "ship", "ship/TR-1")
	d.Key("+", "enter").Sees("This transfer is shipped (5 of 5). Enter opens TR-7.").Advance(time.Second).Key("enter").Sees("Ship › TR-7", "Soy drink 1 l")
	d = terminal(t, h, "receive-transfer", "receive-transfer/TR-8")
	d.Key("+", "enter").Sees("Enter opens TR-9.").Advance(time.Second).Key("enter").Sees("Receive TR › TR-9").Key("+", "enter").Sees("Nothing else is open here.")
	d.Key("esc").Sees("No transfers are in transit to this location.")
}

func TestDelivery_ClosesAllUncountedLines(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Soy.ID, h.Depot.ID, 6, "S1")
	coffee := shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 10, 10)
	h.Clock.Advance(time.Millisecond)
	soy := shipped(h, "TR-8", h.Soy, h.Depot, h.Main, 6, 6)
	h.Clock.Advance(time.Millisecond)
	more := shipped(h, "TR-8", h.Coffee, h.Depot, h.Main, 9, 4)
	d := terminal(t, h, "receive-transfer/TR-8")
	d.Key("up", "up", "+").Advance(time.Second).Key("f10").Sees("Close 2 lines of TR-8 with 10 lost in transit and 5 not shipped? Reason").Type("truck").Key("enter")
	d.Sees("TR-8: 2 lines closed, 10 lost, 5 not shipped")
	viewtest.RequireCount(t, d, 10)
	require.Equal(t, api.TransferInTransit, reload(h, coffee).Status)
	for _, x := range []api.Transfer{soy, more} {
		require.Equal(t, api.TransferClosed, reload(h, x).Status)
		require.Equal(t, "truck", reload(h, x).CloseReason)
	}
	require.Len(t, h.Proxy.Calls(api.CloseTransfer.Spec), 2)
	d.Key("f10").Sees("Every open line has a count").Key("enter").Sees("Received 10 of COF-500: complete")
}

// A shipped transfer is closed and canceled where it is received.
func TestShip_DoesNotEndShippedTransfer(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Receive(h.Soy.ID, h.Main.ID, 60, "S1")
	shipped(h, "TR-311", h.Coffee, h.Main, h.Depot, 40, 40)
	d := terminal(t, h, "ship/TR-311")
	d.Lacks("close short", "cancel").Key("f5").Sees("This transfer is shipped (40 of 40).").Lacks("Reason")
	d.Key("ctrl+x").Lacks("Cancel TR-311?")
	twoLines(h)
	d = terminal(t, h, "ship/TR-7")
	d.Sees("close short").Key("+", "enter").Sees("1 line to go", "close short").Key("up").Lacks("close short")
	d.Key("f5").Sees("Nothing left on TR-7 COF-500").Key("f10").Sees("Close 1 line of TR-7 with 0 lost in transit and 6 not shipped? Reason")
}

func TestShip_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for lot, month := range map[string]time.Month{"E1": 3, "E2": 4} {
		viewtest.ReceiveLot(h.World, h.Oat, h.Main, 40, lot, time.Date(2027, month, 28, 0, 0, 0, 0, time.UTC))
	}
	tr := h.Transfer("TR-320", h.Oat, h.Main, h.Depot, 50)
	d := terminal(t, h, "ship", "ship/"+tr.ID.String())
	d.Sees("E1, E2", "Scan OAT-1L from lot E1, or type a quantity")
	d.Type("2").Key("enter", "f7").Type("E2").Key("enter").Sees("E1 expires earlier (2027-03-28) and is here. This is lot E2.")
	d.Advance(time.Second).Key("enter").Key("enter").Sees("Shipped 2: 2 of 50, 48 to go")
	var shipped []string
	for _, lot := range ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items {
		for _, m := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Movements {
			if m.InventoryState == api.OnHand && m.Quantity == -2 {
				shipped = append(shipped, lot.LotCode)
			}
		}
	}
	require.Equal(t, []string{"E2"}, shipped, "recorded as typed")
}

// The lot of a shipment without a scanned one is named before it leaves, or required.
func TestShip_RequiresLot(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	tr := h.Transfer("TR-320", h.Oat, h.Main, h.Depot, 24)
	terminal(t, h, "ship", "ship/"+tr.ID.String()).Key("+").Sees("All counted: press enter to ship from lot L1")
	h.RequireLot()
	d := terminal(t, h, "ship", "ship/"+tr.ID.String())
	d.Key("+").Sees("Scan the lot, or press F7 to type it").Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot. Scan or type the lot (F7), then try again.")
	require.Zero(t, reload(h, tr).ShippedQuantity)
	d.Key("f7").Type("L2").Key("enter").Sees("All counted: press enter to ship")
	d.Key("f7").Type("L").Lacks("L2L").Type("2").Key("esc")
	d.Key("f7").Scan("L2").Lacks("Expires").Sees("All counted: press enter to ship")
	d.Advance(time.Second).Key("enter").Sees("Shipped 24")
}

// A small screen names the first of several lots in full.
func TestShip_FirstLotOnASmallScreen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for lot, month := range map[string]time.Month{"LOT-0001": 3, "LOT-0002": 4, "LOT-0003": 5} {
		viewtest.ReceiveLot(h.World, h.Oat, h.Main, 20, lot, time.Date(2027, month, 28, 0, 0, 0, 0, time.UTC))
	}
	tr := h.Transfer("TR-320", h.Oat, h.Main, h.Depot, 50)
	d := terminal(t, h, "ship", "ship/"+tr.ID.String())
	d.Sees("LOT-0001, LOT-0002, LOT-0003").Size(20, 16).Sees("lot    (LOT-0001 +2)").Size(40, 8).Sees("(LOT-0001, LOT-0002, LOT-0003)")
}
