package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// addDelivery creates PO-9: 10 MUG-W, 24 OAT-1L and 2 SCA-5 that WH-1 expects. It returns
// the inbounds.
func (c *company) addDelivery() (lines []api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		// Lines of the same millisecond are sorted by SKU, as these are.
		for _, x := range []struct {
			product api.ID
			n       int64
		}{{c.mug, 10}, {c.oat, 24}, {c.scale, 2}} {
			in := do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: x.product, LocationID: c.main},
				ExpectedQuantity: x.n, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-9"}}).Inbound
			lines = append(lines, in.ID)
		}
	})
	return lines
}

// requireDelivery requires that the ledger has what was received of each line, each in one
// movement, and two of the mugs damaged.
func (c *company) requireDelivery(lines []api.ID, received ...int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for i, id := range lines {
			in := do(c.t, svc, api.GetInbound, api.InboundInput{InboundID: id})
			require.Equal(c.t, received[i], in.ReceivedQuantity, in.Product.SKU)
		}
		balance := func(product api.ID) api.Balance { return c.balance(svc, product, c.main) }
		require.Equal(c.t, []int64{30 + received[0], received[1], 3 + received[2]},
			[]int64{balance(c.mug).OnHand, balance(c.oat).OnHand, balance(c.scale).OnHand})
		require.EqualValues(c.t, 2, balance(c.mug).Damaged)
		lots := do(c.t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat})
		require.Len(c.t, lots.Items, 1)
		require.Equal(c.t, "L42-A", lots.Items[0].LotCode)
	})
}

// press presses a key and waits for what the screen shows then: keys that arrive together are a
// scan.
func (f *sshTerminal) press(key, text string, at int) int {
	f.t.Helper()
	f.typeText(key)
	return f.waitFor(text, at)
}

// TestDelivery_SSHDropsMidway drops the connection of an SSH session when one of three
// lines is counted, and while the second of three receipts is sent. The next session
// finishes the delivery, and each line is recorded once.
func TestDelivery_SSHDropsMidway(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	service := h.serve(c, "")
	front := service.startLossyProxy()
	x := h.withService(c, front.url).startSSH([]string{"Ada"}, "--location", "WH-1")
	f := x.logIn("Ada", "xterm-256color")
	at := f.waitFor(firstQuestion, 0)
	f.typeText("PO-9\r")
	f.waitFor("Receive › PO-9", at)
	f.typeText(mugPiece + "\r")
	at = f.waitFor("receive 1", at)
	at = f.press("+", "MUG-W is counted. Next:", at)
	at = f.press("\x1bOS", "are damaged?", at) // F4
	at = f.press("2", "2█", at)
	f.press("\r", "receive 10", at)
	f.conn.Close()

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("receive 10", 0)
	f.typeText("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3024\r")
	f.waitFor("receive 34", at)
	f.typeText(scalePiece + "\r")
	f.waitFor("Scan the serial number of SCA-5", at)
	f.typeText("SN-0008\r")
	f.waitFor("receive 35", at)
	f.typeText("SN-0009\r")
	f.waitFor("receive 36", at)
	front.pass.Store(1)
	cut := front.loseNext(func() { f.conn.Close() })
	f.typeText("\x1b[B\r") // after another key, enter does not belong to the scan
	<-cut

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("No answer yet for: receive 24 (OAT-1L)", 0)
	f.press("\r", "Received 36 of 3 products, 2 damaged: complete", at)
	x.end()
	require.Zero(t, h.drafts())
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 10, 24, 2)
}
