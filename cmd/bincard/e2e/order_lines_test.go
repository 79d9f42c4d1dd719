package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// sizes are the screens of a terminal and of the smallest handheld.
var sizes = map[string][2]int{"80x24": {80, 24}, "20x16": {20, 16}}

// openTerminal starts the terminal of Ada at the main location.
func (c *company) openTerminal(h *machine, size [2]int, args ...string) *jobTerminal {
	args = append([]string{"--operator", "Ada", "--location", "WH-1", "--data", c.dir}, args...)
	return &jobTerminal{screen: h.openScreen(size[0], size[1], args...), c: c}
}

// addOrder creates SO-2, which orders 6 MUG-W and one SCA-5.
func (c *company) addOrder() (id api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		id = do(c.t, c.service(l), api.CreateOutbound, api.CreateOutboundInput{LocationID: c.main, CustomerName: "Café Lumen",
			Lines:     []api.OutboundLineInput{{ProductID: c.mug, RequestedQuantity: 6}, {ProductID: c.scale, RequestedQuantity: 1}},
			Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-2"}}).Outbound.ID
	})
	return id
}

// confirmIncomplete fulfills what is counted, after the question about the open line.
func (d *jobTerminal) confirmIncomplete() {
	d.t.Helper()
	d.key("Enter")
	d.waitFor("Not counted: 1 × SCA-5. Fulfill 6 anyway?", "enter fulfill 6", "esc count more")
	d.key("Escape")
	d.waitGone("anyway?")
	d.key("Enter")
	d.waitFor("anyway?")
	d.key("Enter")
}

// A counted line of an order leaves another one open: the screen names it, before and after
// the first is shipped, and asks once before that.
func TestFulfill_NamesOpenLine(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			order := c.addOrder()
			d := c.openTerminal(h, size, "fulfill/SO-2")
			if d.small() {
				d.waitFor("White mug", "2 lines to go")
				d.key("+")
				require.False(t, has(d.waitFor("next: SCA-5", "1 line to go"), "all counted"))
				d.confirmIncomplete()
				d.waitFor("scan serial number", "1 line to go")
			} else {
				d.waitFor("product name serial to go now ▸ MUG-W White mug 6 SCA-5 Kitchen scale SN-")
				d.key("+")
				require.False(t, has(d.waitFor("MUG-W is counted. Next: SCA-5, 1 to go", "enter fulfill 6"), "All counted"))
				d.confirmIncomplete()
				d.waitFor("Fulfilled 6: 6 of 7 done, 1 ready", "▸ SCA-5", "Scan each serial number of SCA-5, such as SN-")
			}
			d.scan("01" + "0" + scalePiece + "21SN-3")
			if d.small() {
				d.waitFor("all counted: enter")
			} else {
				d.waitFor("All counted: press enter to fulfill", "enter fulfill 1")
			}
			d.key("Enter")
			if d.small() {
				d.waitFor("▸ fulfilled", "7 of 7 done")
			} else {
				d.waitFor("This order is fulfilled (7 of 7).")
			}
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				out := do(t, c.service(l), api.GetOutbound, api.OutboundInput{OutboundID: order})
				require.Equal(t, api.OutboundFulfilled, out.Status)
				require.Equal(t, "SN-3", out.Lines[1].Serials[0].Serial.SerialNumber)
				require.EqualValues(t, 24, c.balance(c.service(l), c.mug, c.main).OnHand)
			})
		})
	}
}
