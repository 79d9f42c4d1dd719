package stock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/count"
	"bincard/views/stock"
	"bincard/views/submit"
	"bincard/views/viewtest"
)

// shipped ships an order of n pieces from the main location.
func shipped(h *viewtest.Warehouse, reference string, product api.ID, n int64) api.Outbound {
	h.Stock(product, h.Main.ID, n)
	o := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines:     []api.OutboundLineInput{{ProductID: product, RequestedQuantity: n}},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: reference}}).Outbound
	return ledgertest.Do(h.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID}).Outbound
}

// returns returns the return movements, newest first.
func returns(h *viewtest.Warehouse) []api.MovementRow {
	return ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpReturnStock, InventoryState: api.OnHand}).Items
}

func TestReturn_OneItem(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := openAt(t, h, "return")
	d.Scan("COF-500").Sees("COF-500", "+1").Goldens("return")
	d.Key("enter").Sees("Reason?").Key("enter").Sees("COF-500: on hand 0 → 1, available 0 → 1")
	rows := returns(h)
	require.Len(t, rows, 1)
	require.Equal(t, "not wanted", rows[0].Reason)
	require.EqualValues(t, 1, rows[0].Quantity)
	require.Empty(t, rows[0].ReferenceID)
}

func TestReturn_OfAnOrderNeedsNoSupervisor(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	shipped(h, "SO-1", h.Coffee.ID, 3)
	d := openAt(t, h, "return", func(o *shell.Options) {
		o.Login = tui.Login{Current: "Ada", Operators: []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Eve", Badge: "EVE-43", Supervisor: true}}}
	})
	d.Scan("SO-1").Sees("COF-500", "SO-1", "3 may come back").Type("2").Key("enter")
	d.Key("enter").Sees("Reason?").Type("3").Key("enter").Sees("available 0 → 2")
	require.Equal(t, "SO-1", returns(h)[0].ReferenceID)
	d.Advance(time.Second).Sees("1 may come back").Type("2").Key("enter", "enter").Sees("A supervisor must approve: return 2 to available of COF-500 at WH-1")
	d.Scan("EVE-43").Sees("Return 2 anyway?").Key("enter", "enter").Sees("available 2 → 4")
	require.Equal(t, "Eve", returns(h)[0].ApprovedBy)
}

func TestReturn_DamagedAndOtherOrders(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	shipped(h, "SO-1", h.Coffee.ID, 3)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines:     []api.OutboundLineInput{{ProductID: h.Oat.ID, RequestedQuantity: 1}},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"}})
	d := openAt(t, h, "return")
	d.Scan("SO-2")
	viewtest.RequireErrors(t, d, "Nothing of SO-2 was shipped.")
	d.Scan("OAT-1L").Sees("OAT-1L").Scan("SO-1")
	viewtest.RequireErrors(t, d, "SO-1 did not ship OAT-1L.")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "OAT-1L is tracked by lot.")

	d = openAt(t, h, "return/COF-500")
	d.Scan("SO-1").Sees("3 may come back").Key("f4").Sees("What state is it in?").Key("down", "down", "enter").Type("2").Key("enter")
	d.Sees("return to damaged").Key("enter").Type("4").Key("enter").Sees("damaged 0 → 2")
	b := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: h.Coffee.ID, LocationID: h.Main.ID}}).Items[0]
	require.Equal(t, []int64{2, 0}, []int64{b.Quantities.Of(api.Damaged), b.Quantities.Of(api.Available)})
}

func TestReturn_AsksIfMoreComesBackThanWasShipped(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	shipped(h, "SO-1", h.Coffee.ID, 3)
	d := openAt(t, h, "return")
	d.Sees("Scan the order, or what came back").Size(20, 16).Sees("Scan order or item").Size(80, 24).Scan("SO-1").Type("4").Key("enter", "enter")
	d.Sees("Of SO-1, 3 of COF-500 may come back. Return 4 anyway?").Key("esc")
	require.Empty(t, returns(h))
	d.Advance(time.Second).Key("enter").Sees("Return 4 anyway?").Key("enter", "enter").Sees("available 0 → 4")

	job := func(n int64, order string) error {
		_, err := stock.ReturnJob(t.Context(), &submit.Job{Site: h.Site, Ref: "COF-500@WH-1", Key: api.NewKey(), Count: count.Count{Quantity: n},
			Save: func(*submit.Submission) error { return nil }}, stock.Change{To: api.Available, Reason: "refused", Order: order})
		return err
	}
	require.ErrorContains(t, job(1, "SO-1"), "Of SO-1, 0 of COF-500 may come back. Nothing was recorded.")
	shipped(h, "SO-2", h.Coffee.ID, 2)
	require.ErrorContains(t, job(3, "SO-2"), "2 of COF-500 may come back")
	require.NoError(t, job(2, "SO-2"))
}
