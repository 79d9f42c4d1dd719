package stock_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/stock"
	"bincard/views/viewtest"
)

// fullWarehouse returns a warehouse with stock of every tracking at WH-1.
func fullWarehouse(t *testing.T) *viewtest.Warehouse {
	t.Helper()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 12, "L2")
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	return h
}

// lotAt returns the quantity of a lot on hand.
func lotAt(t *testing.T, h *viewtest.Warehouse, code string) int64 {
	t.Helper()
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{LotCode: code})
	require.Len(t, lots.Items, 1, code)
	var n int64
	for _, x := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lots.Items[0].ID}).Holdings {
		n += x.OnHand
	}
	return n
}

// TestCount_ShortScreenKeepsTheList covers the feed, which must not take all rows.
func TestCount_ShortScreenKeepsTheList(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count").Size(40, 8)
	d.Scan("]C101"+h.OatBox+"10L1").Sees("✓ OAT-1L selected, 0 counted\n", "▸↓OAT-1L L1").Type("5").Key("enter").
		Type("6").Key("enter").Type("7").Key("enter")
	d.Sees("✓ typed +1", "↑ COF-500", "▸↓OAT-1L L1")
}

func TestCount_BooksDifferences(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count")
	require.Equal(t, "count/WH-1", d.Model.Route())
	d.Sees("Count › WH-1", "0 of 4 counted", "COF-500", "L1", "L2", "CAM-1")
	d.Scan("COF-500").Type("38").Key("enter").Sees("-2")
	d.Scan("]C101"+h.OatBox+"10L1").Sees("OAT-1L selected, 0 counted. Scan again to count.", "1 of 4 counted")
	for range 2 {
		d.Advance(time.Second).Scan("]C101" + h.OatBox + "10L1")
	}
	d.Scan("]C101"+h.OatBox+"10L3").Sees("L3", "+12")
	d.Scan("]C1"+"10L2").Type("0").Key("enter").Sees("4 of 5 counted", "-12")
	d.Scan("]C121S-1002").Sees("is not")
	d.Key("enter").Scan("CAM-1").Scan("S-1002").Scan("CAM-1").Scan("S-2001").Key("f8").
		Sees("5 of 5 counted", "missing S-1001", "found S-2001")
	d.Key("enter").Sees("2 to count again   2 to adjust", "1 match", "! -2", "! -12 again", "! +12 again",
		"other serials", "✓ matches")
	require.Equal(t, int64(40), h.Quantities(h.Coffee, h.Main).OnHand)
	d.Key("enter").Sees("Large differences without a second count: 2. Reason?").Type("checked").Key("enter")
	d.Sees("Adjust WH-1 to match the count? Differences: 4.").Key("enter").
		Sees("WH-1 counted: 4 adjusted", "0 of 4 counted").Lacks("not counted")
	require.Equal(t, int64(38), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(36), h.Quantities(h.Oat, h.Main).OnHand)
	require.Equal(t, []int64{24, 0, 12}, []int64{lotAt(t, h, "L1"), lotAt(t, h, "L2"), lotAt(t, h, "L3")})
	require.Equal(t, int64(2), h.Quantities(h.Camera, h.Main).OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 4) // of a lot, and of each product
}

func TestCount_BlindHidesExpected(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Sees("40").Key("f4").Sees("blind", "?").Lacks("40", "24").Scan("COF-500").Advance(time.Second).Scan("COF-500").
		Lacks("-39")
	d.Scan("SOY-1L").Advance(time.Second).Scan("SOY-1L").Sees("2 of 5 counted").Key("enter").
		Sees("40", "! -39", "! +1", "○ not counted")
	d = openAt(t, h, "count/WH-1")
	d.Scan("SOY-1L").Sees("SOY-1L (Soy drink 1 l) is not expected here.", "Scan it again to confirm")
	d.Advance(time.Second).Scan("SOY-1L").Sees("0 of 5 counted", "SOY-1L selected, 0 counted")
	d.Advance(time.Second).Scan("SOY-1L").Sees("1 of 5 counted")
}

func TestCount_Offline(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	node := viewtest.NewNode(t, h.World, viewtest.NewFaultProxy(h.Service))
	node.Disconnect()
	h.Site = h.SiteOf(node)
	d := openAt(t, h, "count/WH-1").Scan("COF-500").Type("38").Key("enter", "enter", "enter", "enter")
	d.Sees("Saved, not synced. WH-1 counted: 1 adjusted. Lines not counted: 3")
	require.Equal(t, int64(40), h.Quantities(h.Coffee, h.Main).OnHand)
	node.Connect()
	require.Equal(t, int64(38), h.Quantities(h.Coffee, h.Main).OnHand)
}

func TestCount_EmptyLocation(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Key("f5").Sees("Set 4 uncounted at WH-1 to zero?").Key("enter").Sees("3 to count again", "1 to adjust").
		Key("enter").Type("moved out").Key("enter", "enter")
	d.Sees("WH-1 counted: 4 adjusted")
	require.Zero(t, h.Quantities(h.Coffee, h.Main).OnHand+h.Quantities(h.Oat, h.Main).
		OnHand+h.Quantities(h.Camera, h.Main).OnHand)
	d = openAt(t, h, "count/WH-2")
	d.Sees("No stock is recorded here.").Key("enter").Sees("Nothing is counted yet")
	d.Key("enter").Type("3").Key("enter").Sees("No product is selected").Key("enter")
	d.Scan("COF-500").Sees("is not expected here", "Scan it again to confirm")
	d.Advance(time.Second).Scan("COF-500").Sees("0 of 1 counted").Type("7").Key("enter", "enter").Sees("1 to adjust").
		Key("enter", "enter")
	d.Sees("WH-2 counted: 1 adjusted")
}

func TestCount_StockChangedMeanwhile(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter").Sees("~ stock changed", "stock was 40 when the count began, now 45",
		"Recount (F3) or keep the count (F10).")
	d.Key("enter").Sees("1 changed during the count: recount (F3)")
	d.Key("f10").Sees("! -7").Key("enter")
	h.Proxy.Before(api.ReconcileStock.Spec, func() { h.Stock(h.Coffee.ID, h.Main.ID, 1) })
	d.Key("enter").Sees("0 adjusted, 1 rejected. Review them.", "~ stock changed",
		"stock was 45 when the count began, now 46")
	require.Equal(t, int64(46), h.Quantities(h.Coffee, h.Main).OnHand)
	d.Key("f3").Sees("Recount COF-500", "0 of 4 counted").Type("46").Key("enter", "enter").Sees("✓ matches", "finish").
		Key("enter").Sees("WH-1 counted: 0 adjusted")
}

func TestCount_RestoresDraft(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts))
	d.Key("f4").Scan("COF-500").Scan("COF-500").Scan("]C101" + h.OatBox + "10L3").Scan("]C101" + h.OatBox + "10L3")
	d.Scan("SOY-1L").Scan("SOY-1L")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d = openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts)) // restarted
	d.Sees("blind", "3 of 6 counted", "SOY-1L", "L3").Type("3").Key("enter").Key("enter").
		Sees("stock was 40 when the count began, now 45").Key("f10")
	d = openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts)) // restarted
	d.Sees("2 to count again   1 to adjust", "3 not counted", "45         1", "! -44").Key("esc").Sees("blind").
		Lacks("45")
}

func TestCount_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts))
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C1" + "10L2")
	d.Scan("]C101" + h.OatBox + "10L2").Type("11").Key("enter").Key("enter").Sees("2 to adjust")
	h.Proxy.LoseAnswers(api.ReconcileStock.Spec, 1)
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No answer", "recorded only once")
	d = openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts)) // restarted
	d.Sees("No answer yet. Press enter to retry.").Scan("COF-500")
	viewtest.RequireErrors(t, d, "The count is being recorded")
	d.Key("enter").Sees("WH-1 counted: 2 adjusted")
	calls := h.Proxy.Calls(api.ReconcileStock.Spec)
	require.Len(t, calls, 3)
	require.Equal(t, calls[0].Key, calls[1].Key)
	require.Equal(t, int64(38), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(11), lotAt(t, h, "L2"))
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

// TestCount_OpensEarlierDraft opens a draft of an earlier version, whose first write has no answer.
func TestCount_OpensEarlierDraft(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	raw, err := os.ReadFile("testdata/drafts/count.json")
	require.NoError(t, err)
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items
	slices.SortFunc(lots, func(a, b api.Lot) int { return strings.Compare(a.LotCode, b.LotCode) })
	data := strings.NewReplacer("{COFFEE}", h.Coffee.ID.String(), "{CAMERA}", h.Camera.ID.String(),
		"{OAT}", h.Oat.ID.String(), "{LOT-1}", lots[0].ID.String(), "{LOT-2}", lots[1].ID.String(),
		"{MAIN}", h.Main.ID.String()).Replace(string(raw))
	require.NoError(t, drafts.Save(tui.Draft{Route: "count/WH-1", Data: []byte(data)}))

	d := openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts))
	d.Sees("No answer yet. Press enter to retry.", "found S-2001", "20").Key("enter").Sees("WH-1 counted: 2 adjusted")
	calls := h.Proxy.Calls(api.ReconcileStock.Spec)
	require.Len(t, calls, 1)
	require.Contains(t, data, calls[0].Key)
	require.Equal(t, int64(20), h.Quantities(h.Coffee, h.Main).OnHand)
	serials := ledgertest.Do(h.World, api.ListSerials, api.ListSerialsInput{ProductID: h.Camera.ID}).Items
	status := map[string]api.SerialStatus{}
	for _, s := range serials {
		status[s.SerialNumber] = s.Status
	}
	require.Equal(t, map[string]api.SerialStatus{
		"S-1001": api.WrittenOff,
		"S-1002": api.InStock,
		"S-2001": api.InStock,
	}, status)
}

func TestCount_RestoredWhileStockCannotBeRead(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts)).Scan("COF-500").Type("38").Key("enter").Key("esc")
	require.NotEmpty(t, tuitest.DraftRoutes(t, drafts))

	h.Proxy.Fail(api.ListBalances.Spec, viewtest.ErrUnreachable, nil)
	d := openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts))
	require.Empty(t, d.Model.Fault())
	d.Sees("The service cannot be reached")
	h.Proxy.Fail(api.ListBalances.Spec, nil, nil)
	d.Key("enter").Sees("38")
}

func TestCount_ShowsRejection(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	q := int64(40)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID,
		RequestedQuantity: &q})
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C101"+h.OatBox+"10L2").Scan("]C101"+h.OatBox+"10L2").Key("enter").
		Sees("1 to adjust", "1 match")
	d.Key("enter", "enter").Sees("0 adjusted, 1 rejected", "! rejected",
		"Only 0 can be removed; order OUT-",
		"Recount what was rejected (F3), or press enter to finish.")
	d.Size(20, 16).Sees("Only 0 can be").Size(80, 24)
	d.Key("enter").Sees("Finish with 1 rejected?").Key("esc").Key("f10").Sees("1 to adjust")
	d.Key("enter", "enter").Sees("0 adjusted, 1 rejected").Key("enter", "enter").
		Sees("WH-1 counted: 0 adjusted, 1 rejected", "0 of 4 counted")
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 2)
}

func TestCount_ResultSumsAllRounds(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	q := int64(24)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Oat.ID, LocationID: h.Main.ID,
		RequestedQuantity: &q})
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C1" + "10L1").Scan("]C101" + h.OatBox + "10L1").Type("3").
		Key("enter")
	d.Key("enter").Sees("1 to count again   1 to adjust").Key("enter").Type("checked").Key("enter", "enter").
		Sees("1 adjusted, 1 rejected")
	d.Key("f3").Sees("Recount OAT-1L L1").Type("24").Key("enter", "enter").
		Sees("No differences. Press enter to finish.")
	d.Key("enter").Sees("WH-1 counted: 1 adjusted. Lines not counted: 2")
}

// F8 leaves a product uncounted whether or not the message that offers it is acknowledged first.
func TestCount_LeaveUncountedNeverDiscards(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C1" + "10L1").Type("3").Key("enter")
	d.Scan("CAM-1").Key("enter").Sees("F8 leave it uncounted")
	d.Key("enter", "f8").Sees("2 not counted", "post 2 differences").Key("f8", "esc", "f8").
		Lacks("Discard").Sees("2 of 4 counted")
	d.Key("ctrl+x").Sees("Discard the count and start over? Counted lines: 2").Key("esc").Sees("2 of 4 counted")
}

func TestCount_OneProduct(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1?sku=OAT-1L")
	d.Sees("Count › OAT-1L@WH-1", "0 of 2 counted").Lacks("COF-500").Scan("OAT-1L")
	require.Contains(t, d.Model.Fault(), "OAT-1L has 2 lots here, and this label has none.")
	d.Key("f7").Sees("Which lot of OAT-1L?", "L1", "L2", "another lot").Key("down", "enter").Sees("1 of 2 counted").
		Scan(h.OatBox).Sees("13")
	d.Key("f4").Sees("F4 show expected", "F5 set rest to 0").Key("f5").
		Sees("Set the uncounted lot of OAT-1L at WH-1 to zero?").Key("esc")
	d.Key("enter").Size(20, 16).Sees("L1", "L2").Size(40, 8).Sees("L1", "L2").Size(80, 24)
	d.Key("enter").Sees("Adjust OAT-1L at WH-1 to match the count?")
}

func TestCount_MinimalServiceAdjusts(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter", "enter", "enter", "enter").Sees("WH-1 counted: 1 adjusted")
	require.Equal(t, int64(38), h.Quantities(h.Coffee, h.Main).OnHand)
}

func TestCount_AsksForLocation(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Site.SetLocation(session.Location{})
	d := openAt(t, h, "count")
	d.Sees("Which location? Scan it").Scan("NO-1")
	viewtest.RequireErrors(t, d, "There is no location NO-1")
	d.Scan("WH-2")
	require.Equal(t, "count/WH-2", d.Model.Route())
}

// A found serial is received with the lot on its label.
func TestCount_FoundSerialKeepsItsLot(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("CAM-1").Scan("S-1001").Scan("CAM-1").Scan("S-1002").Scan("CAM-1").Scan("]C110M7\x1d21S-2001").
		Key("f8", "enter").Sees("found S-2001").Key("enter", "enter")
	require.EqualValues(t, 3, h.Quantities(h.Camera, h.Main).OnHand)
	require.EqualValues(t, 1, lotAt(t, h, "M7"))
}

func TestCount_FirstScanSelects(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Sees("typed").Key("ctrl+x").
		Sees("Discard the count").Key("enter").
		Sees("0 of 4 counted").Lacks("typed", "piece")
	d.Scan("COF-500").Sees("COF-500 selected, 0 counted. Scan again to count.", "0 of 4 counted")
	d.Scan("SOY-1L").Advance(time.Second).Scan("SOY-1L").Scan("SOY-1L").Sees("SOY-1L selected, 0 counted").Scan("CAM-1")
	d.Sees("CAM-1 selected, 0 counted. Scan the serial number of each item.").Scan("S-1001").Sees("2 of 5 counted")
	d.Key("ctrl+z", "ctrl+z").Scan("S-1001").Sees("2 of 5 counted").Scan("CAM-1").Sees("serial?")
	d.Key("enter")
	viewtest.RequireErrors(t, d,
		"COF-500 is selected, but nothing of it is counted. Scan it again, or type how many (0 for none).")
	d.Scan("COF-500").Sees("3 of 5 counted", "-39").Key("ctrl+z").Key("enter").Key("f8").Sees("○ not counted", "! +1")
}

// A product in the route is already selected, and a restored count continues.
func TestCount_SelectsOnce(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1?sku=COF-500", viewtest.KeepDrafts(drafts))
	d.Scan("COF-500").Sees("1 of 1 counted")
	d = openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts))
	d.Scan("COF-500").Type("3").Key("enter").Scan("]C1" + "10L1")
	d = openAt(t, h, "count/WH-1", viewtest.KeepDrafts(drafts)) // restarted
	d.Scan("COF-500").Sees("-36").Scan("]C101"+h.OatBox+"10L1").Sees("2 of 4 counted", "-12")
	d.Key("enter", "f3").Sees("1 of 4 counted").Scan("COF-500").Sees("-39")
}

func TestCount_TypedCodeAndLotLabelAlone(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Advance(time.Second).Scan("COF-500").Sees("1 of 4 counted", "-39")
	d.Key("L", "1", "2", "C", "enter").Sees("That is not a quantity", "-39").Lacks("-28").Key("enter")
	d.Type("3").Key("enter").Scan("]C110L9")
	viewtest.RequireErrors(t, d, "Lot L9 is not recorded here. Scan the product first, then the lot.")
	d.Scan("]C110L1").Type("20").Key("enter").Sees("2 of 4 counted", "-37", "-4")
}

func TestCountSeveral_CollectsProducts(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", viewtest.KeepDrafts(saved))
	d.Key("f11").Sees("Count › several products at WH-1", "No product is in the list yet. Scan one.").Key("enter").
		Sees("No product is in the list yet.")
	d.Scan("COF-500").Sees("COF-500 added", "Coffee beans 500 g").Scan("COF-500").Sees("COF-500 is in the list already")
	d.Type("camera").Key("enter").Sees("CAM-1 added").Type("1 l").Key("enter").
		Sees("Which product?", "OAT-1L", "SOY-1L").Advance(time.Second).Key("down", "enter").Sees("SOY-1L added")
	d.Goldens("list")
	d.Scan("9521000000019")
	require.NotEmpty(t, d.Model.Fault())
	h.Proxy.Down()
	d.Key("enter").Scan("OAT-1L")
	viewtest.RequireErrors(t, d, "cannot be reached")
	h.Proxy.Up()
	d = openAt(t, h, "count/WH-1/several", viewtest.KeepDrafts(saved)) // restarted
	d.Sees("COF-500", "CAM-1", "SOY-1L").Key("down", "down", "f8").Lacks("SOY-1L")
	d.Key("enter").Sees("2 products@WH-1", "0 of 2 counted").Lacks("SOY-1L")
	require.Equal(t, "count/WH-1?skus=CAM-1,COF-500", d.Model.Route())
	openAt(t, h, "count/WH-1/several", viewtest.KeepDrafts(saved)).Sees("No product is in the list yet.")
}

func TestCountList_ExpectsItsProductsOnly(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, session.CountRoute("WH-1", "COF-500", "CAM-1"))
	d.Sees("Count › 2 products@WH-1", "0 of 2 counted", "COF-500", "CAM-1", "F5 set all to 0").Lacks("OAT-1L")
	d.Scan("COF-500").Sees("COF-500 selected, 0 counted").Type("38").Key("enter").Sees("1 of 2 counted", "-2")
	d.Key("f5").Sees("Set 1 uncounted at WH-1 to zero?").Key("enter").Sees("2 to adjust")
	d.Key("enter").Sees("Adjust 2 products@WH-1 to match the count? Differences: 2.").Key("enter")
	d.Sees("2 products@WH-1: 2 of 2 lines counted, 2 adjusted")
	require.Equal(t, int64(38), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Zero(t, h.Quantities(h.Camera, h.Main).OnHand)
	require.Equal(t, int64(36), h.Quantities(h.Oat, h.Main).OnHand)
}

// A product that is added has its recorded stock, also after a restart, and a product
// without stock is a line as well.
func TestCountList_AddsAProduct(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	route := session.CountRoute("WH-1", "CAM-1", "SOY-1L")
	d := openAt(t, h, route, viewtest.KeepDrafts(saved), signIn(h))
	d.Sees("blind", "0 of 2 counted").Scan("COF-500").
		Sees("COF-500 is not in this count. Add it?", "Scan it again to confirm").Key("esc").Lacks("COF-500")
	d.Scan("COF-500").Advance(time.Second).Scan("COF-500").
		Sees("COF-500 selected, 0 counted", "0 of 3 counted", "3 products@WH-1").Type("39").Key("enter")
	d.Scan("]C101"+h.OatBox+"10L2").Advance(time.Second).Scan("]C101"+h.OatBox+"10L2").
		Sees("1 of 5 counted", "OAT-1L selected").Type("12").Key("enter").Sees("2 of 5 counted")
	d = openAt(t, h, route, viewtest.KeepDrafts(saved), signIn(h)) // restarted
	d.Sees("2 of 5 counted", "4 products@WH-1", "blind")
	d.Key("f5").Sees("Set 3 uncounted at WH-1 to zero?").Key("esc").Scan("CAM-1").Scan("S-1001").Scan("CAM-1").
		Scan("S-1002")
	d.Key("enter").Sees("3 counted", "2 not counted").Key("enter", "enter").
		Sees("4 products@WH-1: 3 of 5 lines counted, 1 adjusted")
	require.Equal(t, int64(39), h.Quantities(h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(36), h.Quantities(h.Oat, h.Main).OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 2) // of COF-500, and of CAM-1, which agrees
	d.Sees("0 of 2 counted", "2 products@WH-1")
}

// The first lot of a product without stock takes the product's line.
func TestCountList_LotOfAnEmptyProduct(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	route := session.CountRoute("WH-1", "COF-500", "SOY-1L")
	d := openAt(t, h, route, viewtest.KeepDrafts(saved))
	d.Scan("SOY-1L").Sees("SOY-1L is tracked by lot, and this label has none.").Key("f7").Sees("Which lot of SOY-1L?").
		Key("down", "enter").Sees("Lot of SOY-1L").Type("S9").Key("enter").Type("4").Key("enter").
		Sees("1 of 2 counted", "S9", "+4")
	d = openAt(t, h, route, viewtest.KeepDrafts(saved)) // restarted
	d.Sees("1 of 2 counted", "S9").Scan("COF-500").Type("40").Key("enter", "enter").Sees("1 to adjust", "1 matches").
		Lacks("not counted")
	d.Key("enter", "enter").Sees("2 products@WH-1: 2 of 2 lines counted, 1 adjusted")
	require.Equal(t, int64(4), lotAt(t, h, "S9"))
}

func TestCountList_Bounds(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	reg := tui.NewRegistry()
	stock.Register(reg, h.Site)
	skus := make([]string, session.MaxCountProducts+1)
	for i := range skus {
		skus[i] = fmt.Sprintf("P-%d", i)
	}
	for route, problem := range map[string]string{
		"count/WH-1?skus=":                  "has no products",
		session.CountRoute("WH-1", skus...): "This list has 201 products. Count at most 200 at once.",
	} {
		entry, parsed, err := reg.Find(route)
		require.NoError(t, err)
		_, err = entry.Factory(tui.Env{Route: parsed})
		require.ErrorContains(t, err, problem)
	}
	openAt(t, h, session.CountRoute("WH-1", skus[1:]...)).Sees("There is no product P-")
	openAt(t, h, session.CountRoute("WH-1", "COF-500", "NO-SUCH")).Sees("There is no product NO-SUCH", "enter retry")
}

func TestCountListInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, session.CountRoute("WH-1", "COF-500", "CAM-1", "SOY-1L"))
	d.Scan("COF-500").Type("38").Key("enter")
	d.Goldens("open")
	d.Scan("OAT-1L").Goldens("add")
	d.Key("esc", "enter").Goldens("review")
	d.Key("enter", "enter").Advance(5 * time.Second).Goldens("done")
}

// Another product that is found during the count of one product has its recorded stock.
func TestCountOfOneProduct_AddsAnother(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1?sku=SOY-1L", signIn(h))
	d.Scan("COF-500").Sees("COF-500 is not in this count. Add it?").Advance(time.Second).Scan("COF-500")
	d.Type("39").Key("enter").Sees("1 of 2 counted").Key("enter", "enter", "enter").Sees("1 adjusted")
	require.EqualValues(t, 39, h.Quantities(h.Coffee, h.Main).OnHand)
}

// A product that was found beside the recorded ones stays selected when the count is continued.
func TestCount_ContinuesOnTheSameLine(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	h.Product("AAA-1", api.TrackNone)
	d := openAt(t, h, "count", viewtest.KeepDrafts(drafts)).Scan("AAA-1").Sees("AAA-1")
	d.Advance(time.Second).Scan("AAA-1").Advance(time.Second).Scan("AAA-1").Sees("1 of 5 counted", "▸ AAA-1")
	openAt(t, h, "count", viewtest.KeepDrafts(drafts)).Sees("▸ AAA-1").Type("7").Key("enter").Sees("1 of 5 counted")
}

// The line that is counted stays selected when a review puts the lines in another order.
func TestCount_StaysOnItsLineOverAReview(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("]C1"+"10L1").Type("23").Key("enter").Sees("1 of 4 counted", "▸ OAT-1L", "-1").Key("enter").Sees("1 to adjust", "3 not counted")
	d.Key("esc").Sees("▸ OAT-1L").Type("22").Key("enter").Sees("1 of 4 counted", "-2")
}

// A product that was scanned and not counted can be counted as soon as a message has named it.
func TestCount_TakesANumberForTheUncountedProduct(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Scan("]C1" + "10L1").Type("23").Key("enter").Key("enter")
	viewtest.RequireErrors(t, d, "COF-500 is selected, but nothing of it is counted. Scan it again, or type how many (0 for none).")
	d.Type("38").Key("enter").Sees("2 of 4 counted", "-2").Lacks("Ignored")
}
