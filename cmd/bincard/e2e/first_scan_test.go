package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// waitAvailable waits until a form shows what is left of 30 available pieces.
func (d *jobTerminal) waitAvailable(after string) {
	d.t.Helper()
	if d.small() {
		d.waitFor("available 30→" + after)
	} else {
		d.waitFor("Available 30 → " + after)
	}
}

// The scan that chooses a product to adjust counts nothing, nor does that of a kit, which
// opens with what is possible.
func TestAdjust_FirstScanCountsNothing(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			c.withLedger(func(l *ledger.Ledger) {
				do(t, c.service(l), api.CreateProduct, api.CreateProductInput{SKU: "BASKET", Name: "Mugs in a basket",
					Components: []api.Component{{ProductID: c.mug, Quantity: 2}}})
			})
			d := c.openTerminal(h, size)
			d.home()
			d.goTo("Adjust stock", "can the product")
			d.scan(mugPiece)
			d.waitAvailable("30")
			time.Sleep(2 * keyInterval)
			d.scan(mugPiece)
			d.waitAvailable("29")
			d.typeText("0").key("Enter")
			d.waitAvailable("30")
			d.key("Escape")
			d.home()
			d.goTo("Kits", "can the product")
			d.scan("BASKET")
			if d.small() {
				d.waitFor("assemble", "available 0→0", "2× MUG-W 30→30", "now 0")
			} else {
				d.waitFor("assemble", "Available 0 → 0", "2× MUG-W White mug 30 → 30", "+ all 15")
			}
			d.key("Escape")
			d.home()
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				require.EqualValues(t, 30, c.balance(c.service(l), c.mug, c.main).OnHand)
			})
		})
	}
}
