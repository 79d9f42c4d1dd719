package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// An unknown barcode on a delivery is linked to its product, and the next scan counts.
func TestLink_UnknownBarcodeOfADelivery(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.scan("PO-3")
	d.waitFor("Receive › PO-3")
	const code = "4012345678901"
	d.scan(code)
	d.waitFor("is unknown", "F8 link to a product")
	d.key("F8")
	d.waitFor("link " + code)
	d.typeText("mug")
	d.waitFor("▸ MUG-W")
	d.key("Enter")
	d.waitFor("How many MUG-W are in one with this barcode?")
	d.key("BSpace").typeText("6").key("Enter")
	d.waitFor("Link " + code + " to a package of 6 × MUG-W (White mug)?")
	d.key("Enter")
	d.waitFor(code+" is linked to MUG-W. Scan it again.", "Receive › PO-3")
	time.Sleep(2 * keyInterval)
	d.scan(code)
	d.counted(6)
	d.key("Enter")
	d.waitFor("Received 6: 6 of 24")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 6, do(t, svc, api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
		units := do(t, svc, api.GetProduct, api.ProductInput{ProductID: c.mug}).Units
		require.Len(t, units, 1)
		require.Equal(t, []string{code}, units[0].Barcodes)
		require.Equal(t, "Ada", c.latest(svc, c.mug).Actor.Label)
	})
}

// A scanned product offers its open documents first.
func TestItem_OpensItsDocuments(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			inbound := c.addMugs()
			d := c.openTerminal(h, size)
			d.home()
			d.scan(mugPiece)
			if d.small() {
				d.waitFor("▸ 1 PO-3 24", "2 TR-1 10", "5 Stock")
			} else {
				d.waitFor("▸ 1 Receive PO-3 24 to go", "2 Ship TR-1 10 to go", "5 Stock 30 on hand")
			}
			time.Sleep(10 * keyInterval)
			d.key("Enter")
			d.waitFor("White mug")
			d.counted(0)
			d.scan(mugPiece)
			d.counted(1)
			d.key("Enter")
			d.waitFor("Received 1: 1 of")
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				require.EqualValues(t, 1, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
			})
		})
	}
}
