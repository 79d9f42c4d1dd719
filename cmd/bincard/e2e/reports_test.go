package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// addMovements adds more than two pages of movements, a product with low stock and a lot
// that is partly shipped.
func (c *company) addMovements() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for range 600 {
			do(c.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
		}
		reorder := int64(40)
		do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "TEA-20", Name: "Earl Grey", ReorderPoint: &reorder})
		do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: c.inbound, Quantity: 12, NewLot: api.NewLot{LotCode: "LOT-7"}})
		q := int64(5)
		out := do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.oat, LocationID: c.main, RequestedQuantity: &q,
			CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-7"}}).Outbound
		do(c.t, svc, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
	})
}

// files returns the names of all files in dir.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

func TestReports_FilterExportAndTrace(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addMovements()
	folder := h.path("taken")
	require.NoError(t, os.Mkdir(folder, 0o700))
	service := h.serve(c, "")
	terminal := h.withService(c, service.url).withEnv("BINCARD_LOCATION=WH-1")

	s := terminal.openScreen(80, 24, "movements?days=7")
	s.waitFor("Movements (500+) › last 7 days", "1 of 500+ movements")
	s.key("F8")
	s.waitFor("by operation", "adjust", "in and out are units on hand")
	s.key("Enter")
	s.waitFor("last 7 days · adjust")
	s.key("C-s")
	s.waitFor("Save as: last 7 days · adjust")
	s.typeText("Found").key("Enter")
	s.waitFor("saved: Found")

	service.end(syscall.SIGKILL)
	s.key("End")
	s.waitFor("cannot be reached. F5 retries")
	path := filepath.Join(folder, "found.csv")
	s.key("F10", "Enter")
	s.waitFor("Export to which file?")
	s.key("C-u").typeText(path).key("Enter")
	s.waitFor("The export stopped at")
	require.NotContains(t, files(t, folder), "found.csv")
	h.serve(c, service.addr)
	s.key("F10")
	s.waitFor("Wrote 1,202 rows")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1203, strings.Count(string(text), "\n"))
	require.Equal(t, []string{"found.csv"}, files(t, folder))
	s.key("Escape", "F5")
	s.waitFor("of 1,000+ movements")
	s.key("C-q").requireExit(0)

	s = terminal.openScreen(80, 24, "movements") // the filter is restored, because it has a name
	s.waitFor("last 7 days · adjust", "saved: Found")
	s.scan("LOT-7")
	s.waitFor("Trace › LOT-7 › OAT-1L", "received 12 = in stock 7 + shipped 5")
	s.key("Right", "Right", "Right")
	s.waitFor("Café Lumen", "SO-7")
	s.key("C-q").requireExit(0)

	s = terminal.openScreen(40, 8, "low?location=all")
	s.waitFor("Low stock", "TEA-20")
	s.key("C-q").requireExit(0)
	s = terminal.openScreen(80, 24, "explain/MUG-W@WH-1")
	s.waitFor("on hand 630", "= balance ✓")
	s.key("Tab")
	s.waitFor("on hand at the end of each of 30 days", "most 630")
	s.key("C-q").requireExit(0)
}
