package e2e_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
)

// addKit creates BASKET, a kit of two MUG-W, with 4 on hand at WH-1.
func (c *company) addKit() (id api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		id = do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "BASKET", Name: "Mugs in a basket",
			Components: []api.Component{{ProductID: c.mug, Quantity: 2}}}).ID
		do(c.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: id, LocationID: c.main}, InventoryState: api.OnHand,
			QuantityDelta: 4, Reason: "opening stock"})
	})
	return id
}

// scanAndChoose scans a label on the first screen and chooses a job for the item by its
// key.
func (d *jobTerminal) scanAndChoose(label, key string) {
	d.t.Helper()
	d.scan(label)
	d.waitFor("0-9 open") // and is idle
	d.key(key)
}

// confirm chooses the first reason and confirms the question.
func (d *jobTerminal) confirm(question string) {
	d.t.Helper()
	d.key("Enter")
	d.waitFor("Reason?")
	d.key("Enter")
	d.waitFor(question)
	d.key("Enter")
}

// adjust writes off three mugs, undoes that and writes off two.
func (d *jobTerminal) adjust() {
	d.t.Helper()
	d.scanAndChoose(mugPiece, "9")
	d.waitFor("MUG-W@WH-1", "White mug")
	d.typeText("3").key("Enter")
	d.waitFor("30 → 27", "-3")
	d.confirm("available 30 → 27, on hand 30 → 27 (lost)?")
	d.waitFor("27 → 27")
	d.key("F8")
	d.waitFor("30 → 30")
	d.typeText("2").key("Enter")
	d.confirm("available 30 → 28, on hand 30 → 28 (lost)?")
	d.waitFor("28 → 28")
	d.leaveItem()
}

// move marks a mug as damaged. The terminal is killed before the confirmation.
func (d *jobTerminal) move() {
	d.t.Helper()
	d.scanAndChoose(mugPiece, "0")
	d.waitFor("MUG-W@WH-1", "available → damaged")
	d.scan("01" + "0" + mugPiece) // the same code again could count as the same scan
	d.waitFor("28 → 27", "0 → 1")
	d.killAndRestart()
	d.waitFor("28 → 27", "0 → 1")
	d.confirm("Move 1 MUG-W at WH-1")
	d.waitFor("1 → 1")
	d.leaveItem()
}

// killAndRestart kills the terminal and starts it again; it restores the screen.
func (d *jobTerminal) killAndRestart() {
	d.t.Helper()
	d.signal(syscall.SIGKILL)
	d.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	d.screen = d.machine.openScreen(d.width, d.height, "--operator", "Ada", "--location", "WH-1")
}

// kits disassembles one basket.
func (d *jobTerminal) kits() {
	d.t.Helper()
	d.scanAndChoose("BASKET", "F4")
	d.waitFor("BASKET@WH-1", "2×", "MUG-W")
	d.typeText("1").key("Enter")
	d.waitFor("4 → 3", "27 → 29")
	d.confirm("Disassemble 1 BASKET at WH-1")
	d.waitFor("3 → 3")
	d.leaveItem()
}

// reserve reserves five mugs and commits the reservation.
func (d *jobTerminal) reserve() {
	d.t.Helper()
	d.scanAndChoose(mugPiece, "7")
	d.waitFor("MUG-W", "Expires")
	d.typeText("5").key("Enter", "Enter", "Enter")
	d.waitFor("White mug", "left", "Enter to commit")
	d.key("Enter")
	d.waitFor("Commit reservation")
	d.key("Enter")
	d.waitFor("✓ committed")
	d.leaveItem()
}

// awaitProgress waits until n of the three products are counted.
func (d *jobTerminal) awaitProgress(n int) {
	d.t.Helper()
	if d.small() {
		d.waitFor(fmt.Sprintf("%d/3", n))
	} else {
		d.waitFor(fmt.Sprintf("%d of 3 counted", n))
	}
}

// awaitReview waits for the review of the count, which is the only state of the count
// that does not offer it.
func (d *jobTerminal) awaitReview() {
	d.t.Helper()
	d.waitUntil("reviews the count and is idle", func(view string) bool {
		return strings.Contains(view, "·idle·") && has(view, "BASKET", "-1") && !has(view, "review")
	})
}

// TestCorrections_SurviveCrashes adjusts, moves, disassembles, reserves and counts stock
// through a service. Both the terminal and the service are killed on the way.
func TestCorrections_SurviveCrashes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}}[:min(2, budget.Corrections.Cases(t))] {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			kit := c.addKit()
			service := h.serve(c, "")
			on := h.withService(c, service.url)
			d := &jobTerminal{screen: on.openScreen(size[0], size[1], "--operator", "Ada", "--location", "WH-1"), c: c}
			d.home()
			d.adjust()
			d.move()
			d.kits()
			d.reserve()

			d.key("9")
			d.waitFor("Count this location")
			d.key("Enter")
			d.awaitProgress(0)
			d.scan("BASKET")
			d.typeText("2").key("Enter")
			d.scan(mugPiece)
			d.typeText("30").key("Enter")
			d.scan(scalePiece)
			for _, piece := range []string{"SN-1", "SN-2", "SN-4"} {
				d.scan("01" + "0" + scalePiece + "21" + piece)
				d.waitFor(piece)
			}
			d.waitFor("SN-4", "never received")
			d.key("F8")
			d.awaitProgress(3)
			service.end(syscall.SIGKILL)
			d.key("Enter")
			d.waitFor("cannot be reached")
			d.killAndRestart()
			d.waitFor("cannot be reached")
			service = h.serve(c, service.addr)
			d.key("Enter")
			d.awaitProgress(3)
			d.key("Enter")
			d.awaitReview()
			d.key("Enter")
			d.waitFor("Adjust WH-1 to match the count?")
			d.key("Enter")
			d.awaitProgress(0)
			d.key("Escape")
			d.waitFor("9 Adjust and count")
			d.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				require.Equal(t, api.Quantities{OnHand: 30, Available: 24, Committed: 5, Damaged: 1}, c.balance(svc, c.mug, c.main).Quantities)
				require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, c.balance(svc, kit, c.main).Quantities)
				require.EqualValues(t, 3, c.balance(svc, c.scale, c.main).OnHand)
				require.Equal(t, map[api.MovementOperation]int64{api.OpAdjust: 30 + 4 - 3 + 3 - 2, api.OpInboundReceive: 3,
					api.OpDisassembleInput: -1, api.OpDisassembleComponent: 2, api.OpReconcile: -1, api.OpWriteOff: -1, api.OpReceive: 1}, c.sumByOperation(svc))
			})
		})
	}
}
