package offline_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A conflict is an inbound of 10 of which a node received 6 offline, while
// someone else received 8.
type conflict struct {
	*fixture
	in  api.Inbound
	key string
}

func openConflict(t *testing.T) *conflict {
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10,
		Reference: api.Reference{ReferenceID: "PO-118"}}).Inbound
	d.waitReady()
	d.stop()
	d.link.cut.Store(true)
	d.open()
	c := &conflict{d, in, api.NewKey()}
	ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6, NewLot: api.NewLot{LotCode: ""}},
		api.Key(c.key), api.By("Ada"))
	ledgertest.Do(d.world, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 8})
	d.eventually("the node is offline", func() bool { return call(d, api.GetSync, api.SyncInput{}).State == api.SyncOffline })
	return c
}

func (c *conflict) reconnect() {
	c.link.cut.Store(false)
	call(c.fixture, api.TrySync, api.SyncInput{})
	c.eventually("it waits for a person, and shows what the service has", func() bool {
		w := c.work(c.key)
		return (w.State == api.WorkHeld || w.State == api.WorkRefused) && w.Stock.OpenThere != nil && *w.Stock.OpenThere == 2
	})
}

// call performs an operation of the node as the operator Ben.
func call[I, O any](d *fixture, op api.Operation[I, O], in I) O {
	d.t.Helper()
	out, err := decide(d, op, in)
	require.NoError(d.t, err)
	return out
}

// decide performs an operation of the node. It retries while an attempt is in
// flight, which permits no decision.
func decide[I, O any](d *fixture, op api.Operation[I, O], in I, opts ...api.Option) (out O, err error) {
	d.t.Helper()
	d.eventually("no attempt is in flight", func() bool {
		out, err = op.Call(d.t.Context(), d.svc, in, append([]api.Option{api.By("Ben")}, opts...)...)
		return !api.HasCode(err, api.Undecided)
	})
	return out, err
}

func (d *fixture) work(key string) api.Work {
	d.t.Helper()
	list := call(d, api.ListWork, api.ListWorkInput{Key: key})
	require.Len(d.t, list.Items, 1)
	return list.Items[0]
}

func TestListWork_DescribesConflict(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	var w api.Work
	c.eventually("it is pending, with no attempt in flight", func() bool { w = c.work(c.key); return w.State == api.WorkWaiting })
	require.Equal(t, api.WaitLink, w.Wait)
	require.Equal(t, "Ada", w.Operator)
	require.Empty(t, w.Device, "done at the node itself")
	about := w.Stock
	require.Equal(t, []string{"OAT-1L", "WH-1", "PO-118"}, []string{about.SKU, about.Location, about.Reference})
	require.EqualValues(t, 6, *about.Quantity)
	require.EqualValues(t, 10, *about.InAll)
	require.EqualValues(t, 4, *about.OpenHere)
	require.EqualValues(t, 10, *about.OpenThere)
	require.EqualValues(t, 6, about.Here.OnHand)
	require.EqualValues(t, 0, about.There.OnHand)
	s := call(c.fixture, api.GetSync, api.SyncInput{})
	require.Equal(t, api.SyncOffline, s.State)
	require.EqualValues(t, 1, s.Waiting)
	require.NotNil(t, s.Read, "the last sync is known after an offline start")

	c.reconnect()
	w = c.work(c.key)
	require.Equal(t, api.QuantityExceedsPending, w.Refusal.Code)
	require.EqualValues(t, 8, w.Stock.Here.OnHand, "a quarantined operation is not applied")
	s = call(c.fixture, api.GetSync, api.SyncInput{})
	require.Equal(t, api.SyncOnline, s.State)
	require.Equal(t, []api.SyncAlarm{api.AlarmDecision}, s.Alarms)
	require.EqualValues(t, 1, s.Held+s.Refused)

	ledgertest.Do(c.world, api.CloseInbound, api.CloseInboundInput{InboundID: c.in.ID, Reason: "no more will come"})
	c.eventually("nothing is pending on a closed inbound", func() bool { about := c.work(c.key).Stock; return *about.OpenHere == 0 && *about.OpenThere == 0 })
}

func TestReplaceWork_WithAnotherQuantity(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	c.reconnect()
	key := api.NewKey()
	in := api.ReplaceWorkInput{Key: c.key, Operation: api.ReceiveInbound.Spec.ID, Target: "/inbounds/" + c.in.ID.String() + "/receive",
		Body: api.Metadata(`{"quantity":3}`)}
	_, err := decide(c.fixture, api.ReplaceWork, in, api.Key(key))
	require.True(t, api.HasCode(err, api.QuantityExceedsPending), "%v", err)
	require.True(t, c.work(c.key).State == api.WorkHeld || c.work(c.key).State == api.WorkRefused, "the operation is unchanged")
	in.Body = api.Metadata(`{"quantity":2}`)
	w, err := decide(c.fixture, api.ReplaceWork, in, api.Key(key))
	require.NoError(t, err)
	require.Equal(t, c.key, w.Replaces)
	again := ledgertest.Call(t, c.svc, api.ReplaceWork, in, api.Key(key), api.By("Ben")) // the same key repeats the decision
	require.Equal(t, w.N, again.N)
	old := c.work(c.key)
	require.Equal(t, []any{api.WorkReplaced, key, "Ben"}, []any{old.State, old.Successor, old.By})
	c.waitDrained()
	got := ledgertest.Do(c.world, api.GetInbound, api.InboundInput{InboundID: c.in.ID})
	require.EqualValues(t, 10, got.ReceivedQuantity)
	require.Zero(t, call(c.fixture, api.GetSync, api.SyncInput{}).Held)
	c.eventually("the new operation is synced", func() bool { return c.work(key).State == api.WorkDone })
	ledgertest.Call(t, c.svc, api.ReplaceWork, in, api.Key(key), api.By("Ben")) // the same key repeats the decision after it is synced
}

// A node that lost its replica rejects a repeated replacement until it has synced.
func TestReplaceWork_RepeatedBeforeFirstSync(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	key := api.NewKey()
	in := api.ReplaceWorkInput{Key: c.key, Operation: api.ReceiveInbound.Spec.ID,
		Target: "/inbounds/" + c.in.ID.String() + "/receive", Body: api.Metadata(`{"quantity":3}`)}
	_, err := decide(c.fixture, api.ReplaceWork, in, api.Key(key))
	require.NoError(t, err)
	c.stop()

	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: c.link, Replicas: &replicas.Memory{}, Folder: &c.journal,
		Caller: callerOf(c.world), Now: c.world.Clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	_, err = api.ReplaceWork.Call(t.Context(), n, in, api.Key(key), api.By("Ben"))
	require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
}

func TestReplaceWork_ExcludesReplacedOperation(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	in := api.ReplaceWorkInput{Key: c.key, Operation: api.ReceiveInbound.Spec.ID, Target: "/inbounds/" + c.in.ID.String() + "/receive",
		Body: api.Metadata(`{"quantity":11}`)}
	_, err := decide(c.fixture, api.ReplaceWork, in)
	require.True(t, api.HasCode(err, api.QuantityExceedsPending), "%v", err)
	local := call(c.fixture, api.GetInbound, api.InboundInput{InboundID: c.in.ID})
	require.EqualValues(t, 6, local.ReceivedQuantity, "the view is unchanged")
	in.Body = api.Metadata(`{"quantity":10}`)
	call(c.fixture, api.ReplaceWork, in)
	local = call(c.fixture, api.GetInbound, api.InboundInput{InboundID: c.in.ID})
	require.EqualValues(t, 10, local.ReceivedQuantity)
	c.stop()
	c.open()
	local = call(c.fixture, api.GetInbound, api.InboundInput{InboundID: c.in.ID})
	require.EqualValues(t, 10, local.ReceivedQuantity)
	require.EqualValues(t, 1, call(c.fixture, api.GetSync, api.SyncInput{}).Waiting)
}

func TestListWork_OrderOfSeveralProducts(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, tea, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Product("TEA-20", api.TrackNone), d.world.Location("WH-1")
	stocked, all := int64(50), int64(42)
	for _, p := range []api.ID{oats.ID, tea.ID} {
		ledgertest.Do(d.world, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: p, LocationID: location.ID}, Quantity: &stocked})
	}
	order := ledgertest.Do(d.world, api.CreateOutbound, api.CreateOutboundInput{LocationID: location.ID, Reference: api.Reference{ReferenceID: "SO-452"},
		Lines: []api.OutboundLineInput{{ProductID: oats.ID, RequestedQuantity: 36}, {ProductID: tea.ID, RequestedQuantity: 6}}}).Outbound
	d.eventually("the order shows", func() bool {
		_, err := api.GetOutbound.Call(t.Context(), d.svc, api.OutboundInput{OutboundID: order.ID})
		return err == nil
	})
	d.link.cut.Store(true)
	key := api.NewKey()
	ledgertest.Call(t, d.svc, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: order.ID, Quantity: &all}, api.Key(key), api.By("Ada"))
	w := d.work(key)
	require.Equal(t, "SO-452", w.Stock.Reference)
	require.EqualValues(t, 42, *w.Stock.Quantity)
	require.Empty(t, w.Stock.SKU, "the 42 are not all of the first product")
	require.Zero(t, w.Stock.ProductID)
}

func TestReplaceWork_ReceiptWithAdjustment(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	c.reconnect()
	body, err := json.Marshal(map[string]any{"productId": c.in.ProductID, "locationId": c.in.LocationID, "inventoryState": "available",
		"quantityDelta": 6, "reason": "came with PO-118"})
	require.NoError(t, err)
	w := call(c.fixture, api.ReplaceWork, api.ReplaceWorkInput{Key: c.key, Operation: api.AdjustStock.Spec.ID, Target: "/stock/adjust", Body: body})
	require.Equal(t, "OAT-1L", w.Stock.SKU)
	c.waitDrained()
	list := ledgertest.Do(c.world, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: c.in.ProductID}})
	require.EqualValues(t, 14, list.Items[0].OnHand)
}

func TestReplaceWork_ManySerials(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	scale, location := d.world.Product("SCA-5", api.TrackSerial), d.world.Location("WH-1")
	d.waitReady()
	d.link.cut.Store(true)
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: scale.ID, LocationID: location.ID}}
	for i := range 1000 {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: fmt.Sprintf("SERIAL-NUMBER-%06d", i)})
	}
	key := api.NewKey()
	ledgertest.Call(t, d.svc, api.ReceiveStock, in, api.Key(key))
	in.Serials = in.Serials[1:]
	path, _, body, err := api.ReceiveStock.Spec.Encode(&in)
	require.NoError(t, err)
	w := call(d, api.ReplaceWork, api.ReplaceWorkInput{Key: key, Operation: api.ReceiveStock.Spec.ID, Target: path, Body: body})
	require.Len(t, w.Stock.Serials, 999)
}

func TestDecisions_ReturnErrors(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	ctx := t.Context()
	_, err := api.RetryWork.Call(ctx, c.svc, api.WorkKeyInput{Key: c.key})
	require.True(t, api.HasCode(err, api.Undecided), "%v", err)
	_, err = api.DiscardWork.Call(ctx, c.svc, api.DiscardWorkInput{Key: c.key})
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
	_, err = api.DiscardWork.Call(ctx, c.svc, api.DiscardWorkInput{Key: "nothing", Reason: "x"})
	require.True(t, api.HasCode(err, api.NotFound), "%v", err)
	_, err = api.ReplaceWork.Call(ctx, c.svc, api.ReplaceWorkInput{Key: c.key, Operation: "sell", Target: "/x"})
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
	_, err = api.ListWork.Call(ctx, c.svc, api.ListWorkInput{Cursor: "x"})
	require.True(t, api.HasCode(err, api.InvalidCursor), "%v", err)
	reader := c.caller()
	reader.Scopes = []api.Scope{api.InventoryRead}
	_, err = api.DiscardWork.Call(ctx, api.As(c.svc, reader, "Eve"), api.DiscardWorkInput{Key: c.key, Reason: "x"})
	require.True(t, api.HasCode(err, api.InsufficientScope), "%v", err)

	dropped := call(c.fixture, api.DiscardWork, api.DiscardWorkInput{Key: c.key, Reason: "not received"})
	require.Equal(t, []any{api.WorkDiscarded, "Ben", "not received"}, []any{dropped.State, dropped.By, dropped.Reason})
	require.Equal(t, dropped, call(c.fixture, api.DiscardWork, api.DiscardWorkInput{Key: c.key, Reason: "not received"}))
	local := call(c.fixture, api.GetInbound, api.InboundInput{InboundID: c.in.ID})
	require.EqualValues(t, 0, local.ReceivedQuantity)
}

func TestExportWork_CanBeImportedTwice(t *testing.T) {
	t.Parallel()
	c := openConflict(t)
	c.link.cut.Store(false)
	c.reconnect()
	waiting := api.NewKey()
	c.link.cut.Store(true)
	ledgertest.Call(t, c.svc, api.CreateProduct, api.CreateProductInput{SKU: "PEA-1", Name: "Peas"}, api.Key(waiting))
	file := call(c.fixture, api.ExportWork, api.SyncInput{})
	require.Len(t, file.Items, 2)
	data, err := json.Marshal(file)
	require.NoError(t, err)
	decoded, err := api.ImportWork.Spec.Decode(nil, nil, data)
	require.NoError(t, err, "an export can be imported")
	in := *decoded.(*api.ImportWorkInput)

	other := newFixture(t, c.world, c.world.Ledger)
	other.open()
	other.waitReady()
	require.Equal(t, api.Imported{Taken: 2}, call(other, api.ImportWork, in))
	require.Equal(t, api.Imported{Known: 2}, call(other, api.ImportWork, in))
	require.Equal(t, c.work(c.key).State, other.work(c.key).State, "the state is imported")
	require.Equal(t, "Ada", other.work(c.key).Operator)
	other.eventually("the importer syncs it", func() bool { return other.work(waiting).State == api.WorkDone })
	c.link.cut.Store(false)
	call(c.fixture, api.TrySync, api.SyncInput{})
	c.eventually("the exporter learns that it synced", func() bool { return c.work(waiting).State == api.WorkDone })
	products := ledgertest.Do(c.world, api.ListProducts, api.ListProductsInput{TextFilter: api.TextFilter{Query: "PEA-1"}})
	require.Len(t, products.Items, 1)

	for _, wrong := range []struct {
		change func(*api.ImportWorkInput)
		words  string
	}{
		{func(in *api.ImportWorkInput) { in.Format = outbox.Format + 1 }, "newer Bincard"},
		{func(in *api.ImportWorkInput) { in.Organization = c.in.ID }, "organization"},
		{func(in *api.ImportWorkInput) { in.Environment = api.Test }, "is from test"},
		{func(in *api.ImportWorkInput) { in.Items = []api.Metadata{api.Metadata(`{"magic":1}`)} }, "item 1 of 1"},
	} {
		bad := in
		wrong.change(&bad)
		_, err := api.ImportWork.Call(t.Context(), other.svc, bad)
		require.ErrorContains(t, err, "Nothing was imported")
		require.ErrorContains(t, err, wrong.words)
	}
}

func TestListWork_Pages(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.waitReady()
	d.link.cut.Store(true)
	var keys []string
	for _, sku := range []string{"A", "B", "C", "D", "E"} {
		keys = append(keys, api.NewKey())
		ledgertest.Call(t, d.svc, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: sku}, api.Key(keys[len(keys)-1]), api.By(sku))
	}
	limit, cursor := int64(2), ""
	var got []string
	for {
		page := call(d, api.ListWork, api.ListWorkInput{Limit: &limit, Cursor: cursor})
		for _, w := range page.Items {
			got = append(got, w.Key)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	require.Equal(t, keys, got)
	require.Len(t, call(d, api.ListWork, api.ListWorkInput{Operator: "C"}).Items, 1)
	require.Empty(t, call(d, api.ListWork, api.ListWorkInput{State: api.WorkRefused}).Items)
	require.Equal(t, "E", call(d, api.ListWork, api.ListWorkInput{Key: keys[4]}).Items[0].Stock.SKU)
}

func TestSync_AlarmsForLateWork(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, false)
	w := tenant{0, api.Live}
	n := s.node(w)
	ledgertest.Call(t, n, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A"})
	require.Empty(t, n.Sync().Alarms)
	s.clock.Advance(2 * time.Hour)
	require.Empty(t, n.Sync().Alarms, "offline work may wait longer")
	s.clock.Advance(23 * time.Hour)
	require.Equal(t, []api.SyncAlarm{api.AlarmLate}, n.Sync().Alarms)
	require.Equal(t, api.SyncOffline, n.Sync().State)
}
