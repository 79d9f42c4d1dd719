package e2e_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A scan of another document opens it from a counted and from a finished one, and what was
// counted stays.
func TestDocument_ScanOpensNext(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			d := c.openTerminal(h, size)
			d.home()
			d.scan("PO-1")
			d.waitFor("Oat milk")
			d.scan("]C101" + "0" + oatPiece + "10L42-A\x1d" + "3012")
			d.counted(12)
			d.scan("TR-1")
			d.waitFor("White mug")
			d.counted(0)
			d.key("+")
			d.counted(10)
			d.key("Enter")
			if d.small() {
				d.waitFor("all shipped")
			} else {
				d.waitFor("This transfer is shipped (10 of 10). Nothing else is open here.")
			}
			d.scan("SO-1")
			d.waitFor("Kitchen scale")
			d.scan("PO-1")
			d.waitFor("Oat milk", "L42-A")
			d.counted(12)
			d.key("Enter")
			d.counted(0)
			d.key("Escape")
			d.home()
			d.key("C-q").requireExit(0)
			require.Zero(t, h.drafts())
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				require.EqualValues(t, 12, do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
				require.EqualValues(t, 10, do(t, svc, api.GetTransfer, api.TransferInput{TransferID: c.transfer}).ShippedQuantity)
				require.Zero(t, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound}).FulfilledQuantity)
			})
		})
	}
}

// fulfillScale scans the scale of SO-1, which is open, and sends it.
func (d *jobTerminal) fulfillScale() {
	d.t.Helper()
	d.waitFor("Kitchen scale")
	d.scanProduct("01" + "0" + scalePiece + "21SN-2")
	if d.small() {
		d.counted(1)
	} else {
		d.waitFor("Serials SN-2")
	}
	d.key("Enter")
}

// A finished order offers the next one, and enter opens it.
func TestDocument_EnterOpensNext(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			next := c.addOrder()
			d := c.openTerminal(h, size, "fulfill/SO-1")
			d.fulfillScale()
			if d.small() {
				d.waitFor("▸ fulfilled", "next: SO-2", "enter open")
			} else {
				d.waitFor("This order is fulfilled (1 of 1). Enter opens SO-2.", "enter open SO-2")
			}
			time.Sleep(10 * keyInterval)
			d.key("Enter")
			d.waitFor("White mug")
			d.key("+")
			d.confirmIncomplete()
			if d.small() {
				d.waitFor("✓ Fulfilled 6: 6 of")
			} else {
				d.waitFor("Fulfilled 6: 6 of 7 done, 1 ready")
			}
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				require.Equal(t, api.OutboundFulfilled, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound}).Status)
				require.EqualValues(t, 6, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: next}).FulfilledQuantity)
			})
		})
	}
}

// While the service is down, a finished order offers the next one too. Both are synced later.
func TestDocument_EnterOpensNextOffline(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			next := c.addOrder()
			service := h.serve(c, "")
			d := &jobTerminal{screen: h.withService(c, service.url).openScreen(size[0], size[1], "--offline", "--location", "WH-1"), c: c}
			d.awaitReplica()
			d.home()
			service.end(syscall.SIGKILL)
			d.scan("SO-1")
			d.fulfillScale()
			if d.small() {
				d.waitFor("next: SO-2", "enter open")
			} else {
				d.waitFor("Enter opens SO-2.", "enter open SO-2")
			}
			time.Sleep(10 * keyInterval)
			d.key("Enter")
			d.waitFor("White mug")
			d.key("+")
			d.confirmIncomplete()
			d.waitFor("6 of")
			service = h.serve(c, service.addr)
			d.waitFor("ONLINE")
			d.waitUntil("all is synced", func(string) bool { return len(d.machine.pendingKeys()) == 0 })
			d.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				order := do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound})
				require.Equal(t, api.OutboundFulfilled, order.Status)
				require.Equal(t, "SN-2", order.Lines[0].Serials[0].Serial.SerialNumber)
				require.EqualValues(t, 6, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: next}).FulfilledQuantity)
			})
		})
	}
}
