package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
	"bincard/server/ledger"
)

// addDelivery creates PO-9: 24 OAT-1L, 10 MUG-W and 2 SCA-5 that WH-1 expects. It returns
// the inbounds.
func (c *company) addDelivery() (lines []api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		for _, x := range []struct {
			product api.ID
			n       int64
		}{{c.oat, 24}, {c.mug, 10}, {c.scale, 2}} {
			in := do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: x.product, LocationID: c.main},
				ExpectedQuantity: x.n, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-9"}}).Inbound
			lines = append(lines, in.ID)
			for built.Now().Sub(in.CreatedAt) < 2*time.Millisecond { // lines created in the same millisecond are sorted by SKU
				time.Sleep(time.Millisecond)
			}
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
		require.Equal(c.t, []int64{received[0], 30 + received[1], 3 + received[2]},
			[]int64{balance(c.oat).OnHand, balance(c.mug).OnHand, balance(c.scale).OnHand})
		require.EqualValues(c.t, 2, balance(c.mug).Damaged)
		lots := do(c.t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat})
		require.Len(c.t, lots.Items, 1)
		require.Equal(c.t, "L42-A", lots.Items[0].LotCode)
	})
}

// countDelivery counts all of PO-9, in another order than that of its lines, with two
// damaged mugs.
func (s *screen) countDelivery() {
	s.t.Helper()
	s.waitFor("PO-9", "Oat milk", "White mug", "Kitchen scale")
	s.scan(mugPiece)
	s.waitFor("Now 1")
	s.typeText("10").key("Enter")
	s.waitFor("MUG-W is counted. Next:")
	s.key("F4")
	s.waitFor("How many of the 10 × MUG-W are damaged?")
	s.typeText("2").key("Enter")
	s.waitFor("enter receive 10")
	s.scan("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3024")
	s.waitFor("OAT-1L is counted. Next: SCA-5")
	s.scan(scalePiece)
	s.waitFor("Scan the serial number of SCA-5")
	s.scan("SN-0008")
	s.waitFor("enter receive 35")
	s.scan("SN-0009")
	s.waitFor("All counted", "enter receive 36")
}

// TestDelivery_KilledMidway kills the terminal while the second of three receipts is sent.
// The next one finishes the delivery, and each line is recorded once.
func TestDelivery_KilledMidway(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	service := h.serve(c, "")
	front := service.startLossyProxy()
	remote := h.withService(c, front.url)
	s := remote.openScreen(80, 24, "receive/PO-9")
	s.countDelivery()
	front.pass.Store(1)
	killed := front.loseNext(func() { s.signal(syscall.SIGKILL) })
	s.key("Enter")
	s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	<-killed
	require.Equal(t, 1, h.drafts())

	s = remote.openScreen(80, 24, "receive/PO-9")
	s.waitFor("No answer yet for: receive 10 (MUG-W)", "retry")
	s.key("Enter")
	s.waitFor("Received 36 of 3 products, 2 damaged: complete")
	require.Zero(t, h.drafts())
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 24, 10, 2)
}

// TestDelivery_TwoWorkers lets Ben receive some mugs and a scale while Ada counts all. What
// does not fit anymore stays counted, with the reason.
func TestDelivery_TwoWorkers(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	service := h.serve(c, "")
	s := h.withService(c, service.url).openScreen(80, 24, "receive/PO-9", "--operator", "Ada")
	s.countDelivery()
	other := newMachine(t)
	ben := other.withService(c, service.url).openScreen(80, 24, "receive/PO-9", "--operator", "Ben")
	ben.waitFor("PO-9", "White mug")
	ben.scan(mugPiece)
	ben.waitFor("Now 1")
	ben.typeText("4").key("Enter")
	ben.waitFor("Now 4")
	ben.key("Enter")
	ben.waitFor("Received 4 of MUG-W: 3 lines to go")
	ben.key("C-q").requireExit(0)

	s.key("Enter")
	s.waitFor("MUG-W was not recorded: Only 6 to go, but the count is 10.", "Received 26 of 2 products")
	s.key("Enter") // acknowledge the error
	s.waitFor("! not recorded", "Now 10", "✓ received")
	s.key("+")
	s.waitFor("All counted: press enter to receive", "enter receive 6")
	s.key("Enter")
	s.waitFor("Received 6 of MUG-W, 2 damaged: complete")
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 24, 10, 2)
}

// TestDelivery_Offline receives a delivery while the service is down, restarts the terminal
// and syncs.
func TestDelivery_Offline(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	s := at.openScreen(80, 24, "--offline", "--location", "WH-1")
	s.awaitReplica().waitFor(firstQuestion, "ONLINE")
	service.end(syscall.SIGKILL)

	s.scan("PO-9")
	s.countDelivery()
	s.key("Enter")
	s.waitFor("Saved, not synced. Received 36 of 3 products, 2 damaged: complete", "OFFLINE", "○4")
	s.key("C-q").requireExit(0)
	s = at.openScreen(80, 24, "--offline", "--location", "WH-1")
	s.waitFor("This delivery is complete (36 of 36).", "○4")
	service = h.serve(c, service.addr)
	s.waitFor("ONLINE", "○0")
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 24, 10, 2)
}
