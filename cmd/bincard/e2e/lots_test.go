package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// addLots receives 24 OAT-1L of each lot and orders ten as SO-2. It picks as many as
// picked from the first lot, and packs them if packed is set.
func (c *company) addLots(picked int64, packed bool, codes ...string) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		at := api.StockKey{ProductID: c.oat, LocationID: c.main}
		first := api.ID{}
		for i, code := range codes {
			in := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 24}).Inbound
			out := do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, NewLot: api.NewLot{LotCode: code}})
			if i == 0 {
				first = out.Movements[0].LotID
			}
		}
		ten := int64(10)
		order := do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.oat, LocationID: c.main, RequestedQuantity: &ten,
			CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"}}).Outbound
		do(c.t, svc, api.PickOutbound, api.HandleOutboundInput{OutboundID: order.ID, LotID: first, Quantity: &picked})
		if packed {
			do(c.t, svc, api.PackOutbound, api.HandleOutboundInput{OutboundID: order.ID})
		}
	})
}

// requireIssued requires that the movements of the lots say how much of each left.
func (c *company) requireIssued(want map[string]int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc, got := c.service(l), map[string]int64{}
		for _, lot := range do(c.t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat}).Items {
			for _, m := range do(c.t, svc, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Movements {
				if m.Operation == api.OpOutboundFulfill && m.InventoryState == api.OnHand {
					got[lot.LotCode] -= m.Quantity
				}
			}
		}
		require.Equal(c.t, want, got)
	})
}

// openOrder opens SO-2 and counts all that is ready, of a scanned lot.
func (c *company) openOrder(h *machine, lot string) *jobTerminal {
	c.t.Helper()
	d := &jobTerminal{screen: h.openScreen(80, 24, "--operator", "Ada", "--location", "WH-1", "--data", c.dir), c: c}
	d.home()
	d.scan("SO-2")
	d.waitFor("SO-2", "Oat milk")
	d.scan("]C101" + "0" + oatPiece + "10" + lot)
	d.waitFor("enter fulfill 1 ", lot)
	return d
}

// An order packed from one lot, and another lot scanned: the scanned lot leaves after the
// swap is confirmed, and nothing is booked before.
func TestFulfill_PackedFromAnotherLot(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLots(10, true, "L119-B", "L999-N")
	d := c.openOrder(h, "L999-N")
	d.waitFor("packed L119-B × 10")
	d.key("+")
	d.waitFor("enter fulfill 10")
	d.key("Enter")
	d.waitFor("Packed from lot L119-B, not L999-N. Press F8 to swap the lot.")
	d.key("F8")
	d.waitFor("This order is fulfilled (10 of 10)")
	d.key("C-q").requireExit(0)
	c.requireIssued(map[string]int64{"L999-N": 10})
}

// An order half picked from one lot, and the rest scanned of another: the scanned lot
// leaves, and the picked one stays for its own scan.
func TestFulfill_HalfPickedFromAnotherLot(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLots(4, false, "L119-B", "L999-N")
	d := c.openOrder(h, "L999-N")
	d.typeText("6").key("Enter")
	d.waitFor("enter fulfill 6")
	d.key("Enter")
	d.waitFor("Fulfilled 6: 6 of 10 done, 4 ready")
	d.key("C-q").requireExit(0)
	c.requireIssued(map[string]int64{"L999-N": 6})
}
