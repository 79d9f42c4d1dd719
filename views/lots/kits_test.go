package lots_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/lots"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// newKitFixture returns a fixture with two kits that lot L42-A went into. Of 4 boxes of lot
// KL-1, one was shipped and one was taken apart. Crates have no lots; of 2, one was moved.
func newKitFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixture(t)
	kit := func(sku string, by api.Tracking) api.StockKey {
		p := ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: sku, Tracking: by,
			Components: []api.Component{{ProductID: s.Oat.ID, Quantity: 2}}})
		return api.StockKey{ProductID: p.ID, LocationID: s.Main.ID}
	}
	box, crate := kit("BOX", api.TrackLot), kit("CRATE", "")
	s.Receive("PO-1", s.Oat.ID, s.Main.ID, 60, "L42-A")
	s.Receive("PO-2", box.ProductID, s.Main.ID, 5, "KL-0")
	s.Clock.Advance(time.Hour)
	ledgertest.Do(s.World, api.AssembleStock, api.AssembleInput{StockKey: box, Quantity: 4, NewLot: api.NewLot{LotCode: "KL-1"}, Reason: "built for sale"})
	ledgertest.Do(s.World, api.AdjustStock, api.AdjustStockInput{StockKey: box, InventoryState: api.Available, QuantityDelta: -5, Reason: "old"})
	s.Clock.Advance(time.Hour)
	q := int64(1)
	out := ledgertest.Do(s.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: box.ProductID, LocationID: s.Main.ID, RequestedQuantity: &q,
		CustomerName: "Hotel Pier 9", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-7020"}}).Outbound
	ledgertest.Do(s.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
	ledgertest.Do(s.World, api.DisassembleStock, api.DisassembleInput{StockKey: box, Quantity: 1})
	ledgertest.Do(s.World, api.AssembleStock, api.AssembleInput{StockKey: crate, Quantity: 2})
	tr := ledgertest.Do(s.World, api.CreateTransfer, api.CreateTransferInput{ProductID: crate.ProductID, SourceLocationID: s.Main.ID, DestinationLocationID: s.Shop.ID, Quantity: 1}).Transfer
	ledgertest.Do(s.World, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestTrace_FollowsKits(t *testing.T) {
	t.Parallel()
	s := newKitFixture(t)
	d := s.Terminal(s.Service, "trace/L42-A", lots.Register)
	d.Sees("✓ received 60 = in stock 50 + shipped 0 + in transit 0 + in kits 10", "went to 6")
	d.Key("left").Sees("‹ went to 6 ›", "used in BOX × 4", "BOX KL-1: Hotel Pier 9", "SO-7020", "BOX KL-1: here or in t", "BOX KL-1: taken apart",
		"used in CRATE × 2", "maybe CRATE: here or i").Lacks("old")
	d.Key("down", "down", "down").Sees("BOX KL-1: taken apart, parts have no lot")
	d.Goldens("kits")

	d.Key("f10", "down", "enter", "enter").Await().Sees("Wrote 6 rows to")
	files, err := filepath.Glob(filepath.Join(s.Exports, "trace-L42-A-recall-*.csv"))
	require.NoError(t, err)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	var pieces, others []string
	for _, row := range rows {
		pieces, others = append(pieces, row[4]), append(others, strings.TrimSpace(row[8]+" "+row[7]))
	}
	require.Equal(t, []string{"quantity", "2", "8", "0", "0", "0", "0"}, pieces, "each piece is counted once")
	require.Equal(t, []string{"otherQuantity otherItem", "0 CRATE", "0 BOX", "1 BOX KL-1", "1 BOX KL-1", "2 BOX KL-1", "2 maybe CRATE"}, others)
}

func TestTrace_FollowsKitToComponents(t *testing.T) {
	t.Parallel()
	s := newKitFixture(t)
	d := s.Terminal(s.Service, "trace/KL-1", lots.Register)
	d.Sees("✓ received 4 = in stock 2 + shipped 1 + in transit 0 + taken apart 1", "came from 2").Key("right").Sees("OAT-1L: kit part", "L42-A", "8").Key("end", "enter").Sees("Trace › L42-A")
}

func TestTrace_SaysWhenKitsAreUnknown(t *testing.T) {
	t.Parallel()
	s := newKitFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	link.Fail(api.ListBalances.Spec, api.Fail(api.InternalError, nil, "Out of order."), nil)
	d := s.Terminal(link, "trace/L42-A", lots.Register)
	d.Key("left").Sees("used in BOX × 4", "used in CRATE × 2", "incomplete: Out of ord").Lacks("Hotel")
}

func TestTrace_LimitsHistoryOfKits(t *testing.T) {
	t.Parallel()
	s := newKitFixture(t)
	crate := ledgertest.Do(s.World, api.ListProducts, api.ListProductsInput{SKU: "CRATE"}).Items[0]
	at := api.StockKey{ProductID: crate.ID, LocationID: s.Main.ID}
	for range 5000 { // two movements each
		ledgertest.Do(s.World, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.Available, QuantityDelta: 1, Reason: "found"})
	}
	d := s.Terminal(s.Service, "trace/L42-A", lots.Register)
	d.Key("left").Sees("used in CRATE × 2", "incomplete: More than").Key("end").Sees("More than 10,000 movements")
}
