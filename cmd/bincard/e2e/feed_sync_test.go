package e2e_test

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// The feed of a document says that a receipt is synced once the service has it, and that the
// service rejected a shipment.
func TestFeed_SaysWhatIsSynced(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c, service, at, s := h.startWithFewMugs()
			s.key("C-q").requireExit(0)
			d := &jobTerminal{screen: at.openScreen(size[0], size[1], "--offline", "receive/PO-1"), c: c}
			d.waitFor("Oat milk")
			service.end(syscall.SIGKILL)
			d.scan("]C101" + "0" + oatPiece + "10L42-A\x1d" + "3012")
			d.counted(12)
			d.key("Enter")
			d.waitFor("Saved, not synced. Received 12")
			service = h.serve(c, service.addr)
			d.waitFor("Synced. Received 12")
			d.waitGone("not synced")
			service.end(syscall.SIGKILL)
			d.scan("TR-1")
			d.waitFor("White mug")
			d.key("+")
			d.counted(10)
			d.key("Enter")
			d.waitFor("F10")
			d.key("F10")
			d.waitFor("Saved at risk")
			service = h.serve(c, service.addr)
			d.waitFor("The service rejected it")
			d.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				require.EqualValues(t, 12, do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
				require.Zero(t, do(t, svc, api.GetTransfer, api.TransferInput{TransferID: c.transfer}).ShippedQuantity)
			})
		})
	}
}
