package stock_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// An inputCounter counts what an operator does: a scan is one input, a key press another.
type inputCounter struct {
	*tuitest.Driver
	inputs int
}

func (c *inputCounter) scan(code string) {
	c.inputs++
	c.Scan(code)
}

func (c *inputCounter) press(keys ...string) {
	c.inputs += len(keys)
	c.Key(keys...)
}

// shelvesAt creates products with 7 pieces each on shelves of their own: P-01 on A-1 to P-12 on A-12.
func shelvesAt(h *viewtest.Warehouse, n int) {
	for i := range n {
		p := h.Product(fmt.Sprintf("P-%02d", i+1), api.TrackNone)
		h.Stock(p.ID, h.Main.ID, 7)
		ledgertest.Do(h.World, api.SetShelves, api.SetShelvesInput{ProductID: p.ID, LocationID: h.Main.ID,
			Shelves: []string{fmt.Sprintf("A-%d", i+1)}})
	}
}

func TestCountNext_TenShelvesIn35Inputs(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	shelvesAt(h, 12)
	d := inputCounter{Driver: openAt(t, h, "count/WH-1", signIn(h))}
	h.Clock.Advance(time.Hour)
	d.press("f3")
	d.SeesInOrder("0 of 10 counted", "A-1 ", "P-01", "A-2 ", "P-02").Lacks("P-11", " 7 ")
	for i := range 10 {
		d.scan(fmt.Sprintf("P-%02d", i+1))
		d.press("7", "enter")
	}
	d.press("enter", "enter", "enter")
	require.LessOrEqual(t, d.inputs, 35)
	t.Logf("a count of 10 shelves: %d inputs", d.inputs)
	d.Sees("10 of 10 lines counted, 0 adjusted", "Count the next 2", "enter count next").Advance(time.Second).Key("enter")
	d.Sees("0 of 2 counted", "P-11", "P-12").Lacks("P-01")
	counts := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpReconcile}).Items
	require.Len(t, counts, 10)
	require.Equal(t, "Ada", counts[0].Operator)
	require.Zero(t, counts[0].Quantity)
	for i := range 2 {
		d.Scan(fmt.Sprintf("P-%d", i+11)).Type("7").Key("enter")
	}
	d.Key("enter", "enter", "enter").Sees("2 of 2 lines counted").Lacks("Count the next")
	d.Key("f3").Sees("Everything at WH-1 was counted in the last 24 hours.")
}

func TestCountNext_WithoutShelvesInAllSizes(t *testing.T) {
	t.Parallel()
	for _, size := range tuitest.Shapes() {
		d := openAt(t, fullWarehouse(t), "count/WH-1", signIn(viewtest.NewWarehouse(t))).Size(size.Width, size.Height)
		d.Key("f3").Sees("CAM-1").Lacks("40", "24")
		require.Contains(t, d.Model.Route(), "count/WH-1?skus=CAM-1,COF-500,OAT-1L&next=1")
	}
}

func TestCountNext_HiddenWithoutTheOperation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewMinimalWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "count/WH-1").Sees("COF-500").Key("f3")
	require.Equal(t, "count/WH-1", d.Model.Route())
	d.Key("enter").Lacks("F3").Scan("COF-500").Sees("COF-500 selected")
}

// A second count is by the person who counted, not by the one who reviews it.
func TestCount_ReviewIsNoSecondCount(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1?sku=COF-500", signIn(h), viewtest.KeepDrafts(saved))
	d.Type("20").Key("enter", "enter").Sees("1 to count again").Key("f3").Type("20").Key("enter", "enter").Sees("1 to count again")
	d = openAt(t, h, "move", signIn(h), viewtest.KeepDrafts(saved), func(o *shell.Options) { o.Login.Current = "Bob" })
	d.Do(tui.OpenDraft("count/WH-1?sku=COF-500", "Ada")).Sees("Take it over?").Advance(time.Second).Key("enter")
	d.Sees("1 to count again").Key("esc", "enter").Sees("1 to count again").Key("f3").Type("20").Key("enter", "enter").
		Sees("1 counted").Lacks("again")
}

// Why the service rejects a count may have the recorded quantities.
func TestCount_BlindHidesWhyItWasRejected(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	ledgertest.Do(h.World, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
		SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Quantity: 33, Reason: "wet"})
	d := openAt(t, h, "count/WH-1?sku=COF-500", signIn(h))
	d.Type("31").Key("enter", "enter", "enter", "enter").Advance(time.Second).
		Sees("The service rejected this count. A supervisor can show why (F4).")
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Lacks("33", "40", " 7 ")
	}
	d.Size(80, 24).Key("f4").Scan("BADGE-9").Sees("Only 7 can be removed")
}

// A scan of a pallet counts all that is on it. Of one that was opened it counts nothing.
func TestCount_Pallet(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	const sscc = "340123450000000017"
	ledgertest.Do(h.World, api.RegisterPlate, api.RegisterPlateInput{SSCC: sscc, LocationID: h.Main.ID,
		Lines: []api.PlateContent{{ProductID: h.Oat.ID, LotCode: "L2", Quantity: 12}, {ProductID: h.Coffee.ID, Quantity: 30}}})
	d := openAt(t, h, "count/WH-1", signIn(h))
	d.Scan("(00)"+sscc).Sees("2 of 4 counted", "+42")
	viewtest.RequireErrors(t, d.Advance(time.Second).Scan("(00)"+sscc), "Pallet "+sscc+" is already counted or received.")
	d.Scan("COF-500").Type("10").Key("enter").Key("enter", "enter", "enter").Sees("WH-1 counted: 0 adjusted. Lines not counted: 2")
	ledgertest.Do(h.World, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
		Quantity: new(int64(1)), Reason: "torn", Metadata: api.Metadata(`{"sscc":"` + sscc + `"}`)})
	viewtest.RequireErrors(t, d.Scan("(00)"+sscc), "Pallet "+sscc+" was opened. Nothing was counted: count the items.")
	d.Sees("0 of 4 counted")
}
