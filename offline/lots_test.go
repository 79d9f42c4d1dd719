package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
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
	local := ledgertest.Call(t, d.svc, api.FulfillOutbound, in)
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

// A lotSite is a node with two inbounds of a product with lots, and an order for it.
type lotSite struct {
	t *testing.T
	w *ledgertest.World
	n *offline.Node

	folder   *journal.Memory
	inbounds [2]api.ID
	order    api.ID
	lot      api.ID
}

func openLotSite(t *testing.T) *lotSite {
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackLot), w.Location("WH-1")
	d := &lotSite{t: t, w: w, folder: &journal.Memory{}}
	w.Receive(oats.ID, location.ID, 10, "OLD")
	for i := range d.inbounds {
		d.inbounds[i] = ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound.ID
	}
	five := int64(5)
	d.order = ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: oats.ID, LocationID: location.ID, RequestedQuantity: &five}).Outbound.ID
	d.open()
	return d
}

func (d *lotSite) open() {
	d.n = openNode(d.t, d.w, offline.Config{Replicas: &replicas.Memory{}, Folder: d.folder})
	readAll(d.t, d.w, d.n)
}

// receive receives stock of a new lot from an inbound.
func (d *lotSite) receive(inbound int, key string) {
	out := ledgertest.Call(d.t, d.n, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: d.inbounds[inbound], Quantity: 5, NewLot: api.NewLot{LotCode: "NEW"}}, api.Key(key))
	d.lot = out.Movements[len(out.Movements)-1].LotID
}

// fulfill fulfills the order from the new lot.
func (d *lotSite) fulfill() {
	ledgertest.Call(d.t, d.n, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: d.order, Lots: []api.FulfilledLot{{LotID: d.lot, Quantity: 5}}}, api.Key("fulfill"))
}

func (d *lotSite) wait() api.WorkWait {
	list := ledgertest.Call(d.t, d.n, api.ListWork, api.ListWorkInput{Key: "fulfill"})
	return list.Items[0].Wait
}

func (d *lotSite) closeAtService() {
	ledgertest.Do(d.w, api.CloseInbound, api.CloseInboundInput{InboundID: d.inbounds[0], Reason: "no more comes"})
}

func (d *lotSite) discard(key string) {
	require.NoError(d.t, d.n.Discard(d.t.Context(), key, "Ada", "sent back", false))
}

// The service has no lot that a receipt would create which waits for a person: what leaves
// from that lot waits too, also after a restart, and until the person has decided.
func TestLots_FulfillmentWaitsForItsReceipt(t *testing.T) {
	t.Parallel()
	for name, rejected := range map[string]bool{"quarantined": false, "rejected": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openLotSite(t)
			d.receive(0, "receive")
			d.fulfill()
			d.closeAtService()
			if !rejected {
				readAll(t, d.w, d.n)
				require.Equal(t, outbox.Held, d.n.Operation("receive").State)
			}
			sendAll(t, d.w, d.n)
			require.Contains(t, []outbox.State{outbox.Refused, outbox.Held}, d.n.Operation("receive").State)
			require.False(t, d.n.Operation("fulfill").Attempted())
			require.Equal(t, api.WaitDependency, d.wait())

			require.NoError(t, d.n.Close())
			d.open()
			sendAll(t, d.w, d.n)
			require.False(t, d.n.Operation("fulfill").Attempted())
			require.Equal(t, api.WaitDependency, d.wait())

			d.discard("receive")
			sendAll(t, d.w, d.n)
			require.Equal(t, outbox.Held, d.n.Operation("fulfill").State)
			require.Equal(t, api.VersionConflict, d.n.Operation("fulfill").Refusal.Code)
		})
	}
}

// A receipt that is discarded before it is sent leaves nothing to fulfill from.
func TestLots_FulfillmentWithoutItsReceipt(t *testing.T) {
	t.Parallel()
	d := openLotSite(t)
	d.receive(0, "receive")
	d.fulfill()
	d.discard("receive")
	sendAll(t, d.w, d.n)
	require.Equal(t, outbox.Held, d.n.Operation("fulfill").State)
	require.Equal(t, "lot", d.n.Operation("fulfill").Refusal.Details["resource"])
}

// Another receipt of the lot is enough.
func TestLots_FulfillmentNeedsOneReceipt(t *testing.T) {
	t.Parallel()
	d := openLotSite(t)
	d.receive(0, "receive")
	d.receive(1, "other")
	d.fulfill()
	d.closeAtService()
	readAll(t, d.w, d.n)
	require.Equal(t, outbox.Held, d.n.Operation("receive").State)
	sendAll(t, d.w, d.n)
	readAll(t, d.w, d.n)
	require.Equal(t, outbox.Done, d.n.Operation("fulfill").State)
	require.NoError(t, d.n.Verify(t.Context()))
}

// A receipt that is accepted after all makes the way free.
func TestLots_FulfillmentFollowsItsReceipt(t *testing.T) {
	t.Parallel()
	d := openLotSite(t)
	d.receive(0, "receive")
	d.fulfill()
	d.closeAtService()
	sendAll(t, d.w, d.n)
	ledgertest.Call(t, d.n, api.ReplaceWork, api.ReplaceWorkInput{Key: "receive", Operation: api.ReceiveInbound.Spec.ID, Target: "/inbounds/" + d.inbounds[1].String() + "/receive",
		Body: []byte(`{"quantity":5,"lotCode":"NEW"}`)}, api.Key("other"))
	sendAll(t, d.w, d.n)
	readAll(t, d.w, d.n)
	require.Equal(t, outbox.Done, d.n.Operation("fulfill").State)
	require.NoError(t, d.n.Verify(t.Context()))
}
