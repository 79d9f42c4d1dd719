package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
	"bincard/server/ledger"
)

// addProblems makes what a supervisor must not overlook: PO-9 is late, LOT-5 ends in
// five days, of TEA-20 there is too little.
func (c *company) addProblems() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		now := built.Now() // in the zone of the terminal
		due, ends, reorder := now.Add(-50*time.Hour), time.Date(now.Year(), now.Month(), now.Day()+5, 0, 0, 0, 0, time.UTC), int64(40)
		do(c.t, svc, api.CreateInbound, api.CreateInboundInput{ProductID: c.mug, LocationID: c.main, ExpectedQuantity: 6,
			ReferenceType: "purchase_order", ReferenceID: "PO-9", ExpectedAt: &due})
		lot := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{ProductID: c.oat, LocationID: c.main, ExpectedQuantity: 12}).Inbound
		do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: lot.ID, Quantity: 12, LotCode: "LOT-5", ExpiresAt: &ends})
		tea := do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "TEA-20", Name: "Earl Grey", ReorderPoint: &reorder}).ID
		do(c.t, svc, api.AdjustStock, api.AdjustStockInput{ProductID: tea, LocationID: c.main, InventoryState: api.OnHand, QuantityDelta: 12, Reason: "found"})
	})
}

// goTo goes to a screen by the palette.
func (d *jobTerminal) goTo(name string, texts ...string) {
	d.t.Helper()
	d.key("C-p")
	d.shows("Type an action")
	d.types("open " + name).key("Enter")
	d.shows(texts...)
	time.Sleep(2 * keyInterval) // on a busy machine what was typed came like a scan, and an enter may end it
}

// back leaves so many screens, to the first one.
func (d *jobTerminal) back(screens int) {
	d.t.Helper()
	for range screens {
		d.key("Escape")
	}
	d.home()
}

// checkWatchlist looks at what is late, ends and runs short, and where each leads.
func (d *jobTerminal) checkWatchlist() {
	d.t.Helper()
	d.goTo("Late doc", "PO-9", "2 d")
	d.key("Enter")
	d.shows("PO-9", "White mug")
	d.back(2)
	d.goTo("Expiring lots", "LOT-5", " d") // 5, or 4 where midnight has passed
	d.key("Enter")
	d.shows("LOT-5", "✓", "12 ", "inbound receive")
	d.back(2)
	d.goTo("Low stock", "TEA-20", "28")
	d.key("Enter")
	d.shows("TEA-20", "on hand 12", "= balance ✓")
	d.back(2)
}

// traceSerial follows a piece to where it is.
func (d *jobTerminal) traceSerial() {
	d.t.Helper()
	d.scanAndChoose("01"+"0"+scalePiece+"21SN-2", "SN-2")
	d.shows("SN-2", "inbound receive")
	d.back(1)
}

// checkPastStock looks at the stock of today and of a day before there was any.
func (d *jobTerminal) checkPastStock() {
	d.t.Helper()
	d.goTo("Snapshot", "MUG-W", "30")
	d.key("F3", "Tab", "Tab", "Tab", "Tab", "Tab")
	d.shows("As of")
	d.types("2020-01-01").key("Enter")
	d.key("C-s")
	d.shows("No matching balances")
	d.key("F4")
	d.shows("MUG-W", "30")
	d.back(1)
}

// reserveAndRelease holds four mugs for somebody, finds them in the list and lets them go.
func (d *jobTerminal) reserveAndRelease() {
	d.t.Helper()
	d.goTo("Reserve stock", "Product")
	d.scan(mugPiece)
	d.shows("MUG-W")
	d.types("4").key("C-s")
	d.shows("White mug", "left")
	d.key("Escape")
	d.home()
	d.goTo("Reservations", "MUG-W", "4")
	d.key("Enter")
	d.shows("White mug", "release")
	d.key("F5")
	d.shows("Release RES-")
	d.key("Enter")
	d.shows("released")
	d.back(2)
}

// checkUnknownCodes finds a code again that nobody knows, and writes a file of it.
func (d *jobTerminal) checkUnknownCodes() {
	d.t.Helper()
	d.scan("NOBODY-77")
	d.shows("NOBODY-77")
	time.Sleep(2 * keyInterval)
	d.key("Enter")
	d.home()
	d.goTo("Unknown codes", "NOBODY-77", "1")
	d.key("F10")
	d.shows("✓ Wrote unknown-codes")
	files, err := filepath.Glob(d.machine.path("unknown-codes-*.csv"))
	require.NoError(d.t, err)
	require.Len(d.t, files, 1)
	d.key("F8")
	d.lacks("NOBODY-77")
	d.back(1)
}

// checkScanner shows what a code means, and counts nothing.
func (d *jobTerminal) checkScanner() {
	d.t.Helper()
	d.goTo("Scanner", "can any code")
	d.scan("]C101" + "0" + oatPiece + "10L42-A\x1d" + "17" + expiry("060102"))
	d.shows("(10)", "L42-A")
	d.back(1)
}

// changeSettings tries the connection and takes another name, which outlives the
// program.
func (d *jobTerminal) changeSettings() {
	d.t.Helper()
	d.goTo("Settings", "Operator")
	d.key("F4")
	d.shows("Connected to")
	d.key("C-u").types("Eve").key("C-s")
	d.until("keeps the name", func(string) bool {
		return strings.Contains(d.machine.read("config_home", "bincard", "config.toml"), "Eve")
	})
	d.signal(syscall.SIGKILL)
	d.until("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	d.screen = d.machine.openScreen(d.width, d.height, "settings")
	d.shows("Operator Eve")
	d.back(1)
}

// TestASupervisorsRound opens what is looked at between the jobs, through the
// program and a service.
func TestASupervisorsRound(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			c.addProblems()
			service := h.serve(c, "")
			d := &jobTerminal{screen: h.withService(c, service.url).openScreen(size[0], size[1], "--place", "WH-1"), c: c}
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
		})
	}
}
