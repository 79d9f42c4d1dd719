package transfers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/viewtest"
)

const (
	firstPlate  = "340123450000000017"
	secondPlate = "340123450000000024"
)

// onPlate registers a plate with pieces of a product at WH-1.
func onPlate(h *viewtest.Warehouse, sscc string, p api.Product, n int64) {
	lot := ""
	if p.Tracking == api.TrackLot {
		lot = "L2"
	}
	ledgertest.Do(h.World, api.RegisterPlate, api.RegisterPlateInput{SSCC: sscc, LocationID: h.Main.ID,
		Lines: []api.PlateContent{{ProductID: p.ID, LotCode: lot, Quantity: n}}})
}

// left returns what is left on a plate, and where it is.
func left(h *viewtest.Warehouse, sscc string) (int64, string) {
	p := ledgertest.Do(h.World, api.GetPlate, api.PlateInput{SSCC: sscc})
	n, _ := p.Left()
	return n, p.Location.Code
}

func TestShip_APlateInTwoInputs(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	onPlate(h, firstPlate, h.Oat, 48)
	h.Transfer("TR-311", h.Oat, h.Main, h.Depot, 96)
	terminal(t, h, "ship/TR-311").Scan("(00)"+firstPlate).Sees("+48", "enter ship 48").Key("enter").Sees("Shipped 48")
	n, _ := left(h, firstPlate)
	require.Zero(t, n)
	tr := ledgertest.Do(h.World, api.ListTransfers, api.ListTransfersInput{}).Items[0]
	require.EqualValues(t, 48, tr.ShippedQuantity)
	last := ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{LotCode: "L2"}).Items[0].ID})
	require.EqualValues(t, 48, last.Holdings[0].Incoming+last.Holdings[1].Incoming, "of its lot, not of the first to expire")

	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2"})
	terminal(t, h, "receive-transfer/TR-311").Scan("(00)" + firstPlate).Sees("+48").Key("enter").Sees("Received 48")
	n, at := left(h, firstPlate)
	require.EqualValues(t, 48, n)
	require.Equal(t, "WH-2", at)
}

func TestShip_SeveralPlatesAndLoosePieces(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	onPlate(h, firstPlate, h.Coffee, 48)
	onPlate(h, secondPlate, h.Coffee, 24)
	h.Transfer("TR-312", h.Coffee, h.Main, h.Depot, 96)
	d := terminal(t, h, "ship/TR-312").Scan("(00)" + firstPlate).Advance(time.Second).Scan("(00)" + firstPlate)
	viewtest.RequireErrors(t, d, "Pallet "+firstPlate+" is already counted or received. Nothing was added.")
	d.Scan("(00)" + secondPlate).Scan("COF-500").Key("ctrl+z").Advance(time.Second).Scan("COF-500").Sees("enter ship 73").Key("enter").Sees("Shipped 73")
	for _, sscc := range []string{firstPlate, secondPlate} {
		n, _ := left(h, sscc)
		require.Zero(t, n, sscc)
	}
	require.EqualValues(t, 200-73, h.Quantities(h.Coffee, h.Main).OnHand)
}

func TestShip_PlateThatWasOpenedIsElsewhereOrGone(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	onPlate(h, firstPlate, h.Coffee, 48)
	take := func(n int64) {
		ledgertest.Do(h.World, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
			Quantity: &n, Metadata: api.Metadata(`{"sscc":"` + firstPlate + `"}`)})
	}
	h.Transfer("TR-312", h.Coffee, h.Main, h.Depot, 96)
	h.Transfer("TR-313", h.Coffee, h.Depot, h.Main, 50)
	elsewhere := terminal(t, h, "ship/TR-313").Scan("(00)" + firstPlate)
	viewtest.RequireErrors(t, elsewhere, "Pallet "+firstPlate+" is at WH-1: 48 of 48 left. Nothing was counted: check the label.")
	take(24)
	for _, size := range tuitest.Shapes() {
		d := terminal(t, h, "ship/TR-312").Size(size.Width, size.Height).Scan("(00)" + firstPlate)
		viewtest.RequireErrors(t, d, "Pallet "+firstPlate+" is at WH-1: 24 of 48 left. Nothing was counted: count the items.")
	}
	take(24)
	d := terminal(t, h, "ship/TR-312").Scan("(00)" + firstPlate)
	viewtest.RequireErrors(t, d, "Nothing is left on pallet "+firstPlate+": fulfill, 2026-11-20. Nothing was counted: check the label.")
	viewtest.RequireErrors(t, d.Scan("(00)"+secondPlate), "has no product. Nothing was counted")
}

// Two sites that are offline take from one plate. The second is rejected, and stock stays right.
func TestShip_PlateSplitOfflineIsRejected(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	node := viewtest.NewNode(t, h.World, viewtest.NewFaultProxy(h.Service))
	onPlate(h, firstPlate, h.Coffee, 48)
	h.Transfer("TR-312", h.Coffee, h.Main, h.Depot, 96)
	node.Sync()
	node.Disconnect()
	ledgertest.Do(h.World, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
		Quantity: new(int64(24)), Metadata: api.Metadata(`{"sscc":"` + firstPlate + `"}`)})
	h.Site = h.SiteOf(node)
	terminal(t, h, "ship/TR-312").Scan("(00)" + firstPlate).Sees("+48").Key("enter").Sees("Saved, not synced")
	node.Connect()
	work := ledgertest.Call(t, node, api.ListWork, api.ListWorkInput{}).Items
	require.Len(t, work, 1)
	require.Contains(t, work[0].Refusal.Message, "Pallet "+firstPlate+" has 24 of 48 left at WH-1, 48 requested.")
	n, _ := left(h, firstPlate)
	require.EqualValues(t, 24, n)
	require.EqualValues(t, 176, h.Quantities(h.Coffee, h.Main).OnHand)
}
