package offline_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A documentedService has the documented operations only.
type documentedService struct{ api.Service }

func (d documentedService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.Extension {
		return nil, api.Fail(api.NotFound, nil, "There is no %s here.", req.Spec.Path)
	}
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && (in.Limit != nil || in.Order != "" || in.Cursor != "") {
		return nil, api.Fail(api.ValidationError, nil, "limit: is no parameter of this operation.")
	}
	return d.Service.Do(ctx, req)
}

func openPollingFixture(t *testing.T) *fixture {
	w := ledgertest.Open(t)
	return newFixture(t, w, documentedService{w.Ledger})
}

// waitRead waits until the node is ready.
func (d *fixture) waitRead() {
	d.t.Helper()
	d.eventually("the node is ready", d.Ready)
}

// waitConfirmed waits until everything is sent and read again. The clock
// stands still, so each cycle needs a Resume.
func (d *fixture) waitConfirmed() {
	d.t.Helper()
	d.eventually("everything is synced", func() bool {
		d.Resume()
		return d.synced()
	})
}

// stock returns a balance from the node.
func (d *fixture) stock(product, location api.ID) api.SnapshotRow {
	d.t.Helper()
	list, err := api.ReportSnapshot.Call(d.t.Context(), d.svc, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
	require.NoError(d.t, err)
	if len(list.Items) == 0 {
		return api.SnapshotRow{}
	}
	require.Len(d.t, list.Items, 1)
	return list.Items[0]
}

func TestPolling_SyncsWithDocumentedOperations(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, location, other := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1"), d.world.Location("WH-2")
	d.world.Stock(oats.ID, location.ID, 20)
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	tr := ledgertest.Do(d.world, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID,
		DestinationLocationID: other.ID, Quantity: 5}).Transfer
	out := ledgertest.Do(d.world, api.CreateOutbound, api.CreateOutboundInput{LocationID: location.ID,
		Lines: []api.OutboundLineInput{{ProductID: oats.ID, RequestedQuantity: 3}}}).Outbound
	d.open()
	d.waitRead()
	remote := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: oats.ID, LocationID: location.ID}}).Items[0]
	require.Equal(t, remote, d.stock(oats.ID, location.ID))
	_, err := api.ListProducts.Call(t.Context(), d.svc, api.ListProductsInput{})
	require.True(t, api.HasCode(err, api.NotFound), "the node has no operation that the service lacks: %v", err)
	d.eventually("the connection is up", func() bool { return d.Status().Link.Up })
	got, err := api.GetOutbound.Call(t.Context(), d.svc, api.OutboundInput{OutboundID: out.ID})
	require.NoError(t, err)
	require.Equal(t, out.Lines[0].PendingFulfillmentQuantity, got.Lines[0].PendingFulfillmentQuantity)

	d.link.cut.Store(true)
	_, err = api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4, NewLot: api.NewLot{LotCode: "L-1"}})
	require.NoError(t, err)
	_, err = api.ShipTransfer.Call(t.Context(), d.svc, api.MoveTransferInput{TransferID: tr.ID})
	require.NoError(t, err)
	_, err = api.FulfillOutbound.Call(t.Context(), d.svc, api.FulfillOutboundInput{OutboundID: out.ID})
	require.NoError(t, err)
	_, err = api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
		InventoryState: api.Damaged, QuantityDelta: 2, Reason: "found"})
	require.NoError(t, err)
	local := d.stock(oats.ID, location.ID)
	require.EqualValues(t, 20+4-5-3+2, local.OnHand)
	d.stop()
	d.open() // restart, still offline
	require.EqualValues(t, local.Quantities, d.stock(oats.ID, location.ID).Quantities)
	require.Equal(t, 4, d.Status().Waiting)

	d.link.cut.Store(false)
	d.waitConfirmed()
	remote = ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: oats.ID, LocationID: location.ID}}).Items[0]
	require.Equal(t, local.Quantities, remote.Quantities, "the service has every operation once")
	require.Equal(t, remote, d.stock(oats.ID, location.ID))
	list, err := api.ListInbounds.Call(t.Context(), d.svc, api.ListInboundsInput{})
	require.NoError(t, err)
	require.EqualValues(t, 4, list.Items[0].ReceivedQuantity)
}

// TestPolling_FollowsTheService requires that new and changed documents and
// balances of the service reach the node.
func TestPolling_FollowsTheService(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 20)
	old := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	d.open()
	d.waitRead()
	d.world.Clock.Advance(time.Hour)
	soy := d.world.Product("SOY-1L", api.TrackNone)
	d.world.Stock(soy.ID, location.ID, 7)
	ledgertest.Do(d.world, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: old.ID, Quantity: 10})
	created := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: soy.ID, LocationID: location.ID}, ExpectedQuantity: 3}).Inbound
	d.eventually("everything is read", func() bool {
		d.Resume()
		list, err := api.ListInbounds.Call(t.Context(), d.svc, api.ListInboundsInput{})
		require.NoError(t, err)
		done := map[api.ID]api.InboundStatus{}
		for _, in := range list.Items {
			done[in.ID] = in.Status
		}
		return done[old.ID] == api.InboundReceived && done[created.ID] == api.InboundExpected
	})
	require.EqualValues(t, 30, d.stock(oats.ID, location.ID).OnHand)
	require.EqualValues(t, 7, d.stock(soy.ID, location.ID).OnHand)
	require.EqualValues(t, 3, d.stock(soy.ID, location.ID).Incoming)
}

// TestPolling_FindsLostAnswerInMovements requires that an operation is applied
// once, before its answer is known and after.
func TestPolling_FindsLostAnswerInMovements(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 20)
	d.link.svc = serviceFunc(func(ctx context.Context, req *api.Request) (*api.Response, error) {
		res, err := documentedService{d.world.Ledger}.Do(ctx, req)
		if req.Spec.Writes() {
			return nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "No answer came.")
		}
		return res, err
	})
	d.open()
	d.waitRead()
	key := api.NewKey()
	_, err := api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
		InventoryState: api.Available, QuantityDelta: 5, Reason: "found"}, api.Key(key))
	require.NoError(t, err)
	d.eventually("the operation is confirmed", func() bool {
		require.EqualValues(t, 25, d.stock(oats.ID, location.ID).OnHand)
		d.Resume()
		op := d.Operation(key)
		return op.State == outbox.Done && op.Confirmed
	})
	require.EqualValues(t, 25, d.stock(oats.ID, location.ID).OnHand)
	remote := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: oats.ID}}).Items[0]
	require.EqualValues(t, 25, remote.OnHand)
}

// A committed reservation holds stock until it is fulfilled or released.
func TestPolling_ReadsCommittedReservations(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	w := d.world
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	at := api.StockKey{ProductID: oats.ID, LocationID: location.ID}
	ends := w.Clock.Now().Add(time.Hour)
	_, err := api.AdjustStock.Call(t.Context(), w.Service, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"})
	require.NoError(t, err)
	made, err := api.CreateReservation.Call(t.Context(), w.Service, api.CreateReservationInput{StockKey: at, Quantity: 2, ExpiresAt: &ends})
	require.NoError(t, err)
	_, err = api.CommitReservation.Call(t.Context(), w.Service, api.ReservationInput{ReservationID: made.Reservation.ID})
	require.NoError(t, err)
	d.open()
	d.waitRead()
	require.Len(t, call(d, api.ListReservations, api.ListReservationsInput{}).Items, 1)
}
