package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// addExpiringLots receives 24 OAT-1L of E2, and 24 of E1, which expires a month earlier. SO-2
// orders ten.
func (c *company) addExpiringLots() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		earlier, later := expires().AddDate(0, -1, 0), expires()
		for code, end := range map[string]*time.Time{"E1": &earlier, "E2": &later} {
			in := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.oat, LocationID: c.main}, ExpectedQuantity: 24}).Inbound
			do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, NewLot: api.NewLot{LotCode: code, ExpiresAt: end}})
		}
		ten := int64(10)
		do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.oat, LocationID: c.main, RequestedQuantity: &ten,
			Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"}})
	})
}

// An order names the lot that expires first. Another lot needs a second scan, and is the one
// that leaves.
func TestFulfill_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			c.addExpiringLots()
			d := c.openTerminal(h, size, "fulfill/SO-2")
			if d.small() {
				d.waitFor("Oat milk", "E1")
			} else {
				d.waitFor("Scan OAT-1L from lot E1, or type a quantity")
			}
			label := "]C101" + "0" + oatPiece + "10E2"
			d.scan(label)
			d.waitFor("E1 expires earlier", "This is lot E2.")
			d.key("Enter")
			d.waitGone("expires earlier")
			if !d.small() {
				d.waitFor("Scan OAT-1L from lot E1", "+ all 10")
			}
			d.scan(label)
			d.waitFor("E1 expires earlier")
			time.Sleep(10 * keyInterval)
			d.scan(label)
			d.waitGone("expires earlier")
			if d.small() {
				d.counted(1)
			} else {
				d.waitFor("enter fulfill 1 ", "E2")
			}
			d.key("Enter")
			d.waitFor("Fulfilled 1: 1 of 10 done")
			d.key("C-q").requireExit(0)
			c.requireIssued(map[string]int64{"E2": 1})
			require.Zero(t, h.drafts())
		})
	}
}
