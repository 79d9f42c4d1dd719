package stock_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// signedIn starts a terminal at which Ada, who has the permissions, has signed in.
func signedIn(t *testing.T, h *viewtest.Warehouse, route string, p tui.Permissions) *tuitest.Driver {
	t.Helper()
	return openAt(t, h, route, func(o *shell.Options) {
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42", Permissions: p}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}},
			OnChange: h.Site.SetOperator, OnApproval: h.Site.Approve}
	})
}

func TestAdjust_AboveTheLimitNeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := signedIn(t, h, "adjust/COF-500@WH-1", tui.Permissions{tui.MayAdjust: {Pieces: 10, Percent: 10}})
	d.Type("10").Key("enter", "enter").Sees("Reason?").Key("enter", "enter").Sees("COF-500: available 40 → 30")
	d.Key("f8").Sees("COF-500 restored").Type("11").Key("enter", "enter").Sees("A supervisor must approve: adjust -11").Key("esc")
	require.EqualValues(t, 40, quantitiesAt(h, h.Coffee, h.Main).Available)
	d.Key("enter").Scan("EVE-43").Sees("Approved by Eve").Key("enter", "enter").Sees("COF-500: available 40 → 29")
	d.Key("f8").Sees("A supervisor must approve: undo: +11").Key("esc")
	require.EqualValues(t, 29, quantitiesAt(h, h.Coffee, h.Main).Available)
}

func TestCount_DifferenceAboveTheLimitNeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := signedIn(t, h, "count/WH-1?sku=COF-500", tui.Permissions{tui.MayCount: {Pieces: 3}})
	d.Type("30").Key("enter", "enter").Sees("-10").Key("enter").Sees("A supervisor must approve").Scan("EVE-43").Sees("Approved by Eve")
	require.EqualValues(t, 40, quantitiesAt(h, h.Coffee, h.Main).Available)
}
