package lots_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/item"
	"bincard/views/lots"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// newFixture returns a fixture with a lot that was received, moved, damaged and
// shipped, with some in transit, and a lot of another product with the same code.
func newFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixture(t)
	ends := tuitest.Noon.AddDate(0, 2, 0)
	in := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID}, ExpectedQuantity: 120,
		SupplierName: "Nordic Foods", Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2026-118"}}).Inbound
	ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 48, NewLot: api.NewLot{LotCode: "L42-A", BatchCode: "B7", ExpiresAt: &ends}})
	s.Clock.Advance(time.Hour)
	ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 72, NewLot: api.NewLot{LotCode: "L42-A"}})
	s.Clock.Advance(20 * time.Hour)
	ledgertest.Do(s.World, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID},
		SourceState: "available", DestinationState: "damaged", Quantity: 2, Reason: "crushed corner"})
	tr := ledgertest.Do(s.World, api.CreateTransfer, api.CreateTransferInput{ProductID: s.Oat.ID, SourceLocationID: s.Main.ID,
		DestinationLocationID: s.Shop.ID, Quantity: 24, Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: "TR-311"}}).Transfer
	ledgertest.Do(s.World, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	some := int64(20)
	ledgertest.Do(s.World, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: &some})
	for i, customer := range []string{"Café Lumen", "Hotel Pier 9"} {
		s.Clock.Advance(time.Hour)
		q := int64(12 * (i + 1))
		out := ledgertest.Do(s.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: s.Oat.ID, LocationID: s.Main.ID, RequestedQuantity: &q,
			CustomerName: customer, Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: []string{"SO-7781", "SO-7790"}[i]}}).Outbound
		ledgertest.Do(s.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
	}
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestTrace_AllTabs(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "trace/L42-A", lots.Register)
	d.Sees("Trace › L42-A › OAT-1L Oat milk 1 l", "✓ received 120 = in stock 80 + shipped 36 + in transit 4", "‹ steps 9 ›", "came from 1", "in stock 2", "went to 2",
		"batch B7", "expires 2027-01-20", "→ available · PO-2026-118", "WH-1 → ST-2")
	d.Goldens("steps")
	d.Key("right").Sees("‹ came from 1 ›", "Nordic Foods", "PO-2026-118", "120").Key("enter").Sees("route receive/PO-2026-118").Key("esc")
	d.Key("right").Sees("‹ in stock 2 ›", "Main warehouse", "Harbor shop", "60", "20").Key("enter").Sees("route explain/").Key("esc")
	d.Key("right").Sees("‹ went to 2 ›", "Café Lumen", "SO-7781", "Hotel Pier 9", "SO-7790")
	d.Goldens("gone")
	d.Key("enter").Sees("route fulfill/SO-7790").Key("esc")
	d.Key("f10", "down", "enter", "enter").Await().Sees("Wrote 2 rows to").Advance(time.Second).Key("esc")
	files, err := filepath.Glob(filepath.Join(s.Exports, "trace-L42-A-recall-*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(text), "party,document,operation,locationCode,quantity,at,by,otherItem,otherQuantity\nHotel Pier 9,SO-7790,outbound fulfill,WH-1,24,")
	d.Key("right").Key("f9").Sees("oldest first").Key("ctrl+y")
	require.NotEmpty(t, d.Written())
}

// What was lost, written off or corrected has not been shipped.
func TestTrace_LostWrittenOffAndCorrected(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	transfers := ledgertest.Do(s.World, api.ListTransfers, api.ListTransfersInput{}).Items
	require.Len(t, transfers, 1)
	ledgertest.Do(s.World, api.CloseTransfer, api.CloseTransferInput{TransferID: transfers[0].ID, Reason: "lost"})
	d := s.Terminal(s.Service, "trace/L42-A", lots.Register)
	d.Sees("✓ received 120 = in stock 80 + shipped 36 + in transit 0 + lost 4")

	lot := ledgertest.Do(s.World, api.ListLots, api.ListLotsInput{ProductID: s.Oat.ID}).Items[0].ID
	at, three := api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID}, int64(3)
	ledgertest.Do(s.World, api.WriteOffStock, api.WriteOffStockInput{StockKey: at, Quantity: &three, Reason: "broken", LotChoice: api.LotChoice{LotID: lot}})
	ledgertest.Do(s.World, api.ReconcileStock, api.ReconcileStockInput{StockKey: at, CountedQuantity: new(int64(55)), LotID: lot, Reason: "count"})
	d = s.Terminal(s.Service, "trace/L42-A", lots.Register).Size(120, 24)
	d.Sees("✓ received 120 = in stock 75 + shipped 36 + in transit 0 + lost 4 + written off 3 + corrected 2")
}

func TestTrace_SharedLotCode(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	other := ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "TEA-20", Name: "Earl Grey", Tracking: api.TrackLot})
	s.Receive("PO-9", other.ID, s.Main.ID, 5, "L42-A")
	d := s.Terminal(s.Service, "trace/L42-A", lots.Register)
	d.Sees("L42-A is a lot of several products. Which one?", "TEA-20 Earl Grey").Type("tea").Key("enter").Sees("Trace › L42-A › TEA-20 Earl Grey", "received 5 = in stock 5")
	s.Terminal(s.Service, "trace/NONE", lots.Register).Sees("Lot NONE not found")
	s.Terminal(viewtest.Minimal(s.Service), "trace/L42-A", lots.Register).Sees("does not trace")
}

// newSerialFixture returns a fixture with a serial that was transferred and sold.
func newSerialFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixture(t)
	p := ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "CAM-1", Name: "Camera", Tracking: api.TrackSerial})
	in := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: s.Main.ID}, ExpectedQuantity: 2, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-77"}}).Inbound
	ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 2, NewLot: api.NewLot{LotCode: "LOT-K1"},
		Serials: []api.SerialInput{{SerialNumber: "SN-1"}, {SerialNumber: "SN-2"}}})
	s.Clock.Advance(time.Hour)
	q := int64(1)
	out := ledgertest.Do(s.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: p.ID, LocationID: s.Main.ID, RequestedQuantity: &q,
		CustomerName: "Ines Marlow", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-8001"}}).Outbound
	ledgertest.Do(s.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: out.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}})
	s.Clock.Advance(time.Hour)
	ledgertest.Do(s.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
	s.Clock.Set(tuitest.Noon)
	return s
}

func TestSerial_History(t *testing.T) {
	t.Parallel()
	s := newSerialFixture(t)
	d := s.Terminal(s.Service, "serial/SN-2", lots.Register, item.Register)
	d.Sees("Serial › SN-2 › CAM-1 Camera", "is shipped", "from WH-1", "lot LOT-K1", "delivery received", "order picked", "order fulfilled", "PO-77")
	d.Goldens("steps")
	d.Key("end", "enter").Sees("route fulfill/SO-8001").Key("esc").Key("f7").Sees("Trace › LOT-K1 › CAM-1 Camera", "received 2 = in stock 1 + shipped 1")
	d.Key("esc").Scan("SN-1").Sees("CAM-1  Camera", "▸ F7  Serial        SN-1").Advance(time.Second).Key("enter").Sees("Serial › SN-1 › CAM-1", "is in stock")
	d.Scan("LOT-K1").Advance(time.Second).Key("enter").Sees("Trace › LOT-K1")
	s.Terminal(s.Service, "serial/NONE", lots.Register).Sees("Serial NONE not found")
}

func TestTrace_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	link.Down()
	d := s.Terminal(link, "trace/L42-A", lots.Register)
	d.Sees("! The service cannot be reached", "Press F5 to retry")
	link.Up()
	d.Key("f5").Sees("received 120")
	link.Down()
	d.Advance(2*time.Minute).Key("f5").Sees("received 120", "data is 2 min old")
}
