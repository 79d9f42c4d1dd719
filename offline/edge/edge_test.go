package edge_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/edge"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/metrics"
	"bincard/server/upgrade"
)

// A fixture is an edge, the service behind it, and a connection that can be
// cut.
type fixture struct {
	*edge.Service
	t       *testing.T
	world   *ledgertest.World
	node    *offline.Node
	own     api.Caller
	devices *edge.Devices
	dir     string
	cut     atomic.Bool
	// holdFeed keeps the edge from reading changes.
	holdFeed atomic.Bool

	mug        api.Product
	main, quay api.Place
}

// Do implements the edge's upstream service.
func (s *fixture) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if s.cut.Load() {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "There is no connection.")
	}
	upstream := *req
	upstream.Caller = &s.own
	res, err := s.world.Ledger.Do(ctx, &upstream)
	if s.holdFeed.Load() && req.Spec == api.ListChanges.Spec {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "No answer.")
	}
	return res, err
}

func openFixture(t *testing.T) *fixture {
	w := ledgertest.Open(t)
	s := &fixture{t: t, world: w, dir: t.TempDir(), own: api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "edge", Label: "Quay edge"}}}
	s.mug = w.Product("MUG-W", api.TrackNone)
	s.main, s.quay = w.Location("WH-1"), w.Location("ST-1")
	w.Stock(s.mug.ID, s.main.ID, 30)
	w.Clock.Advance(time.Hour)
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: s, Replicas: &replicas.Memory{}, Folder: &journal.Memory{},
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
		Caller:  s.own, Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Owner: outbox.Header{Service: "centre", Organization: w.Org.ID.String(), Environment: string(api.Live)}})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); n.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done; _ = n.Close() })
	s.node, s.Service = n, edge.New(n, s.own, api.Access{Organization: w.Org, Environment: api.Live})
	s.devices, err = edge.OpenDevices(s.dir, s.own, time.Now)
	require.NoError(t, err)
	s.eventually("the edge is ready", n.Ready)
	return s
}

func (s *fixture) eventually(what string, condition func() bool) {
	s.t.Helper()
	require.Eventually(s.t, condition, 90*time.Second, time.Millisecond, what)
}

// service returns the edge as a new device sees it.
func (s *fixture) service(label string, location *api.Place) api.Service {
	s.t.Helper()
	secret, created, err := s.devices.Create(edge.DeviceInput{Label: label, Scopes: api.Scopes}, location)
	require.NoError(s.t, err)
	require.Equal(s.t, label, created.Label)
	caller, err := s.devices.Authenticate(s.t.Context(), secret)
	require.NoError(s.t, err)
	return api.As(s.Service, *caller, "")
}

func (s *fixture) adjust(location api.Place, by int64) api.AdjustStockInput {
	return api.AdjustStockInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: location.ID}, InventoryState: api.OnHand, QuantityDelta: by, Reason: "counted"}
}

func requireRefused[I, O any](t *testing.T, svc api.Service, op api.Operation[I, O], in I, words ...string) {
	t.Helper()
	_, err := op.Call(t.Context(), svc, in)
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	for _, w := range words {
		require.ErrorContains(t, err, w)
	}
}

// A device at one end of a transfer does not change the stock of the other end.
func TestDevice_TransferOfTheOtherEnd(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	quay, main := s.service("scanner-3", &s.quay), s.service("scanner-1", &s.main)
	ledgertest.Call(t, main, api.AdjustStock, s.adjust(s.main, 20))
	in := api.CreateTransferInput{ProductID: s.mug.ID, SourceLocationID: s.main.ID, DestinationLocationID: s.quay.ID, Quantity: 2}
	create := func(ship bool) api.ID {
		tr := ledgertest.Call(t, main, api.CreateTransfer, in)
		if ship {
			ledgertest.Call(t, main, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.Transfer.ID})
		}
		return tr.Transfer.ID
	}
	for _, shipped := range []bool{false, true} {
		cancel := api.TransferInput{TransferID: create(shipped)}
		requireRefused(t, quay, api.CancelTransfer, cancel, "done at WH-1")
		ledgertest.Call(t, main, api.CancelTransfer, cancel)
	}
	loss := api.CloseTransferInput{TransferID: create(true), Reason: "lost on the way"}
	requireRefused(t, main, api.CloseTransfer, loss, "done at ST-1")
	ledgertest.Call(t, quay, api.CloseTransfer, loss)
}

func TestDevice_WorksOnlyAtItsLocation(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	quay, main, any := s.service("scanner-3", &s.quay), s.service("scanner-1", &s.main), s.service("office", nil)
	ledgertest.Call(t, quay, api.AdjustStock, s.adjust(s.quay, 4))
	requireRefused(t, quay, api.AdjustStock, s.adjust(s.main, 4), "scanner-3", "only at ST-1", "done at WH-1")
	ledgertest.Call(t, any, api.AdjustStock, s.adjust(s.main, 1))
	requireRefused(t, quay, api.CreateLocation, api.CreateLocationInput{Code: "X", Name: "X", Type: api.Warehouse})

	// A transfer is shipped at its source and received at its destination.
	in := api.CreateTransferInput{ProductID: s.mug.ID, SourceLocationID: s.main.ID, DestinationLocationID: s.quay.ID, Quantity: 10}
	requireRefused(t, quay, api.CreateTransfer, in, "done at WH-1")
	created := ledgertest.Call(t, main, api.CreateTransfer, in)
	move := api.MoveTransferInput{TransferID: created.Transfer.ID}
	requireRefused(t, quay, api.ShipTransfer, move)
	ledgertest.Call(t, main, api.ShipTransfer, move)
	requireRefused(t, main, api.ReceiveTransfer, move)
	ledgertest.Call(t, quay, api.ReceiveTransfer, move)

	inbound := ledgertest.Call(t, any, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: s.main.ID}, ExpectedQuantity: 5})
	got := api.ReceiveInboundInput{InboundID: inbound.Inbound.ID, Quantity: 5}
	requireRefused(t, quay, api.ReceiveInbound, got)
	ledgertest.Call(t, main, api.ReceiveInbound, got)
	list := ledgertest.Call(t, quay, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: s.main.ID}})
	require.Len(t, list.Items, 1, "reads are not restricted")
}

// TestCheckLocation_CoversEveryWrite requires that no operation that changes
// stock escapes the location check.
func TestCheckLocation_CoversEveryWrite(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	device := s.service("scanner-3", &s.quay)
	for _, spec := range api.Operations() {
		if !spec.Writes() {
			continue
		}
		in := reflect.New(spec.Input())
		located := false
		for _, name := range []string{"LocationID", "SourceLocationID", "DestinationLocationID"} {
			if f := in.Elem().FieldByName(name); f.IsValid() {
				located = true
				f.Set(reflect.ValueOf(s.main.ID))
			}
		}
		for _, name := range []string{"InboundID", "OutboundID", "TransferID", "ReservationID"} {
			located = located || in.Elem().FieldByName(name).IsValid()
		}
		_, err := device.Do(t.Context(), &api.Request{Spec: spec, Input: in.Interface(), IdempotencyKey: api.NewKey()})
		if !located {
			free := api.HasCode(err, api.LocationNotAllowed) || api.HasCode(err, api.NotImplemented) || slices.Contains([]string{api.CreateProduct.Spec.ID, api.LinkBarcode.Spec.ID, api.UnlinkBarcode.Spec.ID}, spec.ID)
			require.True(t, free, "%s names no location and returned %v", spec.ID, err)
			continue
		}
		require.Error(t, err, spec.ID)
	}
}

// No write of the node lets a device that is bound to a location name the work of another
// device, whatever the type and the fields of its input.
func TestCheckOwnWork_CoversEveryDecision(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.cut.Store(true)
	ledgertest.Call(t, s.service("scanner-1", &s.quay), api.AdjustStock, s.adjust(s.quay, 4), api.Key("found"))
	device, decisions := s.service("scanner-3", &s.quay), 0
	for _, spec := range api.NodeOperations() {
		if !spec.Writes() || spec.ID == api.TrySync.ID { // which is about no operation
			continue
		}
		in := reflect.New(spec.Input())
		for i := range in.Elem().NumField() {
			switch f := in.Elem().Field(i); f.Interface().(type) {
			case string:
				f.SetString("found")
			case []string:
				f.Set(reflect.ValueOf([]string{"found"}))
			}
		}
		_, err := device.Do(t.Context(), &api.Request{Spec: spec, Input: in.Interface(), IdempotencyKey: api.NewKey()})
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "%s: %v", spec.ID, err)
		if _, ok := in.Interface().(api.WorkDecision); ok {
			decisions++
			require.ErrorContains(t, err, "another device (scanner-1)", spec.ID)
		}
	}
	require.NotZero(t, decisions)
	require.Equal(t, outbox.Pending, s.node.Operation("found").State)
}

func TestService_WorksOffline(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	quay, main := s.service("scanner-3", &s.quay), s.service("scanner-1", &s.main)
	s.cut.Store(true)
	res, err := api.AdjustStock.Do(t.Context(), quay, s.adjust(s.quay, 4), api.Key("k-1"), api.By("Ada"))
	require.NoError(t, err)
	require.Equal(t, edge.ByEdge, res.CommittedBy)
	ledgertest.Call(t, main, api.AdjustStock, s.adjust(s.main, -7), api.Key("k-2"))
	access := ledgertest.Call(t, quay, api.GetAccess, api.GetAccessInput{}) // access works offline
	require.Equal(t, s.quay.ID, *access.LocationID)
	require.Equal(t, "scanner-3", access.KeyLabel)
	_, err = api.ListKeys.Call(t.Context(), quay, api.ListKeysInput{})
	require.True(t, api.HasCode(err, api.NotImplemented), "%v", err)

	list := ledgertest.Call(t, quay, api.ListWork, api.ListWorkInput{})
	require.Len(t, list.Items, 1, "a device sees its own work")
	require.Equal(t, []string{"k-1", "scanner-3", "Ada"}, []string{list.Items[0].Key, list.Items[0].Device, list.Items[0].Operator})
	status := ledgertest.Call(t, quay, api.GetSync, api.SyncInput{})
	require.EqualValues(t, 1, status.Waiting)
	requireRefused(t, quay, api.DiscardWork, api.DiscardWorkInput{Key: "k-2", Reason: "not mine"}, "scanner-1")
	all := ledgertest.Call(t, api.As(s.Service, s.own, ""), api.ListWork, api.ListWorkInput{})
	require.Len(t, all.Items, 2)
	require.Equal(t, "scanner-1", all.Items[1].Operator, "the device is the operator by default")
	page := string(metrics.Collect(edge.NewCollector(s.node, time.Now)).Text())
	require.Contains(t, page, "\nbincard_edge_work_waiting 2\n")
	require.Equal(t, 9, strings.Count(page, "# TYPE"))

	s.cut.Store(false)
	s.node.Resume()
	s.eventually("everything is synced", func() bool {
		s.world.Clock.Advance(time.Second) // a request that was under way may fail after Resume
		return s.node.Status().Waiting == 0
	})
	after, who, device := int64(0), map[string]string{}, map[string]string{}
	for _, c := range ledgertest.Do(s.world, api.ListChanges, api.ListChangesInput{After: &after}).Items {
		if c.CreatedBy != nil {
			who[c.Key] = c.CreatedBy.Label
		}
		device[c.Key] = c.Device
	}
	require.Equal(t, "Ada", who["k-1"])
	require.Equal(t, "scanner-1", who["k-2"])
	require.Equal(t, "scanner-3", device["k-1"], "the service has the device too, whatever name its operator gave")
	require.Equal(t, "scanner-1", device["k-2"])
}

// TestService_AnswersLikeTheService_OnceSynced requires that what an edge answers before the
// service has recorded the work says so and has its final document id, and that the same
// request answers later what the service recorded: other movement ids, quantities and times.
func TestService_AnswersLikeTheService_OnceSynced(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	device := s.service("scanner-1", &s.main)
	at := s.adjust(s.main, 4).StockKey
	receive := func() (*api.Response, *api.Response) {
		made, err := api.CreateInbound.Do(t.Context(), device, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 6}, api.Key("create"))
		require.NoError(t, err)
		received, err := api.ReceiveInbound.Do(t.Context(), device, api.ReceiveInboundInput{InboundID: made.DocumentID(), Quantity: 6}, api.Key("receive"))
		require.NoError(t, err)
		return made, received
	}
	s.cut.Store(true)
	made, received := receive()
	require.Equal(t, edge.ByEdge, made.CommittedBy)
	require.Equal(t, edge.ByEdge, received.CommittedBy)
	s.world.Stock(at.ProductID, at.LocationID, 10) // others work meanwhile
	s.cut.Store(false)
	s.node.Resume()
	s.eventually("everything is recorded", func() bool {
		s.world.Clock.Advance(time.Second)
		op := s.node.Operation("receive")
		return op.Confirmed
	})
	again, final := receive()
	require.Empty(t, final.CommittedBy)
	require.Equal(t, made.DocumentID(), again.DocumentID())
	require.True(t, final.Replayed)

	row := ledgertest.Do(s.world, api.ReportMovements, api.ReportMovementsInput{}).Items
	recorded := map[api.ID]int64{}
	for i := range row {
		recorded[row[i].ID] = row[i].BalanceAfter
	}
	for _, m := range final.Movements() {
		require.Contains(t, recorded, m.ID)
		require.Equal(t, recorded[m.ID], m.BalanceAfter)
	}
	require.NotContains(t, recorded, received.Movements()[0].ID)
}

// TestHistory_ComesFromTheService requires that history is read from the
// service, and that the error says so when it is unreachable.
func TestHistory_ComesFromTheService(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	start := s.world.Clock.Now()
	quay := s.service("scanner-3", &s.quay)
	asOf := start.Add(-30 * time.Minute)
	before := api.ReportSnapshotInput{AsOf: &asOf}
	moves := func() []api.MovementRow {
		list := ledgertest.Call(t, quay, api.ReportMovements, api.ReportMovementsInput{})
		return list.Items
	}
	all := len(moves())
	require.Positive(t, all)
	list := ledgertest.Call(t, quay, api.ReportSnapshot, before)
	require.Len(t, list.Items, 1)

	s.cut.Store(true)
	require.Empty(t, moves(), "no movements since the edge started")
	_, err := api.ReportSnapshot.Call(t.Context(), quay, before)
	require.ErrorContains(t, err, "only at the service")
	_, err = api.ReportMovements.Call(t.Context(), quay, api.ReportMovementsInput{CreatedFrom: &asOf})
	require.ErrorContains(t, err, "only at the service")
	s.world.Clock.Advance(time.Minute)
	ledgertest.Call(t, quay, api.AdjustStock, s.adjust(s.quay, 4))
	require.NotEmpty(t, moves())
	ledgertest.Call(t, quay, api.ReportMovements, api.ReportMovementsInput{CreatedFrom: &start})
}

func TestDevices(t *testing.T) {
	t.Parallel()
	own := api.Caller{Environment: api.Test}
	dir := t.TempDir()
	devices, err := edge.OpenDevices(dir, own, time.Now)
	require.NoError(t, err)
	secret, created, err := devices.Create(edge.DeviceInput{Label: " scanner-3 ", Scopes: []api.Scope{api.InventoryRead}}, &api.Place{Code: "WH-2"})
	require.NoError(t, err)
	require.Contains(t, secret, "bc_test_")
	_, _, err = devices.Create(edge.DeviceInput{Label: "Scanner-3", Scopes: api.Scopes}, nil)
	require.True(t, api.HasCode(err, api.AlreadyExists), "%v", err)
	_, _, err = devices.Create(edge.DeviceInput{Label: "", Scopes: []api.Scope{api.Admin}}, nil)
	require.ErrorContains(t, err, "label")
	text, err := os.ReadFile(filepath.Join(dir, edge.DevicesFile))
	require.NoError(t, err)
	require.NotContains(t, string(text), secret)

	devices, err = edge.OpenDevices(dir, own, time.Now)
	require.NoError(t, err)
	c, err := devices.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, "scanner-3", c.KeyLabel)
	require.Equal(t, []api.Scope{api.InventoryRead}, c.Scopes)
	require.NotNil(t, devices.List()[0].LastUsedAt)
	other := "x"
	if strings.HasSuffix(secret, other) {
		other = "y"
	}
	_, err = devices.Authenticate(t.Context(), secret[:len(secret)-1]+other)
	require.ErrorContains(t, err, "mistyped")
	_, err = devices.Revoke(created.ID)
	require.NoError(t, err)
	_, err = devices.Authenticate(t.Context(), secret)
	require.True(t, api.HasCode(err, api.Unauthorized), "%v", err)
	_, _, err = devices.Create(edge.DeviceInput{Label: "scanner-3", Scopes: api.Scopes}, nil)
	require.NoError(t, err, "the label can be used again")
	require.NoError(t, os.WriteFile(filepath.Join(dir, edge.DevicesFile), []byte("{"), 0o600))
	_, err = edge.OpenDevices(dir, own, time.Now)
	require.ErrorContains(t, err, "create new keys")
}

// TestDependent_IsHeldWhenItsReceiptIsDiscarded requires that an operation that depends
// on a rejected receipt is not sent, and is quarantined when the receipt is discarded.
func TestDependent_IsHeldWhenItsReceiptIsDiscarded(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	device := s.service("scanner-1", &s.main)
	created := ledgertest.Do(s.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: s.main.ID}, ExpectedQuantity: 6})
	s.eventually("the edge knows the inbound", func() bool {
		_, err := api.GetInbound.Call(t.Context(), device, api.InboundInput{InboundID: created.Inbound.ID})
		return err == nil
	})
	s.cut.Store(true)
	got := api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 6}
	ledgertest.Call(t, device, api.ReceiveInbound, got, api.Key("receipt"))
	ledgertest.Call(t, device, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: s.main.ID}, Quantity: 2,
		SourceState: "available", DestinationState: "damaged", Reason: "crushed"}, api.Key("share"), api.After("receipt"))
	ledgertest.Do(s.world, api.ReceiveInbound, got)
	s.cut.Store(false)
	s.node.Resume()

	work := func(key string) api.Work {
		list := ledgertest.Call(t, device, api.ListWork, api.ListWorkInput{Key: key})
		require.Len(t, list.Items, 1)
		return list.Items[0]
	}
	s.eventually("the service has rejected the receipt", func() bool { return work("receipt").Refusal != nil })
	require.Equal(t, []string{"share"}, work("receipt").Needing)
	require.Equal(t, api.WaitDependency, work("share").Wait)
	ledgertest.Call(t, device, api.DiscardWork, api.DiscardWorkInput{Key: "receipt", Reason: "it was booked already"}, api.Key("drop"))
	share := work("share")
	require.Equal(t, api.WorkHeld, share.State)
	require.Contains(t, share.Refusal.Message, "The operation it depends on was discarded (it was booked already)")
	ledgertest.Call(t, device, api.DiscardWork, api.DiscardWorkInput{Key: "share", Reason: "with it"}, api.Key("drop-2"))
	balance := ledgertest.Do(s.world, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: s.main.ID}}).Items[0]
	require.EqualValues(t, 36, balance.OnHand)
	require.Zero(t, balance.Damaged)
}

// TestEdge_KeyOfAnotherDevice requires that two devices that use the same key for the
// same work never share a response.
func TestEdge_KeyOfAnotherDevice(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	first, second := s.service("Scanner 1", nil), s.service("Scanner 2", nil)
	s.cut.Store(true)
	in := s.adjust(s.main, 1)
	for range 2 {
		ledgertest.Call(t, first, api.AdjustStock, in, api.Key("1"))
	}
	_, err := api.AdjustStock.Call(t.Context(), second, in, api.Key("1"))
	e := api.AsError(err)
	require.Equal(t, api.IdempotencyKeyReused, e.Code)
	require.Equal(t, "Scanner 1", e.Details["device"])
	require.Equal(t, "adjustStock", e.Details["operation"])
	require.NotEmpty(t, e.Details["usedAt"])
}

// unknownInbound creates an inbound at the service that the edge has not read.
func (s *fixture) unknownInbound(at api.Place) api.ReceiveInboundInput {
	created := ledgertest.Do(s.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: s.mug.ID, LocationID: at.ID}, ExpectedQuantity: 6})
	return api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 4}
}

// A device that is bound to a location can touch no document of another one that the edge
// does not know, not even with Bincard-Insist.
func TestDevice_UnknownDocumentOfAnotherLocation(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.holdFeed.Store(true)
	quay, any := s.service("scanner-3", &s.quay), s.service("office", nil)
	elsewhere, here := s.unknownInbound(s.main), s.unknownInbound(s.quay)
	for _, risk := range [][]api.Option{nil, {api.AcceptRisk()}} {
		_, err := api.ReceiveInbound.Call(t.Context(), quay, elsewhere, risk...)
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
		require.ErrorContains(t, err, "done at WH-1")
	}
	gone := api.ReceiveInboundInput{InboundID: s.mug.ID, Quantity: 1}
	_, err := api.ReceiveInbound.Call(t.Context(), quay, gone, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.NotFound), "the service has no such document: %v", err)
	_, err = api.ReceiveInbound.Call(t.Context(), quay, here, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), "it is at this location: %v", err)

	s.cut.Store(true)
	unknown := s.unknownInbound(s.quay)
	_, err = api.ReceiveInbound.Call(t.Context(), quay, unknown, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	require.ErrorContains(t, err, "location is unknown")
	_, err = api.ReceiveInbound.Call(t.Context(), any, unknown, api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), "this key is not bound: %v", err)
}

// Work of a bound device that an earlier version saved without knowing its document is
// checked before it is sent.
func TestCheckSend(t *testing.T) {
	t.Parallel()
	checkSend(t, openFixture(t))
}

// The clock of the edge may be set back to before the device's key was made, so the name
// alone does not tell it from an earlier device.
func TestCheckSend_NameOfARevokedDevice(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	_, earlier, err := s.devices.Create(edge.DeviceInput{Label: "scanner-3", Scopes: api.Scopes}, &s.main)
	require.NoError(t, err)
	_, err = s.devices.Revoke(earlier.ID)
	require.NoError(t, err)
	require.True(t, s.world.Clock.Now().Before(earlier.CreatedAt))
	checkSend(t, s)
}

func checkSend(t *testing.T, s *fixture) {
	t.Helper()
	s.holdFeed.Store(true)
	s.cut.Store(true)
	elsewhere, here := s.unknownInbound(s.main), s.unknownInbound(s.quay)
	_, d, err := s.devices.Create(edge.DeviceInput{Label: "scanner-3", Scopes: api.Scopes}, &s.quay)
	require.NoError(t, err)
	caller := s.own
	caller.KeyID, caller.KeyLabel = d.ID, d.Label
	sent := map[string]*api.Request{}
	for key, in := range map[string]api.ReceiveInboundInput{"elsewhere": elsewhere, "here": here} {
		req := &api.Request{Spec: api.ReceiveInbound.Spec, Input: &in, IdempotencyKey: key, AcceptRisk: true, Caller: &caller}
		_, err := s.node.Do(t.Context(), req)
		require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
		sent[key] = req
	}
	err = s.CheckSend(t.Context(), sent["elsewhere"], s.devices)
	require.True(t, api.HasCode(err, api.Unavailable), "it is not known and not sent: %v", err)
	s.cut.Store(false)
	err = s.CheckSend(t.Context(), sent["elsewhere"], s.devices)
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	require.NoError(t, s.CheckSend(t.Context(), sent["here"], s.devices))
}

// The name of a revoked device may be given to one of another location. It cannot resolve
// the work of the earlier one; one of the same location can.
func TestDevice_NameOfARevokedDevice(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	s.cut.Store(true)
	ledgertest.Call(t, s.service("scanner-3", &s.main), api.AdjustStock, s.adjust(s.main, 4), api.Key("found"))
	replaceDevice := func(at *api.Place) api.Service {
		for _, d := range s.devices.List() {
			_, err := s.devices.Revoke(d.ID)
			require.NoError(t, err)
		}
		return s.service("scanner-3", at)
	}
	quay := replaceDevice(&s.quay)
	requireRefused(t, quay, api.DiscardWork, api.DiscardWorkInput{Key: "found", Reason: "not mine"}, "This was done at WH-1")
	requireRefused(t, quay, api.RetryWork, api.WorkKeyInput{Key: "found"}, "done at WH-1")
	ledgertest.Call(t, replaceDevice(&s.main), api.DiscardWork, api.DiscardWorkInput{Key: "found", Reason: "counted again"})
}

// The service learns when a client of the edge says that its work happened. The client's own
// id and number are not passed on: the service knows the edge by its own.
func TestEdge_PassesOnWhenWorkHappened(t *testing.T) {
	t.Parallel()
	s := openFixture(t)
	device, client := s.service("Scanner 1", nil), uuid.New()
	said := s.world.Clock.Now().Add(-2 * time.Hour)
	s.cut.Store(true)
	ledgertest.Call(t, device, api.AdjustStock, s.adjust(s.main, 3), api.Key("said"), api.OccurredAt(said), api.From(client, 7))
	unsaid := s.world.Clock.Now()
	ledgertest.Call(t, device, api.AdjustStock, s.adjust(s.main, 4), api.Key("unsaid"))
	for _, wrong := range []time.Duration{-367 * 24 * time.Hour, 6 * time.Minute} {
		_, err := api.AdjustStock.Call(t.Context(), device, s.adjust(s.main, 5), api.OccurredAt(s.world.Clock.Now().Add(wrong)))
		require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
	}
	s.world.Clock.Advance(time.Hour)
	s.cut.Store(false)
	s.eventually("the edge has synced", func() bool {
		s.world.Clock.Advance(time.Second)
		return s.node.Status().Waiting == 0
	})
	occurred, clients := map[string]time.Time{}, map[api.ID]bool{}
	for _, c := range ledgertest.Do(s.world, api.ListChanges, api.ListChangesInput{}).Items {
		if c.Client != nil {
			occurred[c.Key] = c.OccurredAt
			clients[c.Client.ID] = true
			require.Equal(t, "Scanner 1", c.Device)
		}
	}
	require.Equal(t, map[string]time.Time{"said": said, "unsaid": unsaid}, occurred)
	require.Len(t, clients, 1)
	require.NotContains(t, clients, client)
}

func TestStoredTypes_HaveAFixture(t *testing.T) {
	t.Parallel()
	upgrade.CheckStoredTypes(t, "devices", []*edge.StoredDevice{})
}
