package e2e_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
	"bincard/server/ledger"
)

// addLargeOrder ships TR-1 and creates SO-3, which orders 50 MUG-W of the 20 that are left.
func (c *company) addLargeOrder() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		fifty := int64(50)
		do(c.t, c.service(l), api.ShipTransfer, api.MoveTransferInput{TransferID: c.transfer})
		do(c.t, c.service(l), api.CreateOutbound, api.CreateOutboundInput{ProductID: c.mug, LocationID: c.main, RequestedQuantity: &fifty,
			Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-3"}})
	})
}

// waitOnly waits until the screen shows the texts, and requires that it lacks others.
func (d *jobTerminal) waitOnly(texts []string, others ...string) {
	d.t.Helper()
	view := d.waitFor(texts...)
	for _, text := range others {
		require.False(d.t, has(view, text), "%q is in\n%s", text, view)
	}
}

// A document offers what is possible: no quantity of serialized pieces, no scan after the
// last of them, no allocation without stock, and nothing once it is finished. A past
// snapshot names its day where it explains the balance of now.
func TestDocument_OffersWhatIsPossible(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLargeOrder()
	d := c.openTerminal(h, [2]int{80, 24}, "fulfill/SO-1")
	d.waitFor("Scan each serial number of SCA-5, such as SN-")
	d.typeText("1").key("Enter")
	d.waitOnly([]string{"enter continue"}, "type how many", "type a quantity", "Now 1")
	d.key("Enter")
	d.waitGone("enter continue")
	d.scan("01" + "0" + scalePiece + "21SN-1")
	d.waitOnly([]string{"All counted: press enter to fulfill", "Serials SN-1"}, "Scan each serial number")
	d.key("Enter")
	d.waitOnly([]string{"This order is fulfilled (1 of 1). Enter opens SO-3."}, "cancel")
	d.scan("SO-3")
	d.waitOnly([]string{"Fulfill › SO-3", "30 waiting for stock"}, "F3 alloc")
	d.key("F3")
	d.waitFor("! Nothing can be allocated: none is available here.")
	d.key("C-q").requireExit(0)

	d = &jobTerminal{screen: h.openScreen(80, 24, "--location", "ST-1", "--data", c.dir, "receive-transfer/TR-1"), c: c}
	d.waitFor("Shipped 10 Received 0", "0% after this", "close short")
	d.key("+")
	d.waitFor("100% after this", "enter receive 10")
	d.key("Enter")
	d.waitOnly([]string{"This transfer is received (10 of 10)."}, "close short", "cancel")
	d.key("C-q").requireExit(0)

	today := built.Now().Format(time.DateOnly)
	tomorrow := h.withClockOffset(24 * time.Hour)
	tomorrow.mustRun("adjust", "MUG-W@WH-1", "+5", "--reason", "found", "--data", c.dir)
	d = c.openTerminal(tomorrow, [2]int{80, 24}, "snapshot?location=WH-1&asOf="+today)
	d.waitFor("as of "+today, "▸ MUG-W WH-1 20")
	d.key("Enter")
	d.waitFor("This is the balance now. As of "+today+", 20 were on hand.", "on hand 25 = avail")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.Equal(t, "SN-1", do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound}).Lines[0].Serials[0].Serial.SerialNumber)
		require.EqualValues(t, 10, c.balance(svc, c.mug, c.store).OnHand)
	})
}

// Every form is saved with ctrl+s, and its footer says so. The list counts what it shows.
func TestForms_SavedWithCtrlS(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	for _, x := range []struct {
		name, first string
		fields      []string
	}{
		{"Create a location", "Code", []string{"ST-9", "Corner"}},
		{"Create a product", "SKU", []string{"TEA-20", "Earl Grey"}},
		{"Add a delivery", "Product", []string{"MUG-W", "6"}},
		{"Plan a transfer", "Product", []string{"MUG-W", "2"}},
		{"Reserve stock", "Product", []string{"MUG-W", "3"}},
	} {
		d.goTo(x.name, x.first)
		for i, text := range x.fields {
			if i > 0 {
				d.key("Tab")
			}
			d.typeText(text)
		}
		d.waitFor("ctrl+s save")
		d.key("C-s")
		d.waitGone("ctrl+s save")
		d.key("C-g")
		d.home()
	}
	d.goTo("Products", "▸ Scan a product", "4 products")
	d.typeText("tea")
	d.waitFor("1 of 4 products", "Earl Grey")
	d.key("C-g")
	d.home()
	d.goTo("Settings", "Operator", "Lock (min)")
	d.typeText("x")
	d.key("Tab", "Tab", "Tab", "Tab", "Tab")
	d.typeText("5")
	d.waitFor("Lock (min) 5", "ctrl+s save")
	d.key("C-s")
	d.waitFor("Settings saved", "Adax LOCAL")
	d.key("C-q").requireExit(0)
	require.Regexp(t, `(?m)^lock = ["']5m["']$`, h.readFile("config_home", "bincard", "config.toml"))
	d = c.openTerminal(h, [2]int{80, 24}, "settings")
	d.waitFor("Lock (min) 5 ")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.Len(t, do(t, svc, api.ListLocations, api.ListPlacesInput{}).Items, 3)
		require.Len(t, do(t, svc, api.ListInbounds, api.ListInboundsInput{StockFilter: api.StockFilter{ProductID: c.mug}}).Items, 1)
		require.Len(t, do(t, svc, api.ListTransfers, api.ListTransfersInput{}).Items, 2)
		require.EqualValues(t, 3, c.balance(svc, c.mug, c.main).Reserved)
	})
}

// Dates are written year first at every size, and days late are counted.
func TestDates_YearFirst(t *testing.T) {
	t.Parallel()
	dayFirst := regexp.MustCompile(`\d\d[./]\d\d[./]\d\d`)
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} {
		h := newMachine(t)
		c := newCompany(t, h.path("data"))
		c.addProblems()
		d := c.openTerminal(h, size)
		d.home()
		require.NotRegexp(t, dayFirst, d.view())
		d.goTo("Late doc", "PO-9", "2 d")
		d.goTo("Expiring lots", "LOT-5")
		require.NotRegexp(t, dayFirst, d.view())
		d.scan("PO-9")
		d.waitFor("White mug")
		require.NotRegexp(t, dayFirst, d.view())
		d.key("C-q").requireExit(0)
	}
}

// An error is a bar, and the way out of it is as bright as text.
func TestError_WayOutIsReadable(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openTerminal(h, [2]int{80, 24}, "--theme", "dark", "receive/PO-1")
	d.waitFor("Oat milk")
	d.scan(mugPiece)
	d.waitFor("OAT-1L is expected; this is MUG-W", "enter continue")
	painted := d.tmux("capture-pane", "-p", "-e")
	require.Regexp(t, `\x1b\[1;7m(\x1b\[[0-9;]*m)?! OAT-1L is expected`, painted)
	require.Regexp(t, `\x1b\[1m *enter continue`, painted)
	d.key("C-q")
}

// The palette lists the screen's actions first, and every entry begins with a capital.
func TestPalette_ActionsFirst(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openTerminal(h, [2]int{80, 60}, "receive/PO-1")
	d.waitFor("Oat milk")
	d.key("C-p")
	view := d.waitFor("Type an action", "▸ Receive 0", "Open: Home")
	require.Regexp(t, `(?s)All 24.*Damaged.*Close short.*Open: Home.*Open: Settings.*Help`, view)
	for _, line := range regexp.MustCompile(`(?m)^ [▸ ] ([^\s█]+)`).FindAllStringSubmatch(view, -1) {
		require.Regexp(t, `^[A-Z↓]`, line[1], view)
	}
	d.key("C-q")
}

// A large screen shows what a supervisor watches beside the jobs, and what is in the
// selected document beside the list.
func TestLargeScreen_ShowsPanes(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addProblems()
	c.addDelivery()
	d := c.openTerminal(h, [2]int{200, 60})
	d.home()
	d.waitFor("Late", "PO-9", "Low stock", "TEA-20", "Expiring", "LOT-5")
	d.key("1")
	d.waitFor("choose one", "PO-1", "▸ PO-9", "4 lines to go", "Kitchen scale")
	d.key("C-q").requireExit(0)
}

// Commands take --demo, refuse with a code that scripts can read, and name the version.
func TestCommands_SpeakToScripts(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	require.Contains(t, h.mustRun("scan", "--demo", mugPiece), "gtin")
	require.Contains(t, h.mustRun("scan", "\x1d]C101"+oatBox+"10L1"), "19521000000015")
	require.Contains(t, h.mustRun("export", "snapshot", "--demo"), "productSku,")
	require.Contains(t, h.mustRun("--version"), "bincard ")
	l := h.openLine(false, "--plain", "--demo")
	l.waitFor("Adjust and count", 0)
	require.Regexp(t, `(?m)^ +\(01\)\d{14}\(17\)\d{6}\(10\)L\S+\r?$`, l.bytes(), "codes to copy are on one line")
	l.send("quit\r").requireExit(0)
	out, status := h.run("receive", "NO-SUCH", "1", "--demo", "--json")
	require.Equal(t, 1, status)
	require.Contains(t, out, `"code":"NOT_FOUND"`)
	out, _ = h.run("receive", "PO-"+built.Now().Format("2006")+"-427", "9999", "--lot", "L1", "--demo", "--json")
	require.Contains(t, out, `"code":"QUANTITY_EXCEEDS_PENDING"`)
	require.NotContains(t, out, "stays at")
}
