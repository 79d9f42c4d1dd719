package offline_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
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
	list := ledgertest.Call(d.t, d.svc, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
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
	got := ledgertest.Call(t, d.svc, api.GetOutbound, api.OutboundInput{OutboundID: out.ID})
	require.Equal(t, out.Lines[0].PendingFulfillmentQuantity, got.Lines[0].PendingFulfillmentQuantity)

	d.link.cut.Store(true)
	ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4, NewLot: api.NewLot{LotCode: "L-1"}})
	ledgertest.Call(t, d.svc, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	ledgertest.Call(t, d.svc, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID})
	ledgertest.Call(t, d.svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
		InventoryState: api.Damaged, QuantityDelta: 2, Reason: "found"})
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
	list := ledgertest.Call(t, d.svc, api.ListInbounds, api.ListInboundsInput{})
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
		list := ledgertest.Call(t, d.svc, api.ListInbounds, api.ListInboundsInput{})
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
	ledgertest.Call(t, d.svc, api.AdjustStock, adjustOf(oats.ID, location.ID, 5), api.Key(key))
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
	ledgertest.Call(t, w.Service, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"})
	made := ledgertest.Call(t, w.Service, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: 2, ExpiresAt: &ends})
	ledgertest.Call(t, w.Service, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID})
	d.open()
	d.waitRead()
	require.Len(t, call(d, api.ListReservations, api.ListReservationsInput{}).Items, 1)
}

// A foreignService gives its inbounds and balances ids of its own, lists the
// oldest first, and accepts no page size or status.
type foreignService struct{ api.Service }

func foreignID(id api.ID) api.ID {
	for i := range id {
		id[i] ^= 0x5a
	}
	return id
}

func (a foreignService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	r := *req
	switch in := req.Input.(type) {
	case *api.ReceiveInboundInput:
		remote := *in
		remote.InboundID = foreignID(in.InboundID)
		r.Input = &remote
	case *api.ExplainBalanceInput:
		r.Input = &api.ExplainBalanceInput{BalanceID: foreignID(in.BalanceID)}
	case *api.ListTransfersInput:
		if in.Limit != nil || in.Status != "" {
			return nil, api.Fail(api.ValidationError, nil, "There is no such parameter.")
		}
	case *api.ReportMovementsInput:
		if in.Cursor != "" {
			return nil, api.Fail(api.InvalidCursor, nil, "There is one page.")
		}
	}
	res, err := a.Service.Do(ctx, &r)
	if err != nil {
		return nil, err
	}
	switch out := res.Output.(type) {
	case *api.InboundResult:
		out.Inbound.ID, out.Balance.ID = foreignID(out.Inbound.ID), foreignID(out.Balance.ID)
	case *api.List[api.Inbound]:
		for i := range out.Items {
			out.Items[i].ID = foreignID(out.Items[i].ID)
		}
	case *api.List[api.SnapshotRow]:
		for i := range out.Items {
			out.Items[i].ID = foreignID(out.Items[i].ID)
		}
	case *api.Explanation:
		out.Balance.ID = foreignID(out.Balance.ID)
	case *api.List[api.MovementRow]:
		slices.Reverse(out.Items)
	}
	return res, nil
}

// TestPolling_MapsLocalIDsToRemoteIDs creates and receives an inbound offline,
// before a service with ids of its own.
func TestPolling_MapsLocalIDsToRemoteIDs(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 20)
	d.link.svc = foreignService{documentedService{d.world.Ledger}}
	d.open()
	d.waitRead()
	id := d.stock(oats.ID, location.ID).ID
	d.link.cut.Store(true)
	created := ledgertest.Call(t, d.svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10})
	require.Equal(t, id, created.Balance.ID)
	ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 4})
	require.EqualValues(t, 24, d.stock(oats.ID, location.ID).OnHand)
	d.link.cut.Store(false)
	d.waitConfirmed()
	for _, op := range d.Operations() {
		require.Equal(t, outbox.Done, op.State, "%+v", op.Refusal)
	}
	again := ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 5}) // the local id remains valid
	require.EqualValues(t, 9, again.Inbound.ReceivedQuantity)
	d.stop()
	d.open()
	d.waitConfirmed()
	list := ledgertest.Call(t, d.svc, api.ListInbounds, api.ListInboundsInput{})
	require.Len(t, list.Items, 1)
	require.EqualValues(t, 9, list.Items[0].ReceivedQuantity)
	require.EqualValues(t, 29, d.stock(oats.ID, location.ID).OnHand)
	remote := ledgertest.Do(d.world, api.ListInbounds, api.ListInboundsInput{}).Items
	require.Len(t, remote, 1)
	require.EqualValues(t, 9, remote[0].ReceivedQuantity)
}

// A transfer created while an answer without it is on its way appears in the
// next cycle, even if later times of the service's clock were seen meanwhile.
func TestPolling_ReadsTransferCreatedBehindLateAnswer(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location, other := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("WH-2")
	w.Stock(oats.ID, location.ID, 20)
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}) // causes more reads in the same cycle
	var created api.ID
	countReads(t, w, n, 20*time.Minute, func(req *api.Request) (*api.Response, error) {
		res, err := served(req)
		if req.Spec == api.ListTransfers.Spec && created == (api.ID{}) {
			w.Clock.Advance(time.Minute)
			created = ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID,
				DestinationLocationID: other.ID, Quantity: 5}).Transfer.ID
			w.Clock.Advance(8 * time.Minute)
			w.Stock(oats.ID, location.ID, 3)
		}
		return res, err
	})
	require.NotZero(t, created)
	list := ledgertest.Call(t, n, api.ListTransfers, api.ListTransfersInput{})
	require.Len(t, list.Items, 1)
	require.Equal(t, created, list.Items[0].ID)
}

// The clocks of the service and the node may be wrong. The node reads the reservation that it
// made nevertheless, although that has ended by then.
func TestPolling_ReadsItsReservation_WithWrongClocks(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	n, served := openPolling(t, w)
	start := w.Clock.Now()
	w.Clock.Set(start.Add(48 * time.Hour))
	w.Stock(oats.ID, location.ID, 20)
	countReads(t, w, n, time.Hour, served)
	w.Clock.Set(start) // the service's time in the report stays ahead
	ends := start.Add(time.Hour)
	made := ledgertest.Call(t, n, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, Quantity: 5, ExpiresAt: &ends}, api.Key("reserve"))
	ledgertest.Call(t, n, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID}, api.Key("commit"))
	for _, key := range []string{"reserve", "commit"} {
		batch := nextBatch(t, n)
		require.Len(t, batch.Requests, 1)
		res, err := served(batch.Requests[0].Req)
		require.NoError(t, n.SendDone(key, res, err))
	}
	w.Clock.Set(start.Add(96 * time.Hour))
	countReads(t, w, n, time.Hour, served)
	list := ledgertest.Call(t, n, api.ListReservations, api.ListReservationsInput{})
	require.Len(t, list.Items, 1)
}

// Something between a node and Bincard's own service may answer that it lacks operations.
// The node then polls the service, and stops once it learns better.
func TestPolling_EndsWithBincardsOwnService(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Location("WH-1")
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	require.False(t, n.Supports(api.ListChanges.Spec))
	require.True(t, n.Ready())
	up := upstream{w.Ledger, callerOf(w)}
	for !n.Supports(api.ListChanges.Spec) {
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil {
			w.Clock.Advance(time.Minute)
			continue
		}
		if in, ok := req.Input.(*api.ListChangesInput); ok {
			in.Wait = nil
		}
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	require.True(t, n.Ready())
	list := ledgertest.Call(t, n, api.ListLocations, api.ListPlacesInput{})
	require.Len(t, list.Items, 1, "the node has every operation of the service")
}

// An unreliableService loses writes or their answers, and forgets keys: a key
// that is sent again counts as new.
type unreliableService struct {
	api.Service
	mu sync.Mutex
	// before and after lose requests or answers; short omits movements from explanations.
	before, after, short bool
	// paged has explanations in pages of one movement.
	paged bool
	sent  []string
}

func (b *unreliableService) set(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn()
}

func (b *unreliableService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	b.mu.Lock()
	before, after, short, paged := b.before, b.after, b.short, b.paged
	b.mu.Unlock()
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && paged {
		part, one := *in, int64(1)
		part.Limit = &one
		copied := *req
		copied.Input = &part
		return b.Service.(documentedService).Service.Do(ctx, &copied)
	}
	lost := api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "No answer came.")
	if req.Spec.Writes() {
		if before {
			return nil, lost
		}
		b.set(func() { b.sent = append(b.sent, req.IdempotencyKey) })
	}
	res, err := b.Service.Do(ctx, req)
	if after && (req.Spec.Writes() || req.Spec == api.ExplainBalance.Spec) {
		return nil, lost
	}
	if err != nil {
		return nil, err
	}
	if x, ok := res.Output.(*api.Explanation); ok && short {
		x.Movements = x.Movements[1:]
	}
	return res, nil
}

// TestPolling_LooksUpOperationsWithExpiredKeys has a service that forgets keys
// before an unanswered operation is retried.
func TestPolling_LooksUpOperationsWithExpiredKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after, short, paged bool

		state outbox.State
		sent  int
		stock int64
	}{
		"done":                         {after: true, state: outbox.Done, sent: 1, stock: 25},
		"not arrived":                  {before: true, state: outbox.Done, sent: 1, stock: 25},
		"done, on a later page":        {after: true, paged: true, state: outbox.Done, sent: 1, stock: 25},
		"not arrived, several pages":   {before: true, paged: true, state: outbox.Done, sent: 1, stock: 25},
		"unclear":                      {before: true, short: true, state: outbox.Held, sent: 0, stock: 20},
		"done, incomplete explanation": {after: true, short: true, state: outbox.Done, sent: 1, stock: 25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openPollingFixture(t)
			oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
			d.world.Stock(oats.ID, location.ID, 20)
			b := &unreliableService{Service: documentedService{d.world.Ledger}}
			d.link.svc = b
			d.open()
			d.waitRead()
			b.set(func() { b.before, b.after = c.before, c.after })
			key := api.NewKey()
			ledgertest.Call(t, d.svc, api.AdjustStock, adjustOf(oats.ID, location.ID, 5), api.Key(key))
			d.eventually("the operation was sent", func() bool { return !d.Operation(key).FailedAt.IsZero() })
			d.stop()
			b.set(func() { b.sent = b.sent[:min(1, len(b.sent))] })
			d.world.Clock.Advance(25 * time.Hour)
			b.set(func() { b.before, b.after, b.short, b.paged = false, false, c.short, c.paged })
			d.open()
			d.eventually("the operation is resolved", func() bool {
				d.Resume()
				op := d.Operation(key)
				return op.State == c.state && (op.State == outbox.Held || op.Confirmed)
			})
			require.Len(t, b.sent, c.sent, "an expired key is not sent again")
			require.EqualValues(t, c.stock, d.stock(oats.ID, location.ID).OnHand)
			remote := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: oats.ID}}).Items[0]
			require.EqualValues(t, c.stock, remote.OnHand)
			if c.state != outbox.Held {
				return
			}
			require.Contains(t, d.Operation(key).Refusal.Message, "Check the stock")
			require.NoError(t, d.Retry(t.Context(), key, "Ada"))
			d.eventually("the retried operation is confirmed", func() bool { d.Resume(); return d.Operation(key).Confirmed })
			require.EqualValues(t, 25, d.stock(oats.ID, location.ID).OnHand)
		})
	}
}

// countReads advances the world's clock by d, lets the node read from answer,
// and returns the number of requests.
func countReads(t *testing.T, w *ledgertest.World, n *offline.Node, d time.Duration, answer func(*api.Request) (*api.Response, error)) (count int) {
	for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
		req, at, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil && at.IsZero() { // the connection is down
			var probe *api.Request
			if probe, _, at = n.NextProbe(); probe != nil {
				count++
				_, err := answer(probe)
				n.ProbeDone(err)
				continue
			}
		}
		if req == nil {
			require.True(t, at.After(w.Clock.Now()), "the next request is later")
			w.Clock.Set(at)
			continue
		}
		count++
		res, err := answer(req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	return count
}

var errOffline = errors.New("there is no connection")

// openPolling opens a node that reads only through countReads, and returns it
// with a service that has the documented operations only.
func openPolling(t *testing.T, w *ledgertest.World) (*offline.Node, func(*api.Request) (*api.Response, error)) {
	t.Helper()
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	t.Cleanup(func() {
		require.NoError(t, n.Close())
		require.NoError(t, set.Close())
	})
	return n, documentedBy(w)
}

// openNode opens a node, with defaults for whatever the tests do not vary.
func openNode(t *testing.T, w *ledgertest.World, cfg offline.Config) *offline.Node {
	t.Helper()
	cfg.Caller, cfg.Now, cfg.Log = callerOf(w), w.Clock.Now, slog.New(slog.DiscardHandler)
	cfg.NotSent = func(err error) bool { return errors.Is(err, errOffline) }
	cfg.Outbox = outbox.Options{Random: func() float64 { return 0 }}
	cfg.Owner = outbox.Header{Organization: w.Org.ID.String(), Environment: string(api.Live)}
	n, _, err := offline.Open(t.Context(), cfg)
	require.NoError(t, err)
	return n
}

func documentedBy(w *ledgertest.World) func(*api.Request) (*api.Response, error) {
	up := upstream{documentedService{w.Ledger}, callerOf(w)}
	return func(req *api.Request) (*api.Response, error) { return up.Do(context.Background(), req) }
}

// errQuota is the error of a service whose quota of 3,000 requests a month is
// exceeded.
var errQuota = api.Fail(api.PlanLimitExceeded, api.Details{"entitlementKey": "api_requests", "limit": "3000", "used": "3000", "requested": "1"}, "The plan is used up.")

// TestPacer_LimitsReadsToAFifthOfTheQuota limits a node to its share of the
// monthly quota once the service has reported it.
func TestPacer_LimitsReadsToAFifthOfTheQuota(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, location.ID, 20)
	n, service := openPolling(t, w)
	day := 24 * time.Hour
	idle := countReads(t, w, n, day, service)
	require.Less(t, idle, 3500, "an idle node reads rarely")
	require.True(t, n.Ready())
	refused := countReads(t, w, n, day, func(*api.Request) (*api.Response, error) { return nil, errQuota })
	require.Less(t, refused, 100)
	countReads(t, w, n, time.Hour, service)
	offlineReads := countReads(t, w, n, 12*time.Hour, func(*api.Request) (*api.Response, error) { return nil, errOffline })
	require.Greater(t, offlineReads, 100, "failed connections do not count")
	resumed := countReads(t, w, n, 5*time.Minute, service)
	require.Positive(t, resumed, "reading resumes with the connection")
	month := countReads(t, w, n, 30*day, service)
	require.LessOrEqual(t, month, 620, "a fifth of 3,000")
	require.Greater(t, month, 300)
}

// TestPacer_KnowsTheQuotaFromTheStart limits a node from its first day if the
// quota is configured, and after a restart if the service had reported it.
func TestPacer_KnowsTheQuotaFromTheStart(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, location.ID, 20)
	service := documentedBy(w)
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}, Requests: 3000})
	first := countReads(t, w, n, 6*time.Hour, service)
	require.True(t, n.Ready())
	require.Greater(t, first, 12, "a new node reads often")
	month := countReads(t, w, n, 30*day, service)
	require.LessOrEqual(t, first+month, 630)
	require.Greater(t, month, 300)
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())

	folder, set := &journal.Memory{}, &replicas.Memory{}
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder})
	countReads(t, w, n, time.Hour, service)
	countReads(t, w, n, time.Hour, func(*api.Request) (*api.Response, error) { return nil, errQuota })
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder})
	alone := countReads(t, w, n, day, service)
	require.LessOrEqual(t, alone, 30, "the quota is saved")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder, Requests: 100_000})
	require.LessOrEqual(t, countReads(t, w, n, day, service), 30, "a higher configured quota is ignored")
	require.NoError(t, n.Close())
	n = openNode(t, w, offline.Config{Replicas: set, Folder: folder, Requests: 1000})
	require.LessOrEqual(t, 2*countReads(t, w, n, day, service), alone, "a lower configured quota applies")
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())
}

// TestPacer_SlowsDownForUnansweredOperation has a service whose answers to an operation
// prove nothing, and whose movements do not name its key. The node reads often only at
// first, and often again for the next operation.
func TestPacer_SlowsDownForUnansweredOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	location, products := w.Location("WH-1"), []api.Product{w.Product("OAT-1L", api.TrackNone), w.Product("RICE", api.TrackNone)}
	for _, p := range products {
		w.Stock(p.ID, location.ID, 20)
	}
	n, service := openPolling(t, w)
	idle := countReads(t, w, n, 6*time.Hour, service)
	require.True(t, n.Ready())
	send := func(d time.Duration) (reads int) { // and read, for a time
		for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
			batch := nextBatch(t, n)
			for _, r := range batch.Requests {
				require.NoError(t, n.SendDone(r.Key, &api.Response{Output: &api.StockResult{}}, nil))
			}
			reads += countReads(t, w, n, time.Second, service)
		}
		return reads
	}
	for _, p := range products {
		ledgertest.Call(t, n, api.AdjustStock, adjustOf(p.ID, location.ID, 5))
		require.Greater(t, send(90*time.Second), 20, "it may be found soon")
		send(10 * time.Minute)
		require.Less(t, send(6*time.Hour), 3*idle/2)
	}
	require.EqualValues(t, 2, n.Sync().Waiting)
}
