package stock_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// signedIn starts a terminal at which Ada, who has the permissions, has signed in.
func signedIn(t *testing.T, h *viewtest.Warehouse, route string, p tui.Permissions) *tuitest.Driver {
	t.Helper()
	return openAt(t, h, route, h.SignIn, func(o *shell.Options) { o.Login.Operators[0].Permissions = p })
}

func TestAdjust_AboveTheLimitNeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := signedIn(t, h, "adjust/COF-500@WH-1", tui.Permissions{tui.MayAdjust: {Pieces: 10, Percent: 10}})
	d.Type("10").Key("enter", "enter").Sees("Reason?").Key("enter", "enter").Sees("COF-500: available 40 → 30")
	d.Key("f8").Sees("COF-500 restored").Type("11").Key("enter", "enter").Sees("A supervisor must approve: adjust -11").
		Key("esc")
	require.EqualValues(t, 40, h.Quantities(h.Coffee, h.Main).Available)
	d.Key("enter").Scan("EVE-43").Sees("Approved by Eve").Key("enter", "enter").Sees("COF-500: available 40 → 29")
	require.Equal(t, [2]string{"Ada", "Eve"}, lastPeople(h))
	d.Key("f8").Sees("A supervisor must approve: undo: +11").Key("esc")
	require.EqualValues(t, 29, h.Quantities(h.Coffee, h.Main).Available)
	d.Key("f8").Scan("EVE-43").Sees("COF-500 restored")
	require.Equal(t, [2]string{"Ada", "Eve"}, lastPeople(h))
	d.Type("1").Key("enter", "enter").Key("enter", "enter").Sees("available 40 → 39")
	require.Equal(t, [2]string{"Ada", ""}, lastPeople(h), "the next adjustment needs no approval")
}

// An approved adjustment that the local ledger rejects is approved when it is saved at risk.
func TestAdjust_KeepsTheApprovalAtRisk(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := signedIn(t, h, "adjust/COF-500@WH-1", tui.Permissions{tui.MayAdjust: {Pieces: 10, Percent: 10}})
	h.Proxy.Fail(api.AdjustStock.Spec, api.Fail(api.InsufficientStock, api.Details{"insist": true}, "Only 5 are here."),
		nil)
	d.Type("11").Key("enter", "enter").Scan("EVE-43").Key("enter", "enter").Sees("F10 save anyway")
	h.Proxy.Fail(api.AdjustStock.Spec, nil, nil)
	d.Key("f10").Sees("COF-500: available 40 → 29")
	require.Equal(t, [2]string{"Ada", "Eve"}, lastPeople(h))
}

// lastPeople returns who made the last movement and who approved it.
func lastPeople(h *viewtest.Warehouse) [2]string {
	row := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items[0]
	return [2]string{row.Operator, row.ApprovedBy}
}

// TestAdjust_SplitAdjustmentNeedsApproval requires that a role's limit is for all that the
// operator adjusted in 24 hours.
func TestAdjust_SplitAdjustmentNeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	role := tui.Permissions{tui.MayAdjust: {Pieces: 10, Percent: 10}}
	d := signedIn(t, h, "adjust/COF-500@WH-1", role)
	d.Type("6").Key("enter", "enter").Sees("Reason?").Key("enter", "enter").Sees("COF-500: available 40 → 34")
	d.Type("5").Key("enter", "enter").Sees("A supervisor must approve: adjust -5 of COF-500 at WH-1, after -6 in the",
		"last 24 hours").Key("esc")
	require.EqualValues(t, 34, h.Quantities(h.Coffee, h.Main).Available)
	d = signedIn(t, h, "adjust/COF-500@WH-1", role).Type("5").Key("enter", "enter").
		Sees("after -6 in the", "last 24 hours").Scan("EVE-43").Sees("Approved by Eve")
	d.Key("enter", "enter").Sees("COF-500: available 34 → 29")
	d.Type("4").Key("enter", "enter").Sees("Reason?").Key("enter", "enter").Sees("COF-500: available 29 → 25")
	d.Key("f8").Sees("COF-500 restored: available 25 → 29")

	d = signedIn(t, h, "adjust/COF-500@WH-1", role).Advance(25 * time.Hour)
	d.Do(tui.Replace("adjust/COF-500@WH-1")).Key("ctrl+r")
	d.Type("10").Key("enter", "enter").Sees("Reason?")
}

func TestCount_AboveTheLimitNeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := signedIn(t, h, "count/WH-1?sku=COF-500", tui.Permissions{tui.MayCount: {Pieces: 3},
		tui.MayAdjust: {Pieces: 3}})
	d.Type("30").Key("enter", "enter").Sees("post count").Key("enter").Sees("A supervisor must approve").Lacks("-10").Scan("EVE-43").
		Sees("Approved by Eve", "COF-500: 30 counted, 40 recorded (-10). Adjust COF-500@WH-1 to match the").
		Advance(time.Second).Key("esc").Lacks("-10")
	require.EqualValues(t, 40, h.Quantities(h.Coffee, h.Main).Available)
	d = signedIn(t, h, "count/WH-1?sku=COF-500", tui.Permissions{tui.MayCount: {Pieces: 3}, tui.MayAdjust: {Pieces: 3}})
	d.Type("38").Key("enter", "enter").Sees("post count").Key("enter", "enter").Sees("1 adjusted")
	require.EqualValues(t, 38, h.Quantities(h.Coffee, h.Main).Available)
	d.Type("36").Key("enter", "enter").Sees("post count").Key("enter").
		Sees("A supervisor must approve: post count of WH-1 (COF-500: 36 counted), after", "-2 in the last 24 hours")
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Sees("COF-500: 36", "-2", "hours", "▸ Scan", "█")
	}
	d.Size(80, 24).Key("esc")
	require.EqualValues(t, 38, h.Quantities(h.Coffee, h.Main).Available)
	d.Do(tui.Replace("adjust/COF-500@WH-1")).Type("3").Key("enter", "enter").Sees("Reason?")
}
