package item_test

import (
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

// openAt starts a terminal with all screens on a route above home.
func openAt(t *testing.T, h *viewtest.Warehouse, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	views.Register(reg, h.Site, settings.Hooks{})
	return h.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"home", route} })...)
}

// order creates an order at WH-1, due after the given time.
func order(h *viewtest.Warehouse, reference string, due time.Duration, lines ...api.OutboundLineInput) api.Outbound {
	at := tuitest.Noon.Add(due)
	return ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Lines: lines, CustomerName: "Café Lumen",
		Reference: api.Reference{ReferenceType: "order", ReferenceID: reference}, ExpectedShipAt: &at}).Outbound
}

func line(p api.Product, q int64) api.OutboundLineInput {
	return api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: q}
}

// fillWarehouse adds documents of coffee, two of them late.
func fillWarehouse(h *viewtest.Warehouse) {
	h.Inbound("PO-1", h.Coffee, 120, -26*time.Hour)
	h.Inbound("PO-2", h.Coffee, 60, 3*time.Hour)
	h.Inbound("PO-3", h.Oat, 60, -3*time.Hour)
	h.Stock(h.Coffee.ID, h.Main.ID, 200)
	h.Stock(h.Coffee.ID, h.Depot.ID, 60)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 40)
	order(h, "SO-1", -50*time.Hour, line(h.Soy, 4), line(h.Coffee, 12))
}

func TestItem_ShowsExpiredApart(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	viewtest.ReceiveLot(h.World, h.Oat, h.Main, 50, "OLD", tuitest.Noon.AddDate(0, 0, -3))
	h.Receive(h.Oat.ID, h.Main.ID, 70, "NEW")
	openAt(t, h, "item/OAT-1L").Sees("120 on hand", "70 available", "50 expired")
}

// Who may count the item next, blind, does not see before what is recorded.
func TestItem_HidesStockFromWorkers(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 75)
	d := openAt(t, h, "item/COF-500", func(o *shell.Options) {
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{
			{Name: "Ada", Badge: "BADGE-1"}, {Name: "Eve", Badge: "BADGE-9", Supervisor: true}}}
	})
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Sees("COF-500", "Explain").Lacks("75")
	}
	d.Size(80, 24).Scan("BADGE-9").Scan("COF-500").Sees("75 on hand", "75 available")
	d.Scan("BADGE-1").Scan("COF-500").Sees("Explain").Lacks("75", "counted")
	ledgertest.Do(h.World, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
		CountedQuantity: new(int64(75))}, api.By("Ben"))
	d.Key("ctrl+r").Sees("counted 12:00", "by Ben").Lacks("75").Size(20, 16).Key("down", "down").SeesInOrder("counted 12:00", "by Ben").Lacks("75")
}

func TestItem_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := openAt(t, h, "home").Scan("COF-500")
	require.Equal(t, "item/COF-500", d.Model.Route())
	d.Goldens("busy")
	openAt(t, h, "item/SOY-1L").Goldens("quiet")
	openAt(t, h, "item/NONE").Goldens("unknown")
}

func TestItem_MostUrgentFirst(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := openAt(t, h, "home").Scan("COF-500")
	d.Sees("▸ 4   Fulfill       SO-1", "12 to go", "1   Receive       PO-1", "120 to go", "PO-2", "60 to go", "2   Ship TR       TR-1", "200 on hand", "188 available").Lacks("PO-3", "Receive TR")
	d.Key("3").Sees("No transfer of COF-500 is on its way to WH-1").Key("1").Sees("Which delivery?", "PO-1  120 to go", "PO-2  60 to go").Key("esc")
	d.Key("down", "enter").Sees("Receive › PO-1")
	viewtest.RequireCount(t, d, 0)
	d.Scan("COF-500")
	viewtest.RequireCount(t, d, 1)
	d.Key("esc").Sees("Draft saved: PO-1", "▸ 1   Receive       PO-1")
}

func TestItem_ListsThreeOfAJob(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, ref := range []string{"PO-1", "PO-2", "PO-3", "PO-4", "PO-5"} {
		h.Inbound(ref, h.Coffee, 12, time.Hour)
	}
	h.Inbound("PO-0", h.Oat, 12, time.Hour)
	h.Stock(h.Coffee.ID, h.Main.ID, 50)
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 40)
	d := openAt(t, h, "item/COF-500").Sees("PO-3", "       Receive       2 more", "2   Ship TR       TR-1").Lacks("PO-4")
	d.Key("down", "down", "down", "enter").Sees("Which delivery?", "PO-5  12 to go").Type("PO-4").Key("enter").Sees("Receive › PO-4")
}

func TestItem_SelectsLineOfOrder(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 50)
	h.Stock(h.Oat.ID, h.Main.ID, 50)
	order(h, "SO-1", time.Hour, line(h.Oat, 4), line(h.Coffee, 12))
	d := openAt(t, h, "home").Scan("COF-500").Key("4").Sees("Fulfill › SO-1", "▸ COF-500")
	d.Lacks("fulfill 12").Key("+").Sees("COF-500 is counted. Next: OAT-1L")
}

func TestItem_FillsInAsAnswersArrive(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := openAt(t, h, "home").Hold()
	d.Do(tui.Open("item/COF-500")).Sees("▸ 1   Receive       …", "5   Explain", "9   Adjust").Key("1").Sees("still loading")
	d.Key("9").Sees("Adjust").Key("esc").Release().Sees("▸ 4   Fulfill       SO-1").Lacks("…")
}

func TestItem_ScanOfLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 20, NewLot: api.NewLot{LotCode: "L42-A"}})
	order(h, "SO-EMPTY", -time.Hour, line(h.Oat, 100))
	d := openAt(t, h, "home").Scan("L42-A").Sees("OAT-1L  Oat milk 1 l", "▸ F7  Trace lot     L42-A", "1   Receive       PO-1", "4 to go", "SO-EMPTY (has it)", "5   Explain", "6   Lots")
	d.Size(20, 16).Sees("▸ F7 Trace lot", "4  SO-EMPTY").Size(40, 8).Sees("SO-EMPTY  ").Size(80, 24)
	d.Advance(time.Second).Key("enter").Sees("Trace › L42-A").Key("esc").Key("5").Sees("Explain › OAT-1L", "lot L42-A only").Key("esc", "esc")
	d.Scan("]C1010"+h.OatUnit+"10L42-A").Sees("SO-EMPTY (has it)", "Trace lot").Lacks("▸ F7  Trace lot")
}

func TestItem_ScanOfSerial(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Camera, 2, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 2, Serials: []api.SerialInput{{SerialNumber: "SN-1"}, {SerialNumber: "SN-2"}}})
	o := order(h, "SO-1", time.Hour, line(h.Camera, 1))
	ledgertest.Do(h.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}})
	d := openAt(t, h, "home").Scan("SN-1").Sees("CAM-1", "▸ F7  Serial        SN-1", "SO-1").Lacks("(has it)")
	d.Scan("SN-2").Sees("SN-2", "(has it)").Advance(time.Second).Key("enter").Sees("Serial › SN-2")
}

func TestItem_MinimalService(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	fillWarehouse(h)
	openAt(t, h, "home").Scan("COF-500").Sees("▸ 1   Receive       PO-1", "2   Ship TR", "5   Explain").Lacks("Fulfill", "…")
}

func TestItem_ServiceDown(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := openAt(t, h, "home").Scan("COF-500").Sees("SO-1")
	h.Proxy.Down()
	d.Key("ctrl+r").Sees("SO-1", "Not refreshed")
	openAt(t, h, "item/COF-500").Sees("The service cannot be reached", "enter to retry")
	h.Proxy.Up()
}

func TestItem_AnotherLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	d := openAt(t, h, "home").Scan("COF-500").Sees("PO-1").Key("f6", "down", "enter").Sees("at WH-2", "60 on hand").Lacks("PO-1")
	h.Site.SetLocation(session.Location{})
	d.Key("esc").Scan("COF-500").Sees("Stock")
	require.Equal(t, "stock?sku=COF-500", d.Model.Route())
}
