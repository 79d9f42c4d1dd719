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

// documentedService is a service that has the documented operations alone.
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
	d := &fixture{t: t, world: w, dir: t.TempDir()}
	d.link = &cuttableLink{upstream: upstream{documentedService{w.Ledger}, d.caller()}}
	return d
}

// waitRead waits until the node has read what the service has.
func (d *fixture) waitRead() {
	d.t.Helper()
	d.eventually("the node reads what the service has", d.Ready)
}

// waitConfirmed waits until all that waits is sent and read again. The clock stands,
// so each look is asked for.
func (d *fixture) waitConfirmed() {
	d.t.Helper()
	d.eventually("all that waits is sent and read", func() bool {
		d.Resume()
		for _, it := range d.Operations() {
			if it.State == outbox.Done && !it.Confirmed {
				return false
			}
		}
		return d.Status().Waiting == 0
	})
}

// stock is a balance as the node shows it.
func (d *fixture) stock(product, location api.ID) api.SnapshotRow {
	d.t.Helper()
	list, err := api.ReportSnapshot.Call(d.t.Context(), d.svc, api.ReportSnapshotInput{ProductID: product, LocationID: location})
	require.NoError(d.t, err)
	if len(list.Items) == 0 {
		return api.SnapshotRow{}
	}
	require.Len(d.t, list.Items, 1)
	return list.Items[0]
}

func TestAnyServiceThatHasTheInterfaceWillDo(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, place, other := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1"), d.world.Location("WH-2")
	d.world.Stock(oats.ID, place.ID, 20)
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{ProductID: oats.ID, LocationID: place.ID, ExpectedQuantity: 10}).Inbound
	tr := ledgertest.Do(d.world, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: place.ID,
		DestinationLocationID: other.ID, Quantity: 5}).Transfer
	out := ledgertest.Do(d.world, api.CreateOutbound, api.CreateOutboundInput{LocationID: place.ID,
		Lines: []api.OutboundLineInput{{ProductID: oats.ID, RequestedQuantity: 3}}}).Outbound
	d.open()
	d.waitRead()
	there := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{ProductID: oats.ID, LocationID: place.ID}).Items[0]
	require.Equal(t, there, d.stock(oats.ID, place.ID))
	_, err := api.ListProducts.Call(t.Context(), d.svc, api.ListProductsInput{})
	require.True(t, api.HasCode(err, api.NotFound), "it is no more than the service is: %v", err)
	d.eventually("the line is up", func() bool { return d.Status().Link.Up })
	got, err := api.GetOutbound.Call(t.Context(), d.svc, api.OutboundInput{OutboundID: out.ID})
	require.NoError(t, err)
	require.Equal(t, out.Lines[0].PendingFulfillmentQuantity, got.Lines[0].PendingFulfillmentQuantity)

	d.link.cut.Store(true)
	_, err = api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4, LotCode: "L-1"})
	require.NoError(t, err)
	_, err = api.ShipTransfer.Call(t.Context(), d.svc, api.MoveTransferInput{TransferID: tr.ID})
	require.NoError(t, err)
	_, err = api.FulfillOutbound.Call(t.Context(), d.svc, api.FulfillOutboundInput{OutboundID: out.ID})
	require.NoError(t, err)
	_, err = api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{ProductID: oats.ID, LocationID: place.ID,
		InventoryState: api.Damaged, QuantityDelta: 2, Reason: "found"})
	require.NoError(t, err)
	shown := d.stock(oats.ID, place.ID)
	require.EqualValues(t, 20+4-5-3+2, shown.OnHand)
	d.stop()
	d.open() // the program ends and begins again, still without a connection
	require.EqualValues(t, shown.Quantities, d.stock(oats.ID, place.ID).Quantities)
	require.Equal(t, 4, d.Status().Waiting)

	d.link.cut.Store(false)
	d.waitConfirmed()
	there = ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{ProductID: oats.ID, LocationID: place.ID}).Items[0]
	require.Equal(t, shown.Quantities, there.Quantities, "the service has what was done, once")
	require.Equal(t, there, d.stock(oats.ID, place.ID))
	list, err := api.ListInbounds.Call(t.Context(), d.svc, api.ListInboundsInput{})
	require.NoError(t, err)
	require.EqualValues(t, 4, list.Items[0].ReceivedQuantity)
}

// TestWhatOthersDoComesByThemselves holds that a node follows what happens at
// the service: new documents and old, new goods and known ones.
func TestWhatOthersDoComesByThemselves(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, place := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, place.ID, 20)
	old := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{ProductID: oats.ID, LocationID: place.ID, ExpectedQuantity: 10}).Inbound
	d.open()
	d.waitRead()
	d.world.Clock.Advance(time.Hour)
	soy := d.world.Product("SOY-1L", api.TrackNone)
	d.world.Stock(soy.ID, place.ID, 7)
	ledgertest.Do(d.world, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: old.ID, Quantity: 10})
	made := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{ProductID: soy.ID, LocationID: place.ID, ExpectedQuantity: 3}).Inbound
	d.eventually("all of it shows", func() bool {
		d.Resume()
		list, err := api.ListInbounds.Call(t.Context(), d.svc, api.ListInboundsInput{})
		require.NoError(t, err)
		done := map[api.ID]api.InboundStatus{}
		for _, in := range list.Items {
			done[in.ID] = in.Status
		}
		return done[old.ID] == api.InboundReceived && done[made.ID] == api.InboundExpected
	})
	require.EqualValues(t, 30, d.stock(oats.ID, place.ID).OnHand)
	require.EqualValues(t, 7, d.stock(soy.ID, place.ID).OnHand)
	require.EqualValues(t, 3, d.stock(soy.ID, place.ID).Incoming)
}

// lossyService loses the answers to writes.
type lossyService struct {
	api.Service
	lose bool
}

func (l *lossyService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := l.Service.Do(ctx, req)
	if l.lose && req.Spec.Writes() {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "No answer came.")
	}
	return res, err
}

// TestAnAnswerThatIsLostIsFoundInTheMovements holds that what was done shows
// once, before its answer is known and after.
func TestAnAnswerThatIsLostIsFoundInTheMovements(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, place := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, place.ID, 20)
	gap := &lossyService{Service: documentedService{d.world.Ledger}, lose: true}
	d.link.svc = gap
	d.open()
	d.waitRead()
	key := api.NewKey()
	_, err := api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{ProductID: oats.ID, LocationID: place.ID,
		InventoryState: api.Available, QuantityDelta: 5, Reason: "found"}, api.Key(key))
	require.NoError(t, err)
	d.eventually("it is known to be done", func() bool {
		require.EqualValues(t, 25, d.stock(oats.ID, place.ID).OnHand)
		d.Resume()
		it := d.Operation(key)
		return it.State == outbox.Done && it.Confirmed
	})
	require.EqualValues(t, 25, d.stock(oats.ID, place.ID).OnHand)
	there := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{ProductID: oats.ID}).Items[0]
	require.EqualValues(t, 25, there.OnHand)
}
