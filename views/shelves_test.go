package views_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/viewtest"
)

// putOn says on which shelves of the main location a product is.
func putOn(h *viewtest.Warehouse, product api.ID, shelves ...string) {
	ledgertest.Do(h.World, api.SetShelves, api.SetShelvesInput{ProductID: product, LocationID: h.Main.ID, Shelves: shelves})
}

func TestShelves_OrderIsSortedByShelf(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Oat.ID, h.Main.ID, 40)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	tea := h.Product("TEA-1", api.TrackNone)
	h.Stock(tea.ID, h.Main.ID, 40)
	putOn(h, h.Oat.ID, "A-10", "C-01")
	putOn(h, h.Coffee.ID, "A-9", "A-09")
	o := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID, Lines: []api.OutboundLineInput{
		{ProductID: tea.ID, RequestedQuantity: 1}, {ProductID: h.Oat.ID, RequestedQuantity: 2}, {ProductID: h.Coffee.ID, RequestedQuantity: 3}},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}}).Outbound
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "fulfill/SO-1"} })
	d.Goldens("order")
	d.SeesInOrder("A-9", "COF-500", "A-10", "OAT-1L", "TEA-1")

	d.Scan("c-01").Sees("Shelf c-01: scan OAT-1L")
	require.Empty(t, d.Model.Fault())
	d.Scan("a-09").Sees("Shelf a-09: scan COF-500").Scan("COF-500").Scan("COF-500").Scan("COF-500").Scan("A-09")
	viewtest.RequireErrors(t, d, "Everything from shelf A-09 is counted.")
	d.Scan("A-10").Scan("OAT-1L").Scan("OAT-1L").Scan("TEA-1").Key("enter").Sees("This order is fulfilled (6 of 6).")
	require.EqualValues(t, 6, ledgertest.Do(h.World, api.GetOutbound, api.OutboundInput{OutboundID: o.ID}).FulfilledQuantity)
}

func TestShelves_ReceiptSaysWhereToPut(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	tea := h.Product("TEA-1", api.TrackNone)
	putOn(h, tea.ID, "A-03-2", "B-1")
	h.Inbound("PO-1", tea, 24, time.Hour)
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "receive/PO-1"} })
	d.Sees("A-03-2  B-1").Goldens("delivery")
	d.Type("12").Key("enter", "enter").Sees("Received 12: 12 of 24, 12 to go. Put away: TEA-1 → A-03-2")
	out := runLines(t, h, 80, nil, "receive PO-1", "12", "enter", "back")
	requireSays(t, out, "shelf A-03-2  B-1", "Put away: TEA-1 to A-03-2")
}

func TestShelves_ScanOpensWhatLiesThere(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	putOn(h, h.Oat.ID, "A-03-2")
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home"} })
	d.Scan("a-03-2").Sees("OAT-1L  Oat milk 1 l  A-03-2")
	d.Advance(time.Second).Key("ctrl+d").Sees("Scan the shelf of OAT-1L at WH-1", "A-03-2").Goldens("form")
	d.Scan("OAT-1L")
	viewtest.RequireErrors(t, d, "OAT-1L is the code of a product. Scan the label of the shelf.")
	d.Scan("B-07").Sees("B-07").Lacks("A-03-2").Key("ctrl+s").Sees("OAT-1L is on B-07 at WH-1", "OAT-1L  Oat milk 1 l  B-07")
	p := ledgertest.Do(h.World, api.GetProduct, api.ProductInput{ProductID: h.Oat.ID})
	require.Equal(t, []string{"B-07"}, p.ShelvesAt(h.Main.ID))
	d.Advance(time.Second).Key("ctrl+d", "ctrl+u").Type("B-07, A-01").Key("ctrl+s").Sees("OAT-1L is on B-07, A-01 at WH-1")
	d.Advance(time.Second).Key("ctrl+d", "ctrl+u").Key("ctrl+s").Sees("OAT-1L has no shelf at WH-1")
	putOn(h, h.Oat.ID, "A-01")
	putOn(h, h.Coffee.ID, "A-01")
	d.Key("ctrl+g").Scan("A-01").Sees("OAT-1L", "COF-500")
}

func TestShelves_CountGoesAlongTheShelves(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	tea := h.Product("TEA-1", api.TrackNone)
	for shelf, p := range map[string]api.ID{"A-10": h.Oat.ID, "A-9": h.Coffee.ID, "": tea.ID} {
		h.Stock(p, h.Main.ID, 4)
		if shelf != "" {
			putOn(h, p, shelf)
		}
	}
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "count/WH-1"} })
	d.SeesInOrder("shelf", "A-9", "COF-500", "A-10", "OAT-1L", "TEA-1").Scan("A-10").Sees("Shelf A-10: scan OAT-1L")
	d.Goldens("count")
}

func TestShelves_PutAwayListsTodaysReceipts(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	tea := h.Product("TEA-1", api.TrackNone)
	putOn(h, h.Oat.ID, "A-10")
	putOn(h, h.Coffee.ID, "A-9", "C-01")
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "put-away"} })
	d.Sees("Nothing was received here today.")
	receive := func(product, location api.ID, n int64) {
		ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location},
			Quantity: &n, Reason: "delivery", NewLot: api.NewLot{LotCode: map[bool]string{product == h.Oat.ID: "L1"}[true]}})
	}
	receive(tea.ID, h.Main.ID, 4)
	receive(h.Oat.ID, h.Main.ID, 5)
	receive(h.Coffee.ID, h.Main.ID, 6)
	receive(h.Coffee.ID, h.Main.ID, 1)
	receive(h.Coffee.ID, h.Depot.ID, 9)
	d.Key("ctrl+r").SeesInOrder("A-9", "A-10", "TEA-1").Goldens("list")
	d.Key("enter").Sees("COF-500", "A-9", "What do you want to do with it at WH-1?")
	d.Do(tui.Open("receive")).Key("ctrl+t").Sees("Put away")
}

func TestShelves_AreScannedFirstIfTheCompanySaysSo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.SetRules(api.Rules{ShelfCheck: true})
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	putOn(h, h.Coffee.ID, "A-09", "B-01")
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines:     []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 3}},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}})
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "fulfill/SO-1"} })
	for _, try := range []func(){func() { d.Scan("COF-500") }, func() { d.Key("+") }, func() { d.Type("3").Key("enter") }} {
		try()
		viewtest.RequireErrors(t, d, "COF-500 is on A-09  B-01. Scan that shelf first.")
		d.Advance(time.Second).Key("enter")
	}
	d.Scan("C-01").Sees("C-01 is not the shelf of COF-500. It is on A-09  B-01.").Advance(time.Second).Key("enter")
	d.Scan("B-01").Scan("COF-500").Type("3").Key("enter", "enter").Sees("This order is fulfilled (3 of 3).")

	h.Inbound("PO-1", h.Coffee, 4, time.Hour)
	d.Do(tui.Open("receive/PO-1")).Scan("COF-500").Sees("+1")
}
