package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// An order packed from one lot is fulfilled offline from another: the node refuses it
// without a swap, and the service records the lot of the node's movements.
func TestNode_FulfillsNamedLotOffline(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackLot), d.world.Location("WH-1")
	lot := func(code string) api.ID {
		moves := d.world.Receive(oats.ID, location.ID, 10, code).Movements
		return moves[len(moves)-1].LotID
	}
	first, second := lot("L1"), lot("L2")
	five := int64(5)
	o := ledgertest.Do(d.world, api.CreateOutbound, api.CreateOutboundInput{ProductID: oats.ID, LocationID: location.ID, RequestedQuantity: &five}).Outbound
	ledgertest.Do(d.world, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, LotID: first})
	ledgertest.Do(d.world, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID})
	d.eventually("the order shows", func() bool {
		list, err := api.ListOutboundLots.Call(t.Context(), d.svc, api.OutboundInput{OutboundID: o.ID})
		return err == nil && len(list.Items) == 1 && list.Items[0].PackedQuantity == 5
	})
	d.link.cut.Store(true)
	in := api.FulfillOutboundInput{OutboundID: o.ID, Lots: []api.FulfilledLot{{LotID: second, Quantity: 3, LineID: o.Lines[0].ID}}}
	_, err := api.FulfillOutbound.Call(t.Context(), d.svc, in)
	require.True(t, api.HasCode(err, api.LotMismatch), "%v", err)
	in.Lots[0].Swap = true
	local, err := api.FulfillOutbound.Call(t.Context(), d.svc, in)
	require.NoError(t, err)
	issued := func(list []api.Movement) (q int64) {
		for _, m := range list {
			if m.InventoryState == api.OnHand && m.Operation == api.OpOutboundFulfill {
				require.Equal(t, second, m.LotID)
				q -= m.Quantity
			}
		}
		return q
	}
	require.EqualValues(t, 3, issued(local.Movements))
	d.stop()
	d.open()
	d.link.cut.Store(false)
	d.waitDrained()
	require.EqualValues(t, 3, issued(ledgertest.Do(d.world, api.TraceLot, api.TraceLotInput{LotID: second}).Movements))
}
