package home_test

import (
	"fmt"
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// fillStock adds n products that are low, each with a lot that expires soon.
func fillStock(h *viewtest.Warehouse, n int) {
	reorder := int64(20)
	for i := range n {
		p := ledgertest.Do(h.World, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprintf("P-%03d", i), Name: fmt.Sprintf("Product %d", i), Tracking: api.TrackLot, ReorderPoint: &reorder})
		expires := tuitest.Noon.AddDate(0, 0, i%28)
		in := ledgertest.Do(h.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: h.Main.ID}, ExpectedQuantity: 5}).Inbound
		ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 5, NewLot: api.NewLot{LotCode: fmt.Sprintf("L-%03d", i), ExpiresAt: &expires}})
	}
}

func TestHome_LargeScreensShowLowAndExpiring(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	fillStock(h, 3)
	d := terminal(t, h).Size(200, 60)
	tuitest.Golden(t, "stock-200x60", d.Painted())
	d.Size(120, 40).Sees("Low stock", "P-002", "Expiring lots", "L-002", "PO-2026-118")
	d.Key("f3").Sees("3 low", "P-000", "P-001", "P-002").Key("esc").Key("f7").Sees("3 lots").Key("esc")
	d.Key("enter").Sees("Receive › PO-2026-118").Key("esc")
	d.Size(80, 24).Lacks("Low stock", "Expiring lots", "P-002").Key("f3").Sees("choose a job")
}

func TestHome_PanesFitEverySize(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	fillWarehouse(h)
	fillStock(h, 60)
	d := terminal(t, h)
	for _, s := range append(tuitest.Shapes(), tuitest.Shape{Width: 110, Height: 32}, tuitest.Shape{Width: 179, Height: 33}) {
		d.Size(s.Width, s.Height)
		tuitest.Fits(t, d.Painted(), s)
		if s.Width < 110 {
			continue
		}
		d.Sees("L-000", "P-000", "↓")
		view := d.View()
		require.Equal(t, 60, number(t, view, "low"), "%s", s)
	}
}
