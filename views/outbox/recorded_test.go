package outbox_test

import (
	"testing"
	"time"

	offlinequeue "bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"

	"github.com/stretchr/testify/require"
)

// An operation that never gets through is looked up in the service. When that does not
// have it, it is edited or discarded like any other.
func TestWork_NotRecordedIsDiscarded(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	b.proxy.Fail(api.ReceiveInbound.Spec, &api.Error{Code: api.Unavailable, Message: "connection reset"}, nil)
	key := b.receive(48)
	for range 20 {
		b.Clock.Advance(4 * time.Minute)
		b.node.Sync()
	}
	require.Positive(t, b.node.Status().Stuck)
	d := b.terminal("sync")
	d.Sees("~ no answer yet").Key("enter").Sees("This may already be recorded")
	b.Clock.Advance(31 * time.Second)
	b.node.Sync()
	d.Advance(2*time.Second).Sees("not recorded yet", "the service does not have it", "It is sent again").Lacks("may already be recorded")
	d.Key("f8").Type("the filter rejects it").Key("enter").Sees("It will not be sent.").Key("enter").Sees("Discarded: receive 48")
	require.Equal(t, offlinequeue.Discarded, b.node.Operation(key).State)
}

// newReusedKey receives 48 at the node with a key that the service recorded for an
// adjustment by Ben.
func newReusedKey(t *testing.T) *syncFixture {
	b := newSyncFixture(t)
	b.node.Disconnect()
	b.Clock.Set(tuitest.Noon)
	_, err := api.AdjustStock.Call(t.Context(), b.Service, api.AdjustStockInput{StockKey: api.StockKey{ProductID: b.Soy.ID, LocationID: b.Main.ID},
		InventoryState: api.OnHand, QuantityDelta: 7, Reason: "found"}, api.Key("night-0"), api.By("Ben"), api.OnDevice("Scanner 3"))
	require.NoError(t, err)
	_, err = api.ReceiveInbound.Call(t.Context(), b.node, api.ReceiveInboundInput{InboundID: b.in.ID, Quantity: 48}, api.Key("night-0"), api.By("Ada"))
	require.NoError(t, err)
	b.node.Connect()
	return b
}

func TestWork_ShowsBothSidesOfAReusedKey(t *testing.T) {
	t.Parallel()
	b := newReusedKey(t)
	d := b.terminal("sync")
	d.Sees("The service recorded other work with this key").Key("enter")
	d.Sees("receive 48 × SOY-1L on PO-2026-118", "Ada", "Recorded", "adjust +7 × SOY-1L at WH-1, Ben, Scanner 3, today 12:00")
	inbound := ledgertest.Do(b.World, api.GetInbound, api.InboundInput{InboundID: b.in.ID})
	require.EqualValues(t, 96, inbound.ReceivedQuantity, "a person decides")
	d.Goldens("other")
}
