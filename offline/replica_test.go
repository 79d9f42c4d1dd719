package offline_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/testenv"
)

// A failingStore is a store that can stop working.
type failingStore struct {
	store.Store
	dead        atomic.Bool
	afterUpdate func() // nil: nothing
}

func (m *failingStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	return m.Store.View(ctx, p, fn)
}

func (m *failingStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if m.dead.Load() {
		return store.ErrUncertain
	}
	err := m.Store.Update(ctx, p, fn)
	if m.afterUpdate != nil {
		m.afterUpdate()
	}
	return err
}

// failingReplicas are replicas in failingStores.
type failingReplicas struct {
	replicas.Memory
	current, next *failingStore
}

func (b *failingReplicas) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *failingReplicas) Stage() (store.Store, error) {
	st, err := b.Memory.Stage()
	b.next = &failingStore{Store: st}
	return b.next, err
}

func (b *failingReplicas) Swap() (func() error, error) {
	b.current, b.next = b.next, nil
	return b.Memory.Swap()
}

func TestReplica_UnreadableIsPulledAgain(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	set := &failingReplicas{}
	n := s.open(w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	ledgertest.Call(t, n, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A"})
	set.current.dead.Store(true)
	_, err := api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.Error(t, err)
	s.sync(w)
	list := ledgertest.Call(t, n, api.ListProducts, api.ListProductsInput{})
	require.Len(t, list.Items, 1)
	require.Zero(t, n.Status().Waiting)
}

// A node that stops after its replica has a change, and before its journal says so, finds its
// operation in the replica later and does not send it again.
func TestReplica_StopAfterUpdate(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	set, up := &failingReplicas{}, upstream{s.ledger, s.caller(w)}
	n := s.open(w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	ledgertest.Call(t, n, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A"})
	batch := nextBatch(t, n)
	require.Len(t, batch.Requests, 1)
	res, err := up.Do(t.Context(), batch.Requests[0].Req)
	require.NoError(t, err)
	require.NoError(t, n.SendDone(batch.Requests[0].Key, res, nil))

	req, _, err := n.NextRead(t.Context())
	require.NoError(t, err)
	require.Equal(t, api.ListChanges.Spec.ID, req.Spec.ID)
	changes, err := up.Do(t.Context(), req)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	set.current.afterUpdate = stop
	require.Error(t, n.ReadDone(ctx, changes, nil))
	set.current.afterUpdate = nil
	op := n.Operation(batch.Requests[0].Key)
	require.False(t, op.Confirmed)
	s.clock.Advance(time.Minute)
	for !op.Confirmed {
		require.NoError(t, readFrom(t, n, func(req *api.Request) (*api.Response, error) { return up.Do(t.Context(), req) }))
		op = n.Operation(op.Key)
		require.Equal(t, outbox.Done, op.State)
	}

	require.NoError(t, n.Verify(t.Context()))
}

// openCutOff returns the directory of a node that is stopped and cut off, with a product in stock.
func openCutOff(t *testing.T) (d *fixture, oats api.Product, location api.Place) {
	d = openDirFixture(t)
	oats, location = d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 3)
	d.waitReady()
	d.stop()
	d.link.cut.Store(true)
	return d, oats, location
}

// openCached opens the node with a prediction cache from so many operations on.
func (d *fixture) openCached(least int) (n *offline.Node, stop func()) {
	set, err := replicas.OpenDir(filepath.Join(d.dir, "bases"), slog.New(slog.DiscardHandler))
	require.NoError(d.t, err)
	n = openNode(d.t, d.world, offline.Config{Upstream: d.link, Replicas: set, Folder: journal.Dir(d.dir), CacheMin: least})
	return n, func() {
		require.NoError(d.t, n.Close())
		require.NoError(d.t, set.Close())
	}
}

// TestCache_MatchesPrediction requires that a start with the prediction cache,
// intact or damaged, shows the same as a start without it.
func TestCache_MatchesPrediction(t *testing.T) {
	t.Parallel()
	d, oats, location := openCutOff(t)
	open := func() (*offline.Node, func()) { return d.openCached(1) }
	adjust := func(n *offline.Node, delta int64) error {
		_, err := api.AdjustStock.Call(t.Context(), n, adjustOf(oats.ID, location.ID, delta), api.AcceptRisk())
		return err
	}
	n, stop := open()
	require.NoError(t, adjust(n, 4))
	require.NoError(t, adjust(n, -6))
	require.True(t, api.HasCode(adjust(n, -9), api.AtRisk))
	require.NoError(t, n.SaveCache())
	path := filepath.Join(d.dir, offline.CacheName)
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotEmpty(t, first)
	require.NoError(t, adjust(n, 1))
	require.NoError(t, n.SaveCache())
	require.NoError(t, adjust(n, 1)) // not in the cache
	stop()
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Greater(t, len(good), len(first))
	require.Equal(t, first, good[:len(first)], "the cache was written again as a whole")
	for i := range 40 {
		data := append([]byte(nil), good...)
		switch at := i * len(good) / 40; {
		case i == 0: // intact
		case i%2 == 0:
			data[at] ^= 0x20
		default:
			data = data[:at]
		}
		require.NoError(t, os.WriteFile(path, data, 0o600))
		n, stop := open()
		list := ledgertest.Call(t, n, api.ListBalances, api.ListBalancesInput{})
		require.EqualValues(t, 3, list.Items[0].Available)
		require.NotNil(t, n.Operations()[2].Risk)
		require.NoError(t, n.Verify(t.Context()))
		stop()
	}
	require.NoError(t, os.WriteFile(path, good, 0o600))
	n, stop = open()
	defer stop()
	require.NoError(t, n.Discard(t.Context(), n.Operations()[0].Key, "Ada", "not needed", false))
	require.NoError(t, n.Verify(t.Context()))
}

// TestCache_IsSavedWhileRunning requires that a node that is killed soon after
// many operations does not predict all of them again at the next start.
func TestCache_IsSavedWhileRunning(t *testing.T) {
	t.Parallel()
	d, oats, location := openCutOff(t)
	n, stop := d.openCached(2)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { n.Run(ctx); close(ended) }()
	defer func() {
		cancel()
		<-ended
		stop()
	}()
	for range 2 {
		ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 4))
	}
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(d.dir, offline.CacheName))
		return err == nil
	}, 20*time.Second, 10*time.Millisecond)
}

// A silentUpstream is a service that stops answering.
type silentUpstream struct {
	upstream
	silent atomic.Bool
	asked  atomic.Int64
}

func (s *silentUpstream) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.asked.Add(1)
	if s.silent.Load() {
		<-ctx.Done()
		return nil, &api.Error{Code: api.Unavailable, Err: ctx.Err(), Message: "no answer", Details: api.Details{"outcome": "unknown"}}
	}
	return s.upstream.Do(ctx, req)
}

// Only the service can answer for a key that was used there. A service that does not
// answer delays the first request, and none after that.
func TestReplay_ServiceIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := ledgertest.Open(t)
		oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
		in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, ExpectedQuantity: 5}
		ledgertest.Call(t, w.Service, api.CreateInbound, in, api.Key("night-0"))
		up := &silentUpstream{upstream: upstream{w.Ledger, callerOf(w)}}
		n := siteBehind(t, w, up)
		readAll(t, w, n)
		create := func() time.Duration {
			start := time.Now()
			_, err := api.CreateInbound.Call(t.Context(), n, in, api.Key("night-0"))
			require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
			return time.Since(start)
		}
		up.silent.Store(true)
		require.Less(t, create(), 10*time.Second, "a client waits 10 s")
		_, timeout, _ := n.NextProbe()
		require.NotZero(t, timeout, "the connection is checked")
		n.ProbeDone(context.DeadlineExceeded)
		asked := up.asked.Load()
		require.Zero(t, create())
		require.Equal(t, asked, up.asked.Load())
	})
}

// Another site used the key for equal work, which is not this site's.
func TestReplay_EqualWorkOfAnotherSite(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	first, second := siteOf(t, w), siteOf(t, w)
	readAll(t, w, first)
	adjust := func(n *offline.Node) error {
		_, err := api.AdjustStock.Call(t.Context(), n, adjustOf(oat.ID, wh.ID, 5), api.Key("night-0"))
		return err
	}
	readAll(t, w, second)
	require.NoError(t, adjust(first))
	sendAll(t, w, first)
	readAll(t, w, second)
	err := adjust(second)
	require.True(t, api.HasCode(err, api.IdempotencyKeyReused), "it would be lost: %v", err)
}

// A restoredUpstream is a service that was restored to before all keys that nodes know. It
// loses its first answer.
type restoredUpstream struct {
	upstream
	lost bool
}

func (r *restoredUpstream) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	restored := *req
	restored.IdempotencyKey += "-again"
	res, err := r.upstream.Do(ctx, &restored)
	if !r.lost {
		r.lost = true
		return nil, &api.Error{Code: api.Unavailable, Message: "no answer", Details: api.Details{"outcome": "unknown"}}
	}
	return res, err
}

// A write that the service does after it lost the work with its key is the same write when
// it is repeated, whatever the node does meanwhile.
func TestReplay_RepeatedAtRestoredService(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, ExpectedQuantity: 5}
	ledgertest.Call(t, w.Service, api.CreateInbound, in, api.Key("night-0"))
	n := siteBehind(t, w, &restoredUpstream{upstream: upstream{w.Ledger, callerOf(w)}})
	readAll(t, w, n)
	_, err := api.CreateInbound.Call(t.Context(), n, in, api.Key("night-0"))
	require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
	ledgertest.Call(t, n, api.AdjustStock, adjustOf(oat.ID, wh.ID, 5), api.Key("other"))
	n.Resume()
	ledgertest.Call(t, n, api.CreateInbound, in, api.Key("night-0"))
}

// A replica knows which operation a key was used for, so nobody has to ask the service.
func TestReplay_KeyOfAnotherOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := &silentUpstream{upstream: upstream{w.Ledger, callerOf(w)}}
	n := siteBehind(t, w, up)
	readAll(t, w, n)
	at := api.StockKey{ProductID: oat.ID, LocationID: wh.ID}
	ledgertest.Call(t, w.Service, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 5}, api.Key("night-0"))
	readAll(t, w, n)
	_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"}, api.Key("night-0"))
	require.True(t, api.HasCode(err, api.IdempotencyKeyReused), "%v", err)
	require.Zero(t, up.asked.Load())
}

// Whether the service was restored shows by its epoch alone. If the journal
// has none because the disk failed when the replica arrived, it must be
// written before the first operation.
func TestJournal_EpochPrecedesFirstOperation(t *testing.T) {
	t.Parallel()
	d := openDirFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.waitReady()
	d.stop()
	file := filepath.Join(d.dir, offline.JournalName)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Remove(filepath.Join(d.dir, "journal.json"))) // as if it had never been written
	d.link.cut.Store(true)
	d.open()
	ledgertest.Call(t, d.svc, api.AdjustStock, adjustOf(oats.ID, location.ID, 5), api.Key("found"))
	d.stop()
	journal, err := os.ReadFile(file)
	require.NoError(t, err)
	epoch, capture := bytes.Index(journal, []byte(`"epoch"`)), bytes.Index(journal, []byte(`"capture"`))
	require.Positive(t, capture)
	require.Positive(t, epoch)
	require.Less(t, epoch, capture)
}

// A new replica follows whatever the service has now. Only the journal still
// names what the service had confirmed before it went back.
func TestNode_SendsAgainWhatTheServiceLost_AfterItsReplicaWasLost(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := upstream{w.Ledger, callerOf(w)}
	folder := &journal.Memory{}
	n := openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: folder})
	readOnce := func(gone error) {
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if in, ok := req.Input.(*api.ListChangesInput); ok && gone != nil && *in.Wait == 0 && *in.Limit == 1 {
			require.NoError(t, n.ReadDone(t.Context(), nil, gone))
			return
		}
		res, asked := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, asked))
	}
	for !n.Ready() {
		readOnce(nil)
	}
	ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 2), api.Key("one"))
	batch := nextBatch(t, n)
	res, err := up.Do(t.Context(), batch.Requests[0].Req)
	require.NoError(t, n.SendDone("one", res, err))
	for !n.Operation("one").Confirmed {
		readOnce(nil)
	}
	require.NoError(t, n.Close())

	n = openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: folder})
	gone := api.Fail(api.ChangesGone, api.Details{"reason": api.GoneDiverged}, "The feed may have been restored from a backup.")
	for !n.Ready() {
		readOnce(gone)
	}
	op := n.Operation("one")
	require.Equal(t, outbox.Pending, op.State)
	require.True(t, op.MaybeLost)
}

// goneService answers each request for changes that the service went back, once it did.
type goneService struct {
	upstream
	gone error
}

func (s *goneService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.ListChangesInput); ok && s.gone != nil && in.Epoch != "" {
		return nil, s.gone
	}
	return s.upstream.Do(ctx, req)
}

// A service that went back lacks what new work may need. Whoever was cut off, or starts,
// finds that out before it sends anything.
func TestNode_SendsNothing_UntilItKnowsTheHistory(t *testing.T) {
	t.Parallel()
	for name, details := range map[string]api.Details{
		"diverged": {"reason": api.GoneDiverged}, "ahead": {"reason": api.GoneAhead}, "epoch": {"reason": api.GoneEpoch, "epoch": "another"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			up := &goneService{upstream: upstream{w.Ledger, callerOf(w)}}
			cfg := offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}}
			n := openNode(t, w, cfg)
			read := func() {
				req, _, err := n.NextRead(t.Context())
				require.NoError(t, err)
				require.NotNil(t, req)
				res, asked := up.Do(t.Context(), req)
				require.NoError(t, n.ReadDone(t.Context(), res, asked))
			}
			probe := func() {
				req, _, _ := n.NextProbe()
				require.NotNil(t, req)
				_, err := up.Do(t.Context(), req)
				n.ProbeDone(err)
			}
			batch := func() []offline.BatchRequest {
				b := nextBatch(t, n)
				return b.Requests
			}
			for !n.Ready() {
				read()
			}
			for _, key := range []string{"one", "two"} {
				ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 2), api.Key(key))
			}
			first := batch()
			require.Len(t, first, 1, "the replica was just read")
			require.NoError(t, n.SendDone("one", nil, errOffline))
			require.Empty(t, batch())
			w.Clock.Advance(time.Minute)
			probe()
			require.Len(t, batch(), 1, "the probe showed the history")
			res, err := up.Do(t.Context(), first[0].Req)
			require.NoError(t, n.SendDone("one", res, err))

			// The service goes back while the node is not running.
			require.NoError(t, n.Close())
			n = openNode(t, w, cfg)
			require.Empty(t, batch(), "the service may have gone back")
			up.gone = api.Fail(api.ChangesGone, details, "The feed may have been restored from a backup.")
			read()
			require.True(t, n.Operation("one").MaybeLost)
			require.Len(t, batch(), 1)

			// It goes back while the node is cut off.
			require.NoError(t, n.SendDone("one", nil, errOffline))
			w.Clock.Advance(time.Minute)
			probe()
			require.Equal(t, api.SyncOnline, n.Sync().State)
			require.Empty(t, batch(), "the service went back again")
		})
	}
}

// TestSendDone_RejectsAnswerToAnotherOperation delivers well-formed answers
// that belong to another operation, as a cache or a proxy may.
func TestSendDone_RejectsAnswerToAnotherOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, soy, location := w.Product("OAT-1L", api.TrackNone), w.Product("SOY-1L", api.TrackNone), w.Location("WH-1")
	n := openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}})
	up := upstream{w.Ledger, callerOf(w)}
	readAll(t, w, n)
	adjust := func(product api.ID, key string) {
		ledgertest.Call(t, n, api.AdjustStock, adjustOf(product, location.ID, 2), api.Key(key))
	}
	adjust(oats.ID, "one")
	adjust(soy.ID, "two")
	_, err := api.CreateTransfer.Call(t.Context(), n, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID, DestinationLocationID: w.Location("WH-2").ID, Quantity: 1}, api.Key("three"))
	require.Error(t, err, "the node has not read WH-2")
	ledgertest.Call(t, n, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 5}, api.Key("four"))
	batch := nextBatch(t, n)
	answers := map[string]*api.Response{}
	for _, p := range batch.Requests {
		res, err := up.Do(t.Context(), p.Req)
		require.NoError(t, err)
		answers[p.Key] = res
	}
	other, err := api.CreateInbound.Do(t.Context(), up, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 5})
	require.NoError(t, err)
	for key, wrong := range map[string]*api.Response{"one": answers["two"], "two": {Output: &api.StockResult{Movements: []api.Movement{}}}, "four": other} {
		if answers[key] == nil {
			continue // it waits for an earlier one
		}
		require.NoError(t, n.SendDone(key, wrong, nil))
		op := n.Operation(key)
		require.Equal(t, outbox.Pending, op.State, key)
		require.True(t, op.MaybeDone(), "the outcome is unknown")
		require.False(t, op.FailedAt.IsZero())
	}
	for req, _, _ := n.NextProbe(); req != nil; req, _, _ = n.NextProbe() {
		n.ProbeDone(nil)
	}
	n.Resume()
	sendAll(t, w, n)
	require.Zero(t, n.Status().Waiting)
	require.Equal(t, outbox.Done, n.Operation("one").State)
}

// TestLocalView_EqualsReplayOfAllWork requires that the view equals a full
// replay row by row, whatever is done at the node and at the service, and in
// whatever order it is sent, answered and read.
func TestLocalView_EqualsReplayOfAllWork(t *testing.T) {
	t.Parallel()
	testenv.LocalViews.Check(t, func(r *rapid.T) {
		s := newNodeSet(t, false)
		w := tenant{0, api.Live}
		remote := api.As(s.ledger, s.caller(w), "")
		var products []api.Product
		for i := range 3 {
			p := ledgertest.Call(r, remote, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprint("P-", i), Name: "Product"})
			products = append(products, p)
		}
		location := ledgertest.Call(r, remote, api.CreateLocation, api.CreateLocationInput{Code: "WH", Name: "Place", Type: api.Warehouse})
		n := s.node(w)
		local := api.As(n, s.caller(w), "Ada")
		work := func(svc api.Service) {
			product, q := products[rapid.IntRange(0, 2).Draw(r, "product")], int64(rapid.IntRange(1, 4).Draw(r, "quantity"))
			switch rapid.IntRange(0, 3).Draw(r, "work") {
			case 0:
				_, _ = api.AdjustStock.Call(t.Context(), svc, adjustOf(product.ID, location.ID, 2*q-3), api.AcceptRisk())
			case 1:
				ends := s.clock.Now().Add(time.Duration(q) * time.Minute)
				_, _ = api.CreateReservation.Call(t.Context(), svc, api.CreateReservationInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID}, Quantity: q, ExpiresAt: &ends})
			case 2:
				_, _ = api.CreateInbound.Call(t.Context(), svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: location.ID}, ExpectedQuantity: q})
			case 3:
				if list, err := api.ListInbounds.Call(t.Context(), svc, api.ListInboundsInput{}); err == nil && len(list.Items) > 0 {
					in := list.Items[int(q)%len(list.Items)]
					_, _ = api.ReceiveInbound.Call(t.Context(), svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: q}, api.AcceptRisk())
				}
			}
		}
		for range rapid.IntRange(5, 40).Draw(r, "steps") {
			switch rapid.IntRange(0, 7).Draw(r, "step") {
			case 0, 1, 2:
				work(local)
			case 3:
				work(remote)
			case 4:
				out, err := n.NextBatch()
				require.NoError(r, err)
				for _, p := range out.Requests {
					res, err := upstream{s.ledger, s.caller(w)}.Do(t.Context(), p.Req)
					if rapid.Bool().Draw(r, "lost") {
						res, err = nil, api.Fail(api.Unavailable, nil, "No answer came.")
					}
					require.NoError(r, n.SendDone(p.Key, res, err))
				}
				n.Resume()
			case 5:
				readChanges(t, n, upstream{s.ledger, s.caller(w)})
			case 6:
				s.clock.Advance(time.Duration(rapid.IntRange(1, 180).Draw(r, "seconds")) * time.Second)
				_, err := api.ListBalances.Call(t.Context(), local, api.ListBalancesInput{}) // may trigger an expiry
				require.NoError(r, err)
			case 7:
				for _, op := range n.Operations() {
					if op.State == outbox.Refused || op.State == outbox.Held {
						if rapid.Bool().Draw(r, "again") {
							require.NoError(r, n.Retry(t.Context(), op.Key, "Ada"))
						} else {
							require.NoError(r, n.Discard(t.Context(), op.Key, "Ada", "counted again", false))
						}
						break
					}
				}
			}
			require.NoError(r, n.Verify(t.Context()))
		}
	})
}
