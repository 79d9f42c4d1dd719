package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// requireReceived requires that the ledger has exactly n of PO-1, in one movement.
func (c *company) requireReceived(n int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(c.t, n, do(c.t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
		list := do(c.t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.oat}, InventoryState: api.OnHand})
		require.Len(c.t, list.Items, 1, "booked more than once")
		require.Equal(c.t, n, list.Items[0].Quantity)
	})
}

// countBoxWithLot counts a box of PO-1 with its lot.
func (s *screen) countBoxWithLot() {
	s.t.Helper()
	s.countBox()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A", expiry(time.DateOnly))
}

// TestTerminal_StartsBeforeService starts the terminal before its service, as after a
// power cut. The terminal finds its location when the service is up.
func TestTerminal_StartsBeforeService(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	addr := freeAddress(t)
	s := h.withService(c, "http://"+addr).openScreen(80, 24, "--location", "ST-1")
	s.waitFor("OFFLINE", "Where do you work?")
	h.serve(c, addr)
	s.waitFor("Harbour", "ST-1 Quay store", "ONLINE", "0 in transit")
	s.key("C-q").requireExit(0)
}

// TestReceive_ServiceDiesDuringSubmit kills the service after it commits a receipt and
// before it responds. The terminal retries with the same key, and the receipt is booked
// once.
func TestReceive_ServiceDiesDuringSubmit(t *testing.T) {
	t.Parallel()
	for name, terminalDies := range map[string]bool{"terminal survives": false, "terminal dies": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service := h.serve(c, "")
			front := service.startLossyProxy()
			remote := h.withService(c, front.url)
			s := remote.openScreen(80, 24, "receive/PO-1")
			s.countBoxWithLot()
			killed := front.loseNext(func() { service.end(syscall.SIGKILL) })
			s.key("Enter")
			s.waitFor("may already be recorded", "Your count is kept")
			<-killed
			require.Equal(t, 1, h.drafts())

			if terminalDies {
				s.signal(syscall.SIGKILL)
				s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
			} else {
				s.key("Enter") // acknowledge the error
				s.waitGone("enter continues")
			}
			service = h.serve(c, service.addr)
			if terminalDies {
				s = remote.openScreen(80, 24, "receive/PO-1")
			}
			s.waitFor("No answer yet for: receive 12", "retry")
			s.scan(oatBox) // the count is locked until the outcome is known
			s.waitFor("no answer yet. Nothing was counted")
			s.key("Enter")
			s.waitFor("No answer yet for: receive 12")
			s.key("Enter")
			s.waitFor("Received 12: 12 of 24, 12 to go")
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.requireReceived(12)
		})
	}
}
