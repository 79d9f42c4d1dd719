package watchlist_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/alerts"
	"bincard/views/viewtest"
	"bincard/views/watchlist"

	"github.com/stretchr/testify/require"
)

// newFixture returns a fixture with low products, expiring lots and late documents.
func newFixture(t *testing.T) *viewtest.Fixture {
	t.Helper()
	s := viewtest.NewFixture(t)
	newProduct := func(sku, name string, reorder int64) api.Product {
		return ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: name, ReorderPoint: &reorder})
	}
	tea, mug := newProduct("TEA-20", "Earl Grey 20 bags", 40), newProduct("MUG-250", "Mug white", 6)
	newProduct("KET-1L", "Kettle", 2)
	s.Stock(tea.ID, s.Main.ID, 12)
	s.Stock(tea.ID, s.Shop.ID, 60)
	s.Stock(mug.ID, s.Main.ID, 6)
	s.Stock(mug.ID, s.Main.ID, -6)
	lot := func(code string, days int, at api.ID, q int64) {
		ends := tuitest.Noon.Truncate(24*time.Hour).AddDate(0, 0, days)
		doc := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: at}, ExpectedQuantity: q})
		ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: doc.Inbound.ID, Quantity: q, NewLot: api.NewLot{LotCode: code, ExpiresAt: &ends}})
	}
	lot("L42-A", 5, s.Main.ID, 48)
	lot("L41-C", -2, s.Main.ID, 10)
	lot("L50-X", 200, s.Main.ID, 480)
	lot("L43-B", 0, s.Shop.ID, 6)
	due := func(d time.Duration) *time.Time { at := tuitest.Noon.Add(d); return &at }
	ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID}, ExpectedQuantity: 240,
		SupplierName: "Nordic Foods", Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2026-118"}, ExpectedAt: due(-26 * time.Hour)})
	ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID}, ExpectedQuantity: 24,
		Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2026-119"}, ExpectedAt: due(time.Hour)})
	q := int64(12)
	ledgertest.Do(s.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: tea.ID, LocationID: s.Shop.ID, RequestedQuantity: &q,
		CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-7781"}, ExpectedShipAt: due(-20 * time.Minute)})
	s.Clock.Set(tuitest.Noon)
	return s
}

// TestLate_DeliveryIsOneDocument covers a delivery of several lines, one of them done.
func TestLate_DeliveryIsOneDocument(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	at := tuitest.Noon.Add(-50 * time.Hour)
	for _, name := range []string{"Coffee", "Tea", "Sugar"} {
		p := ledgertest.Do(s.World, api.CreateProduct, api.CreateProductInput{SKU: "NEW-" + name, Name: name})
		ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: s.Main.ID}, ExpectedQuantity: 10,
			Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-7"}, ExpectedAt: &at})
	}
	d := s.Terminal(s.Service, "late", watchlist.Register).Size(200, 60)
	d.Sees("2 overdue", "▸  ! 2 days  receive  PO-7", "3 lines to go", "30", "│ PO-7", "Coffee")
}

func TestLow_ListAndExport(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "low", watchlist.Register)
	d.Sees("Low stock › at WH-1", "2 low", "MUG-250", "TEA-20", "28").Lacks("KET-1L")
	d.Goldens("here")
	d.Key("enter").Sees("route explain/MUG-250@WH-1").Key("esc")
	d.Key("f6").Sees("Low stock › everywhere", "KET-1L").Lacks("TEA-20").Key("down", "enter").Sees("route stock?sku=KET-1L").Key("esc")
	d.Key("f6", "/").Type("tea").Lacks("MUG-250")
	d.Key("f10", "down", "enter", "enter").Await().Sees("Wrote 1 row to").Advance(time.Second).Key("esc")
	files, err := filepath.Glob(filepath.Join(s.Exports, "low-*.csv"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Equal(t, "productSku,productName,locationCode,available,reorderPoint,missing,incoming,safetyStock,onHand,shelf\nTEA-20,Earl Grey 20 bags,WH-1,12,40,28,0,0,12,\n", string(text))
	s.Terminal(viewtest.Minimal(s.Service), "low", watchlist.Register).Sees("does not report reorder points")
}

func TestLow_ShowsShelves(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	s.Terminal(s.Service, "low", watchlist.Register).Lacks("shelf")
	tea := ledgertest.Do(s.World, api.ListProducts, api.ListProductsInput{SKU: "TEA-20"}).Items[0]
	ledgertest.Do(s.World, api.SetShelves, api.SetShelvesInput{ProductID: tea.ID, LocationID: s.Main.ID, Shelves: []string{"A-03-2"}})
	d := s.Terminal(s.Service, "low", watchlist.Register)
	d.Sees("shelf", "A-03-2").Size(160, 40).Sees("A-03-2").Key("f6").Lacks("shelf").Key("f6", "/").Type("a-03").Sees("TEA-20").Lacks("MUG-250")
}

func TestExpiring_List(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "expiring", watchlist.Register)
	d.Sees("Expiring lots › at WH-1 › within 30 days", "2 lots", "! 2 d ago", "L41-C", "L42-A", "5 days").Lacks("L50-X", "L43-B")
	d.Goldens("here")
	d.Key("f4").Type("any").Key("enter").Sees("at any time", "L50-X", "3 lots")
	d.Key("f6").Sees("everywhere", "L43-B", "! today", "ST-2").Key("down", "enter").Sees("route trace/")
	d.Key("esc").Key("f4").Type("7").Key("enter").Sees("within 7 days").Lacks("L50-X")
	s.Terminal(s.Service, "expiring?days=3&location=all", watchlist.Register).Sees("everywhere › within 3 days", "2 lots")
	s.Terminal(viewtest.Minimal(s.Service), "expiring", watchlist.Register).Sees("does not report stock by lot")
}

func TestExpiringLots_Cached(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	site := s.Site(s.Service)
	count := func(now time.Time) int {
		rows, more, err := alerts.ExpiringLots(context.Background(), site, site.Location(), 0, now, 0)
		require.NoError(t, err)
		require.False(t, more)
		return len(rows)
	}
	now := tuitest.Noon
	require.Equal(t, 3, count(now))
	s.Receive("PO-9", s.Oat.ID, s.Main.ID, 5, "L42-A")
	ends := now.AddDate(0, 1, 0)
	doc := ledgertest.Do(s.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.Oat.ID, LocationID: s.Main.ID}, ExpectedQuantity: 5})
	ledgertest.Do(s.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: doc.Inbound.ID, Quantity: 5, NewLot: api.NewLot{LotCode: "L60-A", ExpiresAt: &ends}})
	require.Equal(t, 3, count(now.Add(time.Minute)))
	require.Equal(t, 4, count(now.Add(5*time.Minute)))
}

func TestLate_List(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	d := s.Terminal(s.Service, "late", watchlist.Register)
	d.Sees("Overdue › at WH-1", "1 overdue", "PO-2026-118", "! 26 h").Lacks("SO-7781", "PO-2026-119")
	d.Key("f6").Sees("Overdue › everywhere", "SO-7781", "Café Lumen", "! 20 min")
	d.Goldens("everywhere")
	d.Size(120, 40).Sees("│ PO-2026-118").Key("down").Sees("│ SO-7781", "customer  Café Lumen").Lacks("│ PO-2026-118")
	d.Size(80, 24).Lacks("│").Key("up")
	d.Key("down", "enter").Sees("route fulfill/").Key("esc")
	s.Terminal(viewtest.Minimal(s.Service), "late?place=all", watchlist.Register).Sees("PO-2026-118").Lacks("SO-7781")
}

func TestWatchlist_ServiceDown(t *testing.T) {
	t.Parallel()
	s := newFixture(t)
	link := viewtest.NewFaultProxy(s.Service)
	link.Fail(api.ReportSnapshot.Spec, viewtest.ErrUnreachable, nil)
	d := s.Terminal(link, "low", watchlist.Register)
	d.Sees("The service cannot be reached")
	link.Fail(api.ReportSnapshot.Spec, nil, nil)
	d.Key("f5").Sees("MUG-250")
	link.Down()
	d.Advance(3*time.Minute).Key("f5").Sees("MUG-250", "The service cannot be reached.")
}

func TestWatchlist_Empty(t *testing.T) {
	t.Parallel()
	s := viewtest.NewFixture(t)
	for route, words := range map[string]string{"low": "No low stock at WH-1", "expiring": "No lot in stock expires within 30 days", "late": "No overdue documents at WH-1"} {
		s.Terminal(s.Service, route, watchlist.Register).Sees(words)
	}
}
