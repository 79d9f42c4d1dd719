package e2e_test

import (
	"fmt"
	"testing"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A finished order shows the lots and serials that left, and a received delivery those that
// came, also when it is opened again.
func TestDocument_FinishedShowsLots(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			c.addLots(4, false, "L119-B", "L999-N")
			c.withLedger(func(l *ledger.Ledger) {
				do(t, c.service(l), api.ReceiveInbound, api.ReceiveInboundInput{InboundID: c.inbound, Quantity: 20, NewLot: api.NewLot{LotCode: "L7-Q"}})
			})
			d := c.openTerminal(h, size, "receive/PO-1")
			d.waitFor("Oat milk")
			d.scan("]C101" + "0" + oatPiece + "10L8-R")
			d.counted(1)
			d.typeText("4").key("Enter")
			d.counted(4)
			d.key("Enter")
			d.waitFor("L7-Q × 20, L8-R × 4")
			d.scan("SO-1")
			d.waitFor("Kitchen scale")
			d.scanProduct("01" + "0" + scalePiece + "21SN-2")
			d.waitFor("SN-2")
			d.key("Enter")
			d.waitFor("fulfilled", "SN-2")
			d.scan("SO-2")
			d.waitFor("Oat milk")
			d.scan("]C101" + "0" + oatPiece + "10L999-N")
			d.waitFor("L999-N")
			d.typeText("6").key("Enter")
			d.waitFor("6")
			d.key("Enter")
			d.scan("]C101" + "0" + oatPiece + "10L119-B")
			d.waitFor("L119-B")
			d.typeText("4").key("Enter")
			d.waitFor("4")
			d.key("Enter")
			d.waitFor("L119-B × 4, L999-N × 6") // those that left; what is allocated is shown apart
			d.key("C-q").requireExit(0)
			for _, x := range [][2]string{{"receive/PO-1", "L7-Q × 20, L8-R × 4"}, {"fulfill/SO-2", "L119-B × 4"}, {"fulfill/SO-2", "L999-N × 6"}, {"fulfill/SO-1", "SN-2"}} {
				d = c.openTerminal(h, size, x[0])
				d.waitFor(x[1])
				d.key("C-q").requireExit(0)
			}
			c.requireIssued(map[string]int64{"L119-B": 4, "L999-N": 6})
		})
	}
}
