package transfers_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

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
	d.Scan("SOY-1L").Type("6").Key("enter").Sees("SOY-1L is counted. Next: COF-500, 10 to go").Key("+").Sees("enter ship 16")
	d.Key("enter").Sees("Shipped 16 of 2 products: complete", "This transfer is shipped (16 of 16).")
	require.Equal(t, []int64{10, 6}, []int64{reload(h, coffee).ShippedQuantity, reload(h, soy).ShippedQuantity})
	require.Len(t, h.Proxy.Calls(api.ShipTransfer.Spec), 2)
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
	d.Scan("COF-500").Type("10").Key("enter", "f4").Type("1").Key("enter").Sees("COF-500 is counted. Next: SOY-1L")
	d.Key("f5").Sees("Close TR-8 SOY-1L with 6 lost in transit? Reason").Type("fell off").Key("enter").Sees("Closed: 6 lost", "6 missing")
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
	d.Key("up", "up", "+").Key("f10").Sees("Close 2 lines of TR-8 with 10 lost in transit and 5 not shipped? Reason").Type("truck").Key("enter")
	d.Sees("TR-8: 2 lines closed, 10 lost, 5 not shipped")
	viewtest.RequireCount(t, d, 10)
	require.Equal(t, api.TransferInTransit, reload(h, coffee).Status)
	for _, x := range []api.Transfer{soy, more} {
		require.Equal(t, api.TransferClosed, reload(h, x).Status)
		require.Equal(t, "truck", reload(h, x).CloseReason)
	}
	require.Len(t, h.Proxy.Calls(api.CloseTransfer.Spec), 2)
	d.Key("f10").Sees("Something is counted of every open line").Key("enter").Sees("Received 10 of COF-500: complete")
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
	d.Key("f5").Sees("Nothing is to go on TR-7 COF-500").Key("f10").Sees("Close 1 line of TR-7 with 0 lost in transit and 6 not shipped? Reason")
}
