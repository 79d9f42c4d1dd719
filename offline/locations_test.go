package offline_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A limitedFixture is a node that is limited to a shop, with stock there and at the
// warehouse.
type limitedFixture struct {
	*fixture
	product  api.ID
	wh, shop api.Place
}

func openLimited(t *testing.T, refuses func(*api.Request) error) *limitedFixture {
	w := ledgertest.Open(t)
	p, wh, shop := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("SHOP-1")
	w.Stock(p.ID, wh.ID, 50)
	w.Stock(p.ID, shop.ID, 20)
	d := newFixture(t, w, w.Ledger)
	d.locations = []api.PlaceRef{{ID: shop.ID, Code: shop.Code}}
	d.link.refuses = refuses
	d.open()
	x := &limitedFixture{d, p.ID, wh, shop}
	x.waitRead()
	return x
}

// waitRead waits until the node has read the latest change.
func (d *limitedFixture) waitRead() {
	d.t.Helper()
	d.eventually("the node has read the latest change", func() bool {
		at, err := d.Position(d.t.Context())
		now := ledgertest.Do(d.world, api.ListChanges, api.ListChangesInput{})
		return err == nil && at.Seq == now.Latest && at.Hash == now.Hash && d.Ready() && !d.Sync().Read.IsZero()
	})
}

// onHand returns what the node has on hand by location, without asking the service.
func (d *limitedFixture) onHand() map[string]int64 {
	d.t.Helper()
	list := ledgertest.Call(d.t, d.svc, api.ListBalances, api.ListBalancesInput{})
	q := map[string]int64{}
	for _, b := range list.Items {
		if b.Quantities != (api.Quantities{}) { // a write here can name a balance elsewhere, without stock
			q[b.Location.Code] += b.OnHand
		}
	}
	return q
}

func (d *limitedFixture) adjust(at api.ID, n int64) error {
	_, err := api.AdjustStock.Call(d.t.Context(), d.svc, adjustOf(d.product, at, n))
	return err
}

func TestLocations_LimitTheData(t *testing.T) {
	t.Parallel()
	d := openLimited(t, nil)
	require.Equal(t, map[string]int64{"SHOP-1": 20}, d.onHand())
	require.Equal(t, []string{"SHOP-1"}, d.Sync().Locations)

	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: d.product, LocationID: d.wh.ID}, ExpectedQuantity: 4}).Inbound
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.wh.ID, 5))
	d.waitRead()
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.shop.ID, 3))
	tr := ledgertest.Do(d.world, api.CreateTransfer, api.CreateTransferInput{ProductID: d.product, SourceLocationID: d.wh.ID, DestinationLocationID: d.shop.ID, Quantity: 7}).Transfer
	ledgertest.Do(d.world, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	d.waitRead()
	require.NoError(t, d.Verify(t.Context()))

	got := ledgertest.Call(t, d.svc, api.GetInbound, api.InboundInput{InboundID: in.ID}) // read at the service
	require.Equal(t, in.ID, got.ID)
	list := ledgertest.Call(t, d.svc, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: d.wh.ID}}) // read at the service
	require.EqualValues(t, 48, list.Items[0].OnHand)

	d.link.cut.Store(true)
	require.Equal(t, map[string]int64{"SHOP-1": 23}, d.onHand())
	_, err := api.ListBalances.Call(t.Context(), d.svc, api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: d.wh.ID}})
	require.EqualError(t, err, "UNAVAILABLE: Only the data of SHOP-1 is stored here. Connect, then retry.")
	ledgertest.Call(t, d.svc, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID}) // a transfer with one end here
	require.Equal(t, map[string]int64{"SHOP-1": 30}, d.onHand())
	d.link.cut.Store(false)
	d.waitDrained()
	require.Equal(t, api.TransferReceived, ledgertest.Do(d.world, api.GetTransfer, api.TransferInput{TransferID: tr.ID}).Status)
}

// A limited node passes a report on to the service, which has history from before the node
// began, but shows only the rows of its locations.
func TestLocations_LimitTheReports(t *testing.T) {
	t.Parallel()
	d := openLimited(t, nil)
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.wh.ID, 5))
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.shop.ID, 3))
	d.waitRead()
	list := ledgertest.Call(t, d.svc, api.ReportMovements, api.ReportMovementsInput{})
	require.Len(t, list.Items, 4, "two are older than the node")
	for _, r := range list.Items {
		require.Equal(t, "SHOP-1", r.LocationCode)
	}
	before := d.world.Clock.Now().Add(-time.Hour)
	past := ledgertest.Call(t, d.svc, api.ReportSnapshot, api.ReportSnapshotInput{AsOf: &before})
	for _, r := range past.Items {
		require.Equal(t, "SHOP-1", r.LocationCode)
	}
}

func TestLocations_TransferWithTheOtherEndElsewhere(t *testing.T) {
	t.Parallel()
	d := openLimited(t, nil)
	ctx := t.Context()
	d.link.cut.Store(true)
	send := func(q int64) api.ID {
		tr := ledgertest.Call(t, d.svc, api.CreateTransfer, api.CreateTransferInput{ProductID: d.product, SourceLocationID: d.shop.ID, DestinationLocationID: d.wh.ID, Quantity: q})
		ledgertest.Call(t, d.svc, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.Transfer.ID})
		return tr.Transfer.ID
	}
	shipped, cancelled, closed := send(3), send(4), send(5)
	require.Equal(t, map[string]int64{"SHOP-1": 8}, d.onHand(), "no stock is shown elsewhere")
	ledgertest.Call(t, d.svc, api.CancelTransfer, api.TransferInput{TransferID: cancelled})
	ledgertest.Call(t, d.svc, api.CloseTransfer, api.CloseTransferInput{TransferID: closed, Reason: "lost"})
	require.Equal(t, map[string]int64{"SHOP-1": 12}, d.onHand())
	_, err := api.ReceiveTransfer.Call(ctx, d.svc, api.MoveTransferInput{TransferID: shipped})
	require.EqualError(t, err, "LOCATION_NOT_ALLOWED: This must be done at WH-1. Only the work of SHOP-1 is done here.")

	d.link.cut.Store(false)
	d.waitDrained()
	for _, op := range d.Operations() {
		require.True(t, op.Confirmed, "%s is %s: %v", op.SpecID, op.State, op.Refusal)
	}
	require.Equal(t, map[string]int64{"SHOP-1": 12}, d.onHand())
	require.NoError(t, d.Verify(ctx))
}

func TestLocations_RejectWorkElsewhere(t *testing.T) {
	t.Parallel()
	d := openLimited(t, nil)
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: d.product, LocationID: d.wh.ID}, ExpectedQuantity: 4}).Inbound
	d.waitRead()
	receive := func(opts ...api.Option) error {
		_, err := api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}, opts...)
		return err
	}
	const elsewhere = "LOCATION_NOT_ALLOWED: This must be done at WH-1. Only the work of SHOP-1 is done here."
	require.EqualError(t, d.adjust(d.wh.ID, 1), elsewhere)
	require.EqualError(t, receive(), elsewhere)
	require.NoError(t, d.adjust(d.shop.ID, 1))
	d.link.cut.Store(true)
	require.EqualError(t, receive(api.AcceptRisk()),
		"LOCATION_NOT_ALLOWED: This document is not in the data of SHOP-1 stored here. Connect, then retry.")
	created := ledgertest.Call(t, d.svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: d.product, LocationID: d.shop.ID}, ExpectedQuantity: 2})
	ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 2})
	require.EqualError(t, d.adjust(d.wh.ID, 1), elsewhere)
}

func TestLocations_OlderServiceSendsAll(t *testing.T) {
	t.Parallel()
	d := openLimited(t, func(req *api.Request) error {
		filter := api.LocationsFilter{}
		switch in := req.Input.(type) {
		case *api.SnapshotInput:
			filter = in.LocationsFilter
		case *api.ListChangesInput:
			filter = in.LocationsFilter
		}
		if filter.Locations != "" {
			return api.Fail(api.ValidationError, nil, "locations: unknown parameter.")
		}
		return nil
	})
	require.Equal(t, map[string]int64{"SHOP-1": 20}, d.onHand())
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.wh.ID, 5))
	ledgertest.Do(d.world, api.AdjustStock, adjustOf(d.product, d.shop.ID, 3))
	ledgertest.Do(d.world, api.CreateOutbound, api.CreateOutboundInput{ProductID: d.product, LocationID: d.wh.ID, RequestedQuantity: new(int64(2))})
	tr := ledgertest.Do(d.world, api.CreateTransfer, api.CreateTransferInput{ProductID: d.product, SourceLocationID: d.wh.ID, DestinationLocationID: d.shop.ID, Quantity: 7}).Transfer
	ledgertest.Do(d.world, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	d.waitRead()
	d.link.cut.Store(true)
	require.Equal(t, map[string]int64{"SHOP-1": 23}, d.onHand())
	list := ledgertest.Call(t, d.svc, api.ListTransfers, api.ListTransfersInput{})
	require.Len(t, list.Items, 1)
	require.NoError(t, d.Verify(t.Context()))
}

func TestLocations_ChangeReadsAgain(t *testing.T) {
	t.Parallel()
	d := openLimited(t, nil)
	d.link.cut.Store(true)
	require.NoError(t, d.adjust(d.shop.ID, 1))
	d.stop()

	other := []api.PlaceRef{{ID: d.wh.ID, Code: d.wh.Code}}
	_, _, err := offline.Open(t.Context(), offline.Config{Upstream: d.link, Replicas: &d.replicas, Folder: &d.journal,
		Caller: d.caller(), Now: d.world.Clock.Now, Locations: other})
	require.EqualError(t, err, "1 operations are not synced yet, and the data of their locations would be removed: start with the same locations as before, let the operations sync or resolve them, and then change the locations")

	d.locations = append(slices.Clone(other), d.locations...)
	d.open()
	require.Equal(t, map[string]int64{"SHOP-1": 21}, d.onHand(), "as before, until there is a connection")
	d.link.cut.Store(false)
	d.Resume()
	d.eventually("the data of both locations is read", func() bool { return len(d.onHand()) == 2 })
	d.waitDrained()
	d.stop()

	d.locations = other
	d.open()
	d.eventually("the data of the other location is read", func() bool { return len(d.onHand()) == 1 && d.onHand()["WH-1"] == 50 })
	d.stop()
	d.locations = nil
	d.open()
	d.eventually("the data of all locations is read", func() bool { return len(d.onHand()) == 2 })
	require.Nil(t, d.Sync().Locations)
}

func adjustOf(product, location api.ID, n int64) api.AdjustStockInput {
	return api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, InventoryState: api.OnHand, QuantityDelta: n, Reason: "count"}
}
