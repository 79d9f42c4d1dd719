package stock_test

import (
	"bincard/tui/tuitest"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
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
	d.Scan("]C101"+h.OatBox+"10L1").Sees("✓ OAT-1L selected, 0 counted\n", "▸↓OAT-1L L1").Type("5").Key("enter").Type("6").Key("enter").Type("7").Key("enter")
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
	d.Key("enter").Scan("CAM-1").Scan("S-1002").Scan("CAM-1").Scan("S-2001").Key("f8").Sees("5 of 5 counted", "missing S-1001", "found S-2001")
	d.Key("enter").Sees("2 to count again   2 to adjust", "1 match", "! -2", "! -12 again", "! +12 again", "other serials", "✓ matches")
	require.Equal(t, int64(40), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	d.Key("enter").Sees("Large differences without a second count: 2. Reason?").Type("checked").Key("enter")
	d.Sees("Adjust WH-1 to match the count? Differences: 4.").Key("enter").Sees("WH-1 counted: 4 adjusted", "0 of 4 counted").Lacks("not counted")
	require.Equal(t, int64(38), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(36), quantitiesAt(h, h.Oat, h.Main).OnHand)
	require.Equal(t, []int64{24, 0, 12}, []int64{lotAt(t, h, "L1"), lotAt(t, h, "L2"), lotAt(t, h, "L3")})
	require.Equal(t, int64(2), quantitiesAt(h, h.Camera, h.Main).OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 2)
}

func TestCount_BlindHidesExpected(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Sees("40").Key("f4").Sees("blind", "?").Lacks("40", "24").Scan("COF-500").Advance(time.Second).Scan("COF-500").Lacks("-39")
	d.Scan("SOY-1L").Advance(time.Second).Scan("SOY-1L").Sees("2 of 5 counted").Key("enter").Sees("40", "! -39", "! +1", "○ not counted")
	d = openAt(t, h, "count/WH-1")
	d.Scan("SOY-1L").Sees("SOY-1L (Soy drink 1 l) is not expected here.", "Scan it again to confirm")
	d.Advance(time.Second).Scan("SOY-1L").Sees("0 of 5 counted", "SOY-1L selected, 0 counted")
	d.Advance(time.Second).Scan("SOY-1L").Sees("1 of 5 counted")
}

func TestCount_EmptyLocation(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Key("f5").Sees("Set 4 uncounted at WH-1 to zero?").Key("enter").Sees("3 to count again", "1 to adjust").Key("enter").Type("moved out").Key("enter", "enter")
	d.Sees("WH-1 counted: 4 adjusted")
	require.Zero(t, quantitiesAt(h, h.Coffee, h.Main).OnHand+quantitiesAt(h, h.Oat, h.Main).OnHand+quantitiesAt(h, h.Camera, h.Main).OnHand)
	d = openAt(t, h, "count/WH-2")
	d.Sees("No stock recorded here: scan what you find").Key("enter").Sees("Nothing is counted yet")
	d.Key("enter").Type("3").Key("enter").Sees("No product is selected").Key("enter")
	d.Scan("COF-500").Sees("is not expected here", "Scan it again to confirm")
	d.Advance(time.Second).Scan("COF-500").Sees("0 of 1 counted").Type("7").Key("enter", "enter").Sees("1 to adjust").Key("enter", "enter")
	d.Sees("WH-2 counted: 1 adjusted")
}

func TestCount_TypedCodeIsNotAQuantity(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Advance(time.Second).Scan("COF-500").Sees("1 of 4 counted", "-39")
	d.Key("L", "1", "2", "C", "enter").Sees("That is not a quantity", "-39").Lacks("-28")
}

func TestCount_StockChangedMeanwhile(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter").Sees("~ stock changed", "stock was 40 when the count began, now 45", "Recount (F3) or keep the count (F10).")
	d.Key("enter").Sees("1 changed during the count: recount (F3)")
	d.Key("f10").Sees("! -7").Key("enter")
	h.Proxy.Before(api.ReconcileStock.Spec, func() { h.Stock(h.Coffee.ID, h.Main.ID, 1) })
	d.Key("enter").Sees("0 adjusted, 1 rejected. Review them.", "~ stock changed", "stock was 45 when the count began, now 46")
	require.Equal(t, int64(46), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	d.Key("f3").Sees("Recount COF-500", "0 of 4 counted").Type("46").Key("enter", "enter").Sees("✓ matches", "finish").Key("enter").Sees("WH-1 counted: 0 adjusted")
}

func TestCount_RestoresDraft(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", keepDrafts(drafts))
	d.Key("f4").Scan("COF-500").Scan("COF-500").Scan("]C101" + h.OatBox + "10L3").Scan("]C101" + h.OatBox + "10L3")
	d.Scan("SOY-1L").Scan("SOY-1L")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d = openAt(t, h, "count/WH-1", keepDrafts(drafts)) // restarted
	d.Sees("blind", "3 of 6 counted", "SOY-1L", "L3").Type("3").Key("enter").Key("enter").Sees("stock was 40 when the count began, now 45").Key("f10")
	d = openAt(t, h, "count/WH-1", keepDrafts(drafts)) // restarted
	d.Sees("2 to count again   1 to adjust", "3 not counted", "45         1", "! -44").Key("esc").Sees("blind").Lacks("45")
}

func TestCount_RetriesLostAnswer(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1", keepDrafts(drafts))
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C1" + "10L2")
	d.Scan("]C101" + h.OatBox + "10L2").Type("11").Key("enter").Key("enter").Sees("2 to adjust")
	h.Proxy.LoseAnswers(api.ReconcileStock.Spec, 1)
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No answer", "recorded only once")
	d = openAt(t, h, "count/WH-1", keepDrafts(drafts)) // restarted
	d.Sees("No answer yet. Press enter to retry.").Scan("COF-500")
	viewtest.RequireErrors(t, d, "The count is being recorded")
	d.Key("enter").Sees("WH-1 counted: 2 adjusted")
	calls := h.Proxy.Calls(api.ReconcileStock.Spec)
	require.Len(t, calls, 3)
	require.Equal(t, calls[0].Key, calls[1].Key)
	require.Equal(t, int64(38), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(11), lotAt(t, h, "L2"))
	routes := tuitest.DraftRoutes(t, drafts)
	require.Empty(t, routes)
}

func TestCount_ShowsRejection(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	q := int64(40)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &q})
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C101"+h.OatBox+"10L2").Scan("]C101"+h.OatBox+"10L2").Key("enter").Sees("1 to adjust", "1 match")
	d.Key("enter", "enter").Sees("0 adjusted, 1 rejected", "! rejected", "Only 0 can be taken off; documents hold the rest. Enter 40 or more", "Recount what was rejected (F3), or press enter to finish.")
	d.Size(20, 16).Sees("Only 0 can be").Size(80, 24)
	d.Key("enter").Sees("Finish with 1 rejected?").Key("esc").Key("f10").Sees("1 to adjust")
	d.Key("enter", "enter").Sees("0 adjusted, 1 rejected").Key("enter", "enter").Sees("WH-1 counted: 0 adjusted, 1 rejected", "0 of 4 counted")
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 2)
}

func TestCount_ResultSumsAllRounds(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	q := int64(24)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Oat.ID, LocationID: h.Main.ID, RequestedQuantity: &q})
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C1" + "10L1").Scan("]C101" + h.OatBox + "10L1").Type("3").Key("enter")
	d.Key("enter").Sees("1 to count again   1 to adjust").Key("enter").Type("checked").Key("enter", "enter").Sees("1 adjusted, 1 rejected")
	d.Key("f3").Sees("Recount OAT-1L L1").Type("24").Key("enter", "enter").Sees("No differences. Press enter to finish.")
	d.Key("enter").Sees("WH-1 counted: 1 adjusted. Lines not counted: 2")
}

func TestCount_RestartClearsFeed(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Sees("typed").Key("f8").Sees("Discard the count").Key("enter").Sees("0 of 4 counted").Lacks("typed", "piece")
}

func TestCount_OneProduct(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1?sku=OAT-1L")
	d.Sees("Count › OAT-1L@WH-1", "0 of 2 counted").Lacks("COF-500").Scan("OAT-1L")
	require.Contains(t, d.Model.Fault(), "OAT-1L has 2 lots here and this label names none.")
	d.Key("f7").Sees("Which lot of OAT-1L?", "L1", "L2", "another lot").Key("down", "enter").Sees("1 of 2 counted").Scan(h.OatBox).Sees("13")
	d.Key("f4").Sees("F4 show expected", "F5 set rest to 0").Key("f5").Sees("Set the uncounted lot of OAT-1L at WH-1 to zero?").Key("esc")
	d.Key("enter").Size(20, 16).Sees("L1", "L2").Size(40, 8).Sees("L1", "L2").Size(80, 24)
	d.Key("enter").Sees("Adjust OAT-1L at WH-1 to match the count?")
}

func TestCount_MinimalServiceAdjusts(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter", "enter", "enter", "enter").Sees("WH-1 counted: 1 adjusted")
	require.Equal(t, int64(38), quantitiesAt(h, h.Coffee, h.Main).OnHand)
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
	d.Scan("CAM-1").Scan("S-1001").Scan("CAM-1").Scan("S-1002").Scan("CAM-1").Scan("]C110M7\x1d21S-2001").Key("f8", "enter").Sees("found S-2001").Key("enter", "enter")
	require.EqualValues(t, 3, quantitiesAt(h, h.Camera, h.Main).OnHand)
	require.EqualValues(t, 1, lotAt(t, h, "M7"))
}

func TestCount_FirstScanSelects(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Sees("COF-500 selected, 0 counted. Scan again to count.", "0 of 4 counted")
	d.Scan("SOY-1L").Advance(time.Second).Scan("SOY-1L").Scan("SOY-1L").Sees("SOY-1L selected, 0 counted").Scan("CAM-1")
	d.Sees("CAM-1 selected, 0 counted. Scan the serial number of each item.").Scan("S-1001").Sees("2 of 5 counted")
	d.Key("ctrl+z", "ctrl+z").Scan("S-1001").Sees("2 of 5 counted").Scan("CAM-1").Sees("serial?")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "COF-500 is selected, but nothing of it is counted. Scan it again, or type how many (0 for none).")
	d.Scan("COF-500").Sees("3 of 5 counted", "-39").Key("ctrl+z").Key("enter").Key("f8").Sees("○ not counted", "! +1")
}

// A product in the route is already selected, and a restored count continues.
func TestCount_SelectsOnce(t *testing.T) {
	t.Parallel()
	h, drafts := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1?sku=COF-500", keepDrafts(drafts))
	d.Scan("COF-500").Sees("1 of 1 counted")
	d = openAt(t, h, "count/WH-1", keepDrafts(drafts))
	d.Scan("COF-500").Type("3").Key("enter").Scan("]C1" + "10L1")
	d = openAt(t, h, "count/WH-1", keepDrafts(drafts)) // restarted
	d.Scan("COF-500").Sees("-36").Scan("]C101"+h.OatBox+"10L1").Sees("2 of 4 counted", "-12")
	d.Key("enter", "f3").Sees("1 of 4 counted").Scan("COF-500").Sees("-39")
}

func TestCount_LotLabelAlone(t *testing.T) {
	t.Parallel()
	d := openAt(t, fullWarehouse(t), "count/WH-1")
	d.Scan("COF-500").Type("3").Key("enter").Scan("]C110L9")
	viewtest.RequireErrors(t, d, "Lot L9 is not recorded here. Scan the product first, then the lot.")
	d.Scan("]C110L1").Type("20").Key("enter").Sees("2 of 4 counted", "-37", "-4")
}
