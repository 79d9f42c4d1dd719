package e2e_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/built"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
)

// addProblems creates what a supervisor watches for: PO-9 is late, LOT-5 expires in five
// days, and TEA-20 is low.
func (c *company) addProblems() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		now := built.Now() // in the terminal's time zone
		due, ends, reorder := now.Add(-50*time.Hour), time.Date(now.Year(), now.Month(), now.Day()+5, 0, 0, 0, 0, time.UTC), int64(40)
		do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, ExpectedQuantity: 6,
			Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-9"}, ExpectedAt: &due})
		lot := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.oat, LocationID: c.main}, ExpectedQuantity: 12}).Inbound
		do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: lot.ID, Quantity: 12, NewLot: api.NewLot{LotCode: "LOT-5", ExpiresAt: &ends}})
		tea := do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "TEA-20", Name: "Earl Grey", ReorderPoint: &reorder}).ID
		do(c.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: tea, LocationID: c.main}, InventoryState: api.OnHand, QuantityDelta: 12, Reason: "found"})
	})
}

// goTo opens a screen through the command palette.
func (d *jobTerminal) goTo(name string, texts ...string) {
	d.t.Helper()
	d.key("C-p")
	d.waitFor("Type an action")
	d.typeText("open " + name)
	d.waitFor("▸ Open:")
	d.key("Enter")
	d.waitGone("Type an action")
	d.waitFor(texts...)
	time.Sleep(2 * keyInterval) // on a loaded machine, the typed text and the next enter may look like a scan
}

// back leaves this many screens and waits for the first screen.
func (d *jobTerminal) back(screens int) {
	d.t.Helper()
	for range screens {
		d.key("Escape")
	}
	d.home()
}

// checkWatchlist opens an entry of late documents, expiring lots and low stock.
func (d *jobTerminal) checkWatchlist() {
	d.t.Helper()
	d.goTo("Late doc", "PO-9", "2 d")
	d.key("Enter")
	d.waitFor("PO-9", "White mug")
	d.back(2)
	d.goTo("Expiring lots", "LOT-5", " d") // 5, or 4 after midnight
	d.key("Enter")
	d.waitFor("LOT-5", "✓", "12 ", "inbound receive")
	d.back(2)
	d.goTo("Low stock", "TEA-20", "28")
	d.key("Enter")
	d.waitFor("TEA-20", "on hand 12", "= balance ✓")
	d.back(2)
}

// traceSerial opens the history of a serial number.
func (d *jobTerminal) traceSerial() {
	d.t.Helper()
	d.scanAndChoose("01"+"0"+scalePiece+"21SN-2", "F7")
	d.waitFor("SN-2", "inbound receive")
	d.back(2)
}

// checkPastStock opens the snapshot of today and of a day before any stock.
func (d *jobTerminal) checkPastStock() {
	d.t.Helper()
	d.goTo("Snapshot", "MUG-W", "30")
	d.key("F3", "Tab", "Tab", "Tab", "Tab", "Tab")
	d.waitFor("As of")
	d.typeText("2020-01-01").key("Enter")
	d.key("C-s")
	d.waitFor("No matching balances")
	d.key("F4")
	d.waitFor("MUG-W", "30")
	d.back(1)
}

// reserveAndRelease reserves four mugs, finds the reservation in the list and releases
// it.
func (d *jobTerminal) reserveAndRelease() {
	d.t.Helper()
	d.goTo("Reserve stock", "Product")
	d.scan(mugPiece)
	d.waitFor("MUG-W")
	d.typeText("4").key("C-s")
	d.waitFor("White mug", "left")
	d.key("Escape")
	d.home()
	d.goTo("Reservations", "MUG-W", "4")
	d.key("Enter")
	d.waitFor("White mug", "release")
	d.key("F5")
	d.waitFor("Release reservation")
	d.key("Enter")
	d.waitFor("released")
	d.back(2)
}

// checkUnknownCodes scans an unknown code, then finds, exports and clears it.
func (d *jobTerminal) checkUnknownCodes() {
	d.t.Helper()
	d.scan("NOBODY-77")
	d.waitFor("NOBODY-77")
	time.Sleep(2 * keyInterval)
	d.key("Enter")
	d.home()
	d.goTo("Unknown codes", "NOBODY-77", "1")
	d.key("F10")
	d.waitFor("✓ Wrote unknown-codes")
	files, err := filepath.Glob(d.machine.path("unknown-codes-*.csv"))
	require.NoError(d.t, err)
	require.Len(d.t, files, 1)
	d.key("F8")
	d.waitGone("NOBODY-77")
	d.back(1)
}

// checkScanner opens the screen that explains codes.
func (d *jobTerminal) checkScanner() {
	d.t.Helper()
	d.goTo("Scanner", "can any code")
	d.scan("]C101" + "0" + oatPiece + "10L42-A\x1d" + "17" + expiry("060102"))
	d.waitFor("nothing to fix")
	d.waitFor("(10)", "L42-A")
	d.back(1)
}

// changeSettings tests the connection and changes the operator, which survives a kill.
func (d *jobTerminal) changeSettings() {
	d.t.Helper()
	d.goTo("Settings", "Operator")
	d.key("F4")
	d.waitFor("Connected to")
	d.key("C-u").typeText("Eve").key("C-s")
	d.waitUntil("keeps the name", func(string) bool {
		return strings.Contains(d.machine.readFile("config_home", "bincard", "config.toml"), "Eve")
	})
	d.signal(syscall.SIGKILL)
	d.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	d.screen = d.machine.openScreen(d.width, d.height, "settings")
	d.waitFor("Operator Eve")
	d.back(1)
}

// TestScreens_Supervisor opens the watchlist, traces, snapshots, reservations, unknown
// codes and settings through a cluster that loses a node all the time.
func TestScreens_Supervisor(t *testing.T) {
	t.Parallel()
	budget.SupervisorRounds.Cases(t)
	h := newMachine(t)
	c := newCompanyIn(t, pgtest.Database(t))
	c.addProblems()
	service := h.serveCluster(c, 2).loseNodes()
	d := &jobTerminal{screen: h.withService(c, service.url).openScreen(80, 24, "--location", "WH-1"), c: c}
	d.home()

	d.checkWatchlist()
	d.traceSerial()
	d.checkPastStock()
	d.reserveAndRelease()
	d.checkUnknownCodes()
	d.checkScanner()
	d.changeSettings()

	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.Equal(t, api.Quantities{OnHand: 30, Available: 30, Incoming: 6}, c.balance(c.service(l), c.mug, c.main).Quantities)
	})
}
