package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
	"bincard/tui/i18n"
	"bincard/tui/tuitest"
	"bincard/views/names"
)

// A jobTerminal does jobs on a screen of 80x24 or 40x8.
type jobTerminal struct {
	*screen
	c    *company
	bare bool             // the service has only the documented operations
	tr   *i18n.Translator // of the terminal's language
}

// status returns the sentence of a screen about a document that is done.
func (d *jobTerminal) status(english, status, n string) string {
	return d.tr.Get(english, names.Status(d.tr, status), n, n)
}

func (d *jobTerminal) small() bool { return d.height < 24 }

// home waits for the first screen.
func (d *jobTerminal) home() {
	d.t.Helper()
	if d.small() {
		d.waitFor(d.tr.Get("scan or pick a job"))
	} else {
		d.waitFor("1 " + d.tr.Get("Receive inbound"))
	}
}

// counted waits until n pieces are counted.
func (d *jobTerminal) counted(n int) {
	d.t.Helper()
	if d.small() {
		d.waitFor(fmt.Sprintf("%s %d", d.tr.Get("now"), n))
	} else {
		d.waitFor(fmt.Sprintf("%s %d", d.tr.Get("This count"), n))
	}
}

// scanProduct scans a product's label. On a bare service the label is unknown, and a
// second scan confirms it.
func (d *jobTerminal) scanProduct(label string) {
	d.t.Helper()
	d.scan(label)
	if d.bare {
		d.waitFor("is unknown")
		d.scan(label)
	}
}

// setLocation changes the location by scanning its code, or by choosing it with a digit.
func (d *jobTerminal) setLocation(code string, digit string) {
	d.t.Helper()
	if digit == "" {
		d.scan(code)
	} else {
		d.key("F6")
		d.waitFor(d.tr.Get("Where do you work?"), code)
		d.key(digit, "Enter")
	}
	d.waitFor(d.tr.Get("Location: %s", code))
	d.home()
}

// receive counts PO-1 by a label with lot, expiration date and quantity, changes the
// quantity and books 18 of 24.
func (d *jobTerminal) receive() {
	d.t.Helper()
	d.scan("PO-1")
	d.waitFor("PO-1", "Oat milk")
	d.scanProduct("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3012")
	d.counted(12)
	d.waitFor("L42-A", d.tr.TimeText(expiry(time.DateOnly)))
	d.typeText("18").key("Enter")
	d.counted(18)
	d.key("Enter")
	d.counted(0)
	if d.small() {
		d.waitFor("18/24", "to go 6")
	} else {
		d.waitFor(d.tr.Get("Received %s: %s of %s, %s to go", "18", "18", "24", "6"))
	}
	d.key("Escape")
	d.home()
}

// ship ships all of TR-1: two by scan, the rest by key.
func (d *jobTerminal) ship() {
	d.t.Helper()
	d.scan("TR-1")
	d.waitFor("TR-1", "White mug")
	d.scanProduct(mugPiece)
	d.counted(1)
	d.scan(mugPiece)
	d.counted(2)
	d.key("+")
	d.counted(10)
	d.key("Enter")
	if d.small() {
		d.waitFor("10/10", "to go 0")
	} else {
		d.waitFor(d.tr.Get("This transfer is shipped (%s of %s).", "10", "10"))
	}
	d.key("Escape")
	d.home()
}

// receiveTransfer receives seven of TR-1, then the rest.
func (d *jobTerminal) receiveTransfer() {
	d.t.Helper()
	d.scan("TR-1")
	d.waitFor("TR-1", "White mug")
	d.typeText("7").key("Enter")
	d.counted(7)
	d.key("Enter")
	d.counted(0)
	d.key("+")
	d.counted(3)
	d.key("Enter")
	if d.small() {
		d.waitFor("10/10", "to go 0")
	} else {
		d.waitFor(d.status("This transfer is %s (%s of %s).", string(api.TransferReceived), "10"))
	}
	d.key("Escape")
	d.home()
}

// fulfill fulfills SO-1 with SN-2. A bare service cannot list orders, so it needs the ID.
func (d *jobTerminal) fulfill() {
	d.t.Helper()
	name := "SO-1"
	if d.bare {
		name = d.c.outbound.String()
	}
	d.scan(name)
	d.waitFor("SO-1", "Kitchen scale")
	d.scanProduct("01" + "0" + scalePiece + "21SN-2")
	if d.small() {
		d.counted(1)
	} else {
		d.waitFor(d.tr.Get("Serials") + " SN-2")
	}
	d.key("Enter")
	if d.small() {
		d.waitFor("1/1", "to go 0")
	} else {
		d.waitFor(d.status("This order is %s (%s of %s).", string(api.OutboundFulfilled), "1"))
	}
	d.key("Escape")
	d.home()
}

// explain explains the balance of the remaining mugs.
func (d *jobTerminal) explain() {
	d.t.Helper()
	if d.bare {
		d.scan("MUG-W")
	} else {
		d.scan(mugPiece)
	}
	d.waitFor("MUG-W", "0-9 "+d.tr.GetC("open", "verb"))
	d.typeText("5")
	d.waitFor("MUG-W", d.tr.Get("balance adds up ✓"))
	d.waitFor(d.tr.Get("on hand %s%s%s", "20", " = ", ""))
	if !d.small() {
		d.waitFor(names.Operation(d.tr, api.OpTransferOut), "TR-1")
	}
	d.leaveItem()
}

// leaveItem goes back to the first screen from a job that was chosen for an item.
func (d *jobTerminal) leaveItem() {
	d.t.Helper()
	d.key("Escape")
	d.waitFor("0-9 " + d.tr.GetC("open", "verb"))
	d.key("Escape")
	d.home()
}

// requireJobs requires that the ledger has exactly the work of the five jobs.
func (c *company) requireJobs() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		in := do(c.t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.Equal(c.t, api.InboundPartiallyReceived, in.Status)
		require.EqualValues(c.t, 18, in.ReceivedQuantity)
		out := do(c.t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound})
		require.Equal(c.t, api.OutboundFulfilled, out.Status)
		require.Len(c.t, out.Lines[0].Serials, 1)
		require.Equal(c.t, "SN-2", out.Lines[0].Serials[0].Serial.SerialNumber)
		tr := do(c.t, svc, api.GetTransfer, api.TransferInput{TransferID: c.transfer})
		require.Equal(c.t, api.TransferReceived, tr.Status)
		require.EqualValues(c.t, 10, tr.ReceivedQuantity)
		for name, x := range map[string]struct {
			product, location api.ID
			want              api.Quantities
		}{
			"oat milk":        {c.oat, c.main, api.Quantities{OnHand: 18, Available: 18, Incoming: 6}},
			"mugs":            {c.mug, c.main, api.Quantities{OnHand: 20, Available: 20}},
			"mugs, the store": {c.mug, c.store, api.Quantities{OnHand: 10, Available: 10}},
			"scales":          {c.scale, c.main, api.Quantities{OnHand: 2, Available: 2}},
		} {
			require.Equal(c.t, x.want, c.balance(svc, x.product, x.location).Quantities, name)
		}
		lots := do(c.t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat})
		require.Len(c.t, lots.Items, 1)
		require.Equal(c.t, "L42-A", lots.Items[0].LotCode)
		require.Equal(c.t, expiry(time.DateOnly), lots.Items[0].ExpiresAt.Format(time.DateOnly))
		require.Equal(c.t, map[api.MovementOperation]int64{api.OpAdjust: 30, api.OpInboundReceive: 3 + 18,
			api.OpTransferOut: -10, api.OpTransferIn: 10, api.OpOutboundFulfill: -1}, c.sumByOperation(svc))
	})
}

// sumByOperation returns the sum of all on-hand movements by operation.
func (c *company) sumByOperation(svc api.Service) map[api.MovementOperation]int64 {
	c.t.Helper()
	all, limit := map[api.MovementOperation]int64{}, int64(500)
	list := do(c.t, svc, api.ReportMovements, api.ReportMovementsInput{InventoryState: api.OnHand, Limit: &limit})
	require.Nil(c.t, list.NextCursor)
	for _, m := range list.Items {
		all[m.Operation] += m.Quantity
	}
	return all
}

// A jobsPlace is a ledger on which the five jobs are done, and the size of the screen.
type jobsPlace struct {
	name          string
	width, height int
	language      string
}

// TestJobs_AllFive does the five jobs by keys and scans on a local ledger, and through a
// service with only the documented operations.
func TestJobs_AllFive(t *testing.T) {
	t.Parallel()
	doJobs(t, jobsPlace{"own ledger", 80, 24, "en"}, jobsPlace{"reduced service", 40, 8, "en"})
}

// TestJobs_Elsewhere does them at the other sizes, through a service, and through a cluster
// that loses a node all the time.
func TestJobs_Elsewhere(t *testing.T) {
	t.Parallel()
	testenv.JobsElsewhere.Cases(t)
	doJobs(t, jobsPlace{"own ledger", 40, 8, "en"}, jobsPlace{"reduced service", 80, 24, "en"},
		jobsPlace{"own ledger", 80, 24, "de"}, jobsPlace{"own ledger", 80, 24, "es"},
		jobsPlace{"service", 80, 24, "en"}, jobsPlace{"service", 40, 8, "en"}, jobsPlace{"cluster", 80, 24, "en"}, jobsPlace{"cluster", 40, 8, "en"})
}

func doJobs(t *testing.T, places ...jobsPlace) {
	for _, at := range places {
		t.Run(fmt.Sprintf("%s %dx%d %s", at.name, at.width, at.height, at.language), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			args := []string{"--operator", "Ada", "--location", "WH-1"}
			require.NoError(t, os.MkdirAll(h.path("config_home", "bincard"), 0o700))
			require.NoError(t, os.WriteFile(h.path("config_home", "bincard", "config.toml"), []byte("language = \""+at.language+"\"\n"), 0o600))
			end := func() {}
			var c *company
			switch at.name {
			case "own ledger":
				c = newCompany(t, h.path("data"))
				args = append(args, "--data", c.dir)
			default:
				var service *service
				if at.name == "cluster" {
					c = newCompanyIn(t, pgtest.Database(t))
					service = h.serveCluster(c, 2).loseNodes()
				} else {
					c = newCompany(t, h.path("data"))
					service = h.serve(c, "")
				}
				end = func() { service.end(syscall.SIGTERM) }
				url := service.url
				if at.name == "reduced service" {
					url = service.withoutExtensions()
				}
				h = h.withService(c, url)
			}

			d := &jobTerminal{screen: h.openScreen(at.width, at.height, args...), c: c, bare: at.name == "reduced service",
				tr: tuitest.Language(t, at.language)}
			d.home()
			d.receive()
			d.ship()
			if at.name == "own ledger" {
				d.setLocation("ST-1", "1")
			} else {
				d.setLocation("ST-1", "")
			}
			d.receiveTransfer()
			d.setLocation("WH-1", "")
			d.fulfill()
			d.explain()
			d.key("C-q").requireExit(0)
			end()
			c.requireJobs()
		})
	}
}

// TestCount_ByAWorker counts blind, accepts a shipped scale as found, counts a large
// difference a second time after a crash, and asks the ledger who did what.
func TestCount_ByAWorker(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(t, c.service(l), api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: c.scale, LocationID: c.main},
			SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-3"}}})
	})
	service := h.serve(c, "")
	on := h.withService(c, service.url)
	on.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
	on.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
	d := &jobTerminal{screen: on.openScreen(80, 24, "--location", "WH-1", "count/WH-1"), c: c}
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("blind 0 of 2 counted")
	d.key("F4")
	require.False(t, has(d.waitFor("A supervisor must approve: show expected"), "30"))
	d.key("Escape")
	d.waitFor("blind 0 of 2 counted")
	d.scan(mugPiece)
	d.waitFor("MUG-W selected, 0 counted. Scan again to count.")
	d.typeText("12").key("Enter")
	d.waitFor("blind 1 of 2 counted")
	d.scan("01" + "0" + scalePiece + "21" + "SN-3")
	d.waitFor("Serial SN-3 of SCA-5 was shipped from WH-1.")
	d.key("F8")
	d.waitFor("A supervisor must approve: count it as found")
	d.scan("EVE-0009")
	d.waitFor("blind 2 of 2 counted")
	for _, piece := range []string{"SN-1", "SN-2"} {
		d.scan("01" + "0" + scalePiece + "21" + piece)
		d.waitFor("serial", piece)
	}
	d.key("Enter")
	d.waitFor("1 to count again", "1 counted")
	d.key("F3")
	d.waitFor("blind 1 of 2 counted")
	d.signal(syscall.SIGKILL)
	d.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	d.screen = on.openScreen(80, 24, "--location", "WH-1", "count/WH-1")
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("blind 1 of 2 counted")
	d.scan(mugPiece)
	d.waitFor("+1")
	d.typeText("12").key("Enter")
	d.waitFor("blind 2 of 2 counted", "+11")
	d.key("Enter")
	d.waitFor("1 to count again", "1 counted") // the second count is the same person's
	d.key("Enter")
	d.waitFor("A supervisor must approve: post count of WH-1")
	d.scan("EVE-0009")
	d.waitFor("Large differences without a second count: 1. Reason?")
	d.typeText("broken").key("Enter")
	d.waitFor("Adjust WH-1 to match the count?")
	d.key("Enter")
	d.waitFor("WH-1 counted: 2 adjusted")
	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 3, c.balance(svc, c.scale, c.main).OnHand)
		by := c.lastChanges(svc)
		require.Equal(t, "Ada, approved by Eve", by[api.ReconcileStock.Spec.ID])
		require.Equal(t, "Ada, approved by Eve", by[api.ReturnStock.Spec.ID])
	})
}

// lastChanges returns who did the last change of each operation. Counts that agree change nothing.
func (c *company) lastChanges(svc api.Service) map[string]string {
	c.t.Helper()
	by := map[string]string{}
	for _, x := range do(c.t, svc, api.ListChanges, api.ListChangesInput{}).Items {
		agrees := func(m api.Movement) bool { return m.Operation == api.OpReconcile && m.Quantity == 0 }
		if x.CreatedBy != nil && !slices.ContainsFunc(x.Movements, agrees) {
			by[x.Operation] = x.CreatedBy.Label
		}
		if x.ApprovedBy != nil {
			by[x.Operation] = api.OperatorText(by[x.Operation], x.ApprovedBy.Label)
		}
	}
	return by
}
