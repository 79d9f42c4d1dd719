package stock_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/stock"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// openAt starts a terminal on a screen of this package.
func openAt(t *testing.T, h *viewtest.Warehouse, route string, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	reg := tui.NewRegistry()
	stock.Register(reg, h.Site)
	return h.Terminal(t, reg, append(change, func(o *shell.Options) { o.Start = []string{"adjust", route} })...)
}

// keepDrafts lets a terminal keep its drafts where the test can find them.
func keepDrafts(drafts tui.Drafts) func(*shell.Options) {
	return func(o *shell.Options) { o.Drafts = drafts }
}

// quantitiesAt returns the recorded quantities of a product at a location.
func quantitiesAt(h *viewtest.Warehouse, p api.Product, location api.Place) api.Quantities {
	list := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: p.ID, LocationID: location.ID}})
	if len(list.Items) == 0 {
		return api.Quantities{}
	}
	return list.Items[0].Quantities
}

func TestAdjust_UntrackedItemAndUndo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Sees("Adjust › COF-500@WH-1", "remove available").Type("3").Key("enter").Sees("40 →        37", "-3")
	d.Key("enter").Sees("Reason?").Key("enter").Sees("COF-500 at WH-1: available 40 → 37, on hand 40 → 37 (lost)?")
	require.Empty(t, h.Proxy.Calls(api.AdjustStock.Spec))
	d.Key("enter").Sees("COF-500: available 40 → 37", "F8 undo: +3")
	require.Equal(t, api.Quantities{OnHand: 37, Available: 37}, quantitiesAt(h, h.Coffee, h.Main))
	d.Key("f8").Sees("COF-500 restored: ").Lacks("undo")
	require.Equal(t, int64(40), quantitiesAt(h, h.Coffee, h.Main).Available)
}

func TestAdjust_SetToZero(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Key("f3", "f3").Sees("set available").Type("40").Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No change: available is already 40")
	d.Type("0").Key("enter").Sees("40 →         0", "-40").Key("enter", "enter", "enter").Sees("available 40 → 0")
	require.Equal(t, api.Quantities{}, quantitiesAt(h, h.Coffee, h.Main))
}

func TestAdjust_SetAfterConcurrentChange(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Key("f3", "f3").Type("30").Key("enter", "enter", "enter")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Somebody changed this")
	d.Sees("45 →        30", "-15").Key("enter", "enter").Sees("available 45 → 30")
	require.Equal(t, int64(30), quantitiesAt(h, h.Coffee, h.Main).OnHand)
}

func TestAdjust_NewLotWithExpirationDate(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "adjust")
	d.Sees("Scan the product, or type its SKU").Scan("]C101" + h.OatBox + "17270331" + "10L42-A")
	d.Sees("OAT-1L@WH-1", "add available", "OAT-1L selected, 0 counted. Scan again to count.").Lacks("+12")
	d.Scan("]C101"+h.OatBox+"17270331"+"10L42-A").Sees("L42-A", "new lot", "+12")
	d.Key("enter", "enter", "enter").Sees("available 0 → 12")
	require.Equal(t, int64(12), quantitiesAt(h, h.Oat, h.Main).Available)
}

func TestAdjust_ItemTrackedByLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Sees("add available").Scan(h.OatBox).Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot")
	d.Scan("]C117270331"+"10L42-A").Sees("L42-A", "exp 2027-03-31", "new lot", "+12")
	d.Key("f4").Type("damaged").Key("enter").Sees("add damaged", "Damaged")
	d.Key("enter").Type("found").Key("enter", "enter").Sees("damaged 0 → 12")
	require.Equal(t, api.Quantities{OnHand: 12, Damaged: 12}, quantitiesAt(h, h.Oat, h.Main))
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID})
	require.Equal(t, "2027-03-31", lots.Items[0].ExpiresAt.Format(time.DateOnly))
	d.Key("f8").Sees("OAT-1L restored: ")
	require.Equal(t, api.Quantities{}, quantitiesAt(h, h.Oat, h.Main))

	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	d = openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Scan("]C1" + "10L1").Sees("24 here").Type("25").Key("enter")
	viewtest.RequireErrors(t, d, "25 is too many")
	d.Type("4").Key("enter", "enter", "enter", "enter").Sees("available 24 → 20")
	d.Key("f8").Sees("restored: ")
	require.Equal(t, int64(24), quantitiesAt(h, h.Oat, h.Main).Available)
}

func TestAdjust_SerializedItem(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	d := openAt(t, h, "adjust/CAM-1@WH-1")
	d.Scan("]C121S-1002").Sees("S-1002", "-1").Key("enter", "down", "enter", "enter").Sees("available 2 → 1")
	require.Equal(t, int64(1), quantitiesAt(h, h.Camera, h.Main).OnHand)
	d.Key("f8").Sees("A serial that was written off cannot be restored")
	d.Key("f3").Scan("]C121S-2001").Key("enter", "enter", "enter").Sees("available 1 → 2")
	require.Equal(t, int64(2), quantitiesAt(h, h.Camera, h.Main).OnHand)
}

func TestAdjust_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust", keepDrafts(drafts))
	d.Type("COF-500").Key("enter").Scan("COF-500").Type("5").Key("enter")
	d = openAt(t, h, "adjust", keepDrafts(drafts)) // restarted
	d.Sees("Adjust › COF-500@WH-1", "-5")
	h.Proxy.LoseAnswers(api.AdjustStock.Spec, 1)
	d.Key("enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "No answer")
	d = openAt(t, h, "adjust", keepDrafts(drafts)) // restarted with a booking in progress
	d.Size(100, 24).Sees("No answer yet for: adjust COF-500 by -5").Key("enter").Sees("COF-500: available 40 → 35, on hand 40 → 35", "F8 undo: +5")
	calls := h.Proxy.Calls(api.AdjustStock.Spec)
	require.Len(t, calls, 2)
	require.Equal(t, calls[0].Key, calls[1].Key)
	require.Equal(t, int64(35), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	routes := tuitest.DraftRoutes(t, drafts)
	require.Empty(t, routes)
}

func TestAdjust_NeedsScope(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	reg := tui.NewRegistry()
	site := session.NewSite(session.Options{Service: h.As(api.Live, api.InventoryRead), Location: h.Site.Location()})
	stock.Register(reg, site)
	d := h.Terminal(t, reg)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d.Scan("COF-500").Sees("COF-500@WH-1").Type("5").Key("enter").Sees("-5")
	d.Key("enter").Sees("no permission to do that (inventory:write)")
}

func TestAdjust_LocationChange(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Hold().Key("ctrl+r").Send(panel.LocationChangedMsg{Location: session.Location{ID: h.Depot.ID, Code: "WH-2"}}).Release()
	d.Sees("Adjust › COF-500@WH-1", "40")
	h.Site.SetLocation(session.Location{})
	d = openAt(t, h, "adjust/COF-500")
	d.Sees("Which location? Scan it")
	h.Site.SetLocation(h.NewSite().Location())
	d.Send(panel.LocationChangedMsg{Location: h.NewSite().Location()}).Sees("Adjust › COF-500@WH-1", "40")
}

func TestAdjust_UndoScan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "adjust/COF-500@WH-1")
	d.Scan("COF-500").Scan("COF-500").Sees("40 →        38", "-2").Key("ctrl+z").Sees("40 →        39", "-1")
}
