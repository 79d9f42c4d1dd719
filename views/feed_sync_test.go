package views_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// The feed of a document says that a receipt is synced once the service has it, and that
// the service rejected a shipment.
func TestFeed_SaysWhatIsSynced(t *testing.T) {
	t.Parallel()
	for _, size := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 40, Height: 8}} {
		t.Run(size.String(), func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			h.Stock(h.Coffee.ID, h.Main.ID, 5)
			in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
			tr := h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
			node := viewtest.NewNode(t, h.World, h.Proxy)
			h.Site = h.SiteOf(node)
			start := func(o *shell.Options) { o.Start = []string{"home", "receive/PO-1"} }
			d := h.Terminal(t, registry(h), start)
			d.Size(size.Width, size.Height)

			node.Disconnect()
			d.Scan("]C1010"+h.OatUnit+"10L42-A\x1d3012").Key("enter").Sees("Saved, not synced.", "Received 12")
			node.Connect()
			d.Advance(5*time.Second).Sees("Synced.", "Received 12").Lacks("not synced")
			received := ledgertest.Do(h.World, api.GetInbound, api.InboundInput{InboundID: in.ID}).ReceivedQuantity
			require.EqualValues(t, 12, received)

			node.Disconnect()
			d.Scan("TR-1").Key("+").Sees("+10").Key("enter").Sees("F10").Key("f10").Sees("Saved at risk")
			node.Connect()
			d.Advance(5 * time.Second).Sees("The service rejected it")
			shipped := ledgertest.Do(h.World, api.GetTransfer, api.TransferInput{TransferID: tr.ID}).ShippedQuantity
			require.Zero(t, shipped)
		})
	}
}
