package offline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
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

// A cuttableLink is a connection to a service that can be cut.
type cuttableLink struct {
	upstream
	cut     atomic.Bool
	refuses func(*api.Request) error // nil: nothing
}

func (l *cuttableLink) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if l.cut.Load() {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
	}
	if l.refuses != nil {
		if err := l.refuses(req); err != nil {
			return nil, err
		}
	}
	if in, ok := req.Input.(*api.ListChangesInput); ok && in.Wait != nil {
		short := *in
		wait := min(*in.Wait, 1)
		short.Wait = &wait
		r := *req
		r.Input = &short
		req = &r
	}
	return l.upstream.Do(ctx, req)
}

// A fixture is a node, and its service in the same process.
type fixture struct {
	t        *testing.T
	world    *ledgertest.World
	link     *cuttableLink
	dir      string // of the node's files, which are in memory if it is empty
	journal  journal.Memory
	replicas replicas.Memory
	*offline.Node
	svc       api.Service
	locations []api.PlaceRef // the node is limited to
	up        api.Service    // in place of link, unless nil
	log       slog.Handler   // nil: none
	cancel    func()         // ends Run
	stop      func()
}

// newFixture returns a node in memory that is not open yet.
func newFixture(t *testing.T, w *ledgertest.World, service api.Service) *fixture {
	d := &fixture{t: t, world: w, link: &cuttableLink{upstream: upstream{service, callerOf(w)}}}
	t.Cleanup(func() { require.NoError(t, d.replicas.Close()) })
	return d
}

// openFixture opens a node in memory.
func openFixture(t *testing.T) *fixture {
	w := ledgertest.Open(t)
	d := newFixture(t, w, w.Ledger)
	d.open()
	return d
}

// openDirFixture opens a node in a directory.
func openDirFixture(t *testing.T) *fixture {
	w := ledgertest.Open(t)
	d := newFixture(t, w, w.Ledger)
	d.dir = t.TempDir()
	d.open()
	return d
}

func (d *fixture) caller() api.Caller { return callerOf(d.world) }

func callerOf(w *ledgertest.World) api.Caller {
	return api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "dock", Label: "Dock"}}
}

func (d *fixture) open() {
	log := slog.New(slog.DiscardHandler)
	if d.log != nil {
		log = slog.New(d.log)
	}
	var folder journal.Folder = &d.journal
	var set replicas.Set = &d.replicas
	closeSet := func() {}
	if d.dir != "" {
		saved, err := replicas.OpenDir(filepath.Join(d.dir, "bases"), log)
		require.NoError(d.t, err)
		folder, set = journal.Dir(d.dir), saved
		closeSet = func() { require.NoError(d.t, saved.Close()) }
	}
	var up api.Service = d.link
	if d.up != nil {
		up = d.up
	}
	n, damage, err := offline.Open(context.Background(), offline.Config{Upstream: up, Replicas: set,
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
		Folder:  folder, Caller: d.caller(), Now: d.world.Clock.Now, Log: log, Locations: d.locations,
		Owner: outbox.Header{Organization: d.world.Org.ID.String(), Environment: string(api.Live)}})
	require.NoError(d.t, err)
	require.Nil(d.t, damage)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		n.Run(ctx)
		close(done)
	}()
	d.Node, d.svc, d.cancel = n, n, cancel
	d.stop = func() {
		cancel()
		<-done
		require.NoError(d.t, n.Close())
		closeSet()
		d.stop = func() {}
	}
	d.t.Cleanup(func() { d.stop() })
}

// eventually waits for a condition. The clock advances meanwhile, so that pauses end: a
// request that was sent before the link came back can fail after it, and starts one.
func (d *fixture) eventually(what string, so func() bool) {
	d.t.Helper()
	require.Eventually(d.t, func() bool {
		d.world.Clock.Advance(20 * time.Millisecond)
		return so()
	}, 90*time.Second, time.Millisecond, what)
}

// waitReady waits until the node shows what the service has. A node that is
// ready may still have to read changes newer than its download.
func (d *fixture) waitReady() {
	d.t.Helper()
	service := upstream{d.world.Ledger, d.caller()}
	d.eventually("the node shows what the service has", func() bool {
		return sameAnswer(d, service, api.ListProducts, api.ListProductsInput{}) &&
			sameAnswer(d, service, api.ListLocations, api.ListPlacesInput{}) &&
			sameAnswer(d, service, api.ListInbounds, api.ListInboundsInput{}) &&
			sameAnswer(d, service, api.ReportSnapshot, api.ReportSnapshotInput{})
	})
}

func sameAnswer[I, T any](d *fixture, service api.Service, op api.Operation[I, api.List[T]], in I) bool {
	local, err := op.Call(d.t.Context(), d.svc, in)
	if err != nil {
		return false
	}
	remote, err := op.Call(d.t.Context(), service, in)
	require.NoError(d.t, err)
	a, err := json.Marshal(local.Items)
	require.NoError(d.t, err)
	b, err := json.Marshal(remote.Items)
	require.NoError(d.t, err)
	return bytes.Equal(a, b)
}

func (d *fixture) waitDrained() {
	d.t.Helper()
	d.eventually("everything is synced", d.synced)
}

// synced reports whether no operation waits and those that were sent are confirmed. It
// reads the operations last, because one can be sent meanwhile.
func (d *fixture) synced() bool {
	return d.Status().Waiting == 0 && !slices.ContainsFunc(d.Operations(), func(op outbox.Operation) bool {
		return op.State == outbox.Done && !op.Confirmed
	})
}

func TestNode_WorksOfflineAndSyncsOnce(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	d.waitReady()
	d.link.cut.Store(true)
	res, err := api.ReceiveInbound.Do(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4})
	require.NoError(t, err)
	require.Equal(t, offline.ByNode, res.CommittedBy)
	out := ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 5})
	require.EqualValues(t, 9, out.Inbound.ReceivedQuantity, "the second is applied over the first")
	_, err = api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 2})
	require.True(t, api.HasCode(err, api.QuantityExceedsPending), "the local ledger rejects it: %v", err)

	d.stop()
	d.open() // restart, still offline
	got := ledgertest.Call(t, d.svc, api.GetInbound, api.InboundInput{InboundID: in.ID})
	require.EqualValues(t, 9, got.ReceivedQuantity)
	require.Equal(t, 2, d.Status().Waiting)

	d.link.cut.Store(false)
	d.Resume()
	d.waitDrained()
	remote := ledgertest.Do(d.world, api.GetInbound, api.InboundInput{InboundID: in.ID})
	require.EqualValues(t, 9, remote.ReceivedQuantity)
}

func TestDo_AcceptRiskSavesRejectedOperation(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 3)
	d.waitReady()
	d.link.cut.Store(true)
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, InventoryState: api.Available, QuantityDelta: -5, Reason: "broken"}
	key := api.NewKey()
	_, err := api.AdjustStock.Call(t.Context(), d.svc, in, api.Key(key))
	require.True(t, api.HasCode(err, api.InsufficientStock))
	require.Equal(t, true, api.AsError(err).Details["insist"])
	require.Nil(t, d.Operation(key))
	_, err = api.AdjustStock.Call(t.Context(), d.svc, in, api.Key(key), api.AcceptRisk())
	require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
	require.NotNil(t, d.Operation(key).Risk)

	d.link.cut.Store(false)
	d.Resume()
	d.eventually("the service rejects it", func() bool { return d.Operation(key).State == outbox.Refused })
	require.Equal(t, api.InsufficientStock, d.Operation(key).Refusal.Code)
	require.ErrorContains(t, d.Discard(t.Context(), key, "Ada", "", false), "Enter a reason", false)
	d.world.Stock(oats.ID, location.ID, 2)
	require.NoError(t, d.Retry(t.Context(), key, "Ada"))
	d.eventually("the service accepts it", func() bool { return d.Operation(key).State == outbox.Done })
}

func TestConflict_IsQuarantined(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	in := ledgertest.Do(d.world, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	d.waitReady()
	d.stop()
	d.link.cut.Store(true)
	d.open()
	key := api.NewKey()
	ledgertest.Call(t, d.svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6}, api.Key(key))
	ledgertest.Do(d.world, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 8})
	d.link.cut.Store(false)
	d.Resume()
	d.eventually("it waits for a person", func() bool { s := d.Operation(key).State; return s == outbox.Held || s == outbox.Refused })
	require.Equal(t, api.QuantityExceedsPending, d.Operation(key).Refusal.Code)
	require.NoError(t, d.Discard(t.Context(), key, "Ada", "the same items", false))
	got := ledgertest.Do(d.world, api.GetInbound, api.InboundInput{InboundID: in.ID})
	require.EqualValues(t, 8, got.ReceivedQuantity)
}

func TestReplica_DamagedRowIsReadAgain(t *testing.T) {
	t.Parallel()
	d := openDirFixture(t)
	d.world.Product("OAT-1L", api.TrackNone)
	d.waitReady()
	d.stop()
	files, err := filepath.Glob(filepath.Join(d.dir, "bases", "base-*", "*.db"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Truncate(files[0], 5000))
	d.open()
	d.waitReady()
}

func TestOpen_RejectsJournalOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	d.stop()
	_, _, err := offline.Open(t.Context(), offline.Config{Upstream: d.link, Replicas: &replicas.Memory{}, Folder: &d.journal,
		Caller: d.caller(), Owner: outbox.Header{Organization: "another", Environment: "live"}})
	require.ErrorContains(t, err, "use another directory")
}

func TestDo_FailsBeforeFirstSync(t *testing.T) {
	t.Parallel()
	n, _, err := offline.Open(t.Context(), offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}})
	require.NoError(t, err)
	_, err = api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.ErrorContains(t, err, "Connect once")
	require.NoError(t, n.Close())
	_, err = api.ListProducts.Call(t.Context(), n, api.ListProductsInput{})
	require.Error(t, err)
}

var errFull = errors.New("no space left on device")

// A fullFolder is a folder on a disk that is full after some writes.
type fullFolder struct {
	journal.Memory
	left atomic.Int64
}

// newFullFolder returns a folder on a disk that is not full yet.
func newFullFolder() *fullFolder {
	f := &fullFolder{}
	f.free()
	return f
}

func (f *fullFolder) fill() { f.left.Store(0) }

func (f *fullFolder) free() { f.left.Store(math.MaxInt64) }

type fullFile struct {
	journal.File
	of *fullFolder
}

func (f *fullFolder) Open(name string) (journal.File, error) {
	file, err := f.Memory.Open(name)
	return &fullFile{file, f}, err
}

func (f *fullFile) WriteAt(p []byte, at int64) (int, error) {
	if f.of.left.Add(-1) < 0 {
		return 0, errFull
	}
	return f.File.WriteAt(p, at)
}

func TestDo_FailedWriteIsNotApplied(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	svc := worker{s, w, nil, ""}
	p := ledgertest.Call(t, svc, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A"})
	disk := newFullFolder()
	set := &replicas.Memory{}
	n := s.open(w, offline.Config{Replicas: set, Folder: disk})
	disk.fill()
	_, err := api.CreateProduct.Call(t.Context(), n, api.CreateProductInput{SKU: "B", Name: "B"})
	require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
	require.ErrorContains(t, err, "Not saved")
	require.Equal(t, []api.SyncAlarm{api.AlarmDisk}, n.Sync().Alarms)
	require.Contains(t, n.Sync().Troubles[0], "The disk does not accept new entries")
	list := ledgertest.Call(t, n, api.ListProducts, api.ListProductsInput{})
	require.Len(t, list.Items, 1)
	require.Equal(t, p.ID, list.Items[0].ID)
	disk.free()
	ledgertest.Call(t, n, api.CreateProduct, api.CreateProductInput{SKU: "B", Name: "B"})
	require.Empty(t, n.Sync().Alarms)
}

// TestJournal_IsCompacted requires that operations resolved long ago are
// removed from the journal, and that pending ones remain.
func TestJournal_IsCompacted(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	folder := &journal.Memory{}
	open := func() {
		s.open(w, offline.Config{Replicas: &replicas.Memory{}, Folder: folder, CompactAt: 8 << 10, Outbox: outbox.Options{KeepLast: 20}})
	}
	open()
	size := func() int64 {
		f, err := folder.Open(offline.JournalName)
		require.NoError(t, err)
		n, err := f.Size()
		require.NoError(t, err)
		return n
	}
	product := func(sku string) {
		ledgertest.Call(t, s.nodes[w], api.CreateProduct, api.CreateProductInput{SKU: sku, Name: sku})
	}
	for day := range 40 {
		for i := range 10 {
			product(fmt.Sprint("D", day, "-", i))
		}
		s.sync(w)
		s.clock.Advance(24 * time.Hour)
		require.Less(t, size(), int64(80<<10), "day %d", day)
	}
	product("LATE") // stays pending
	require.NoError(t, s.nodes[w].Close())
	open()
	require.Less(t, len(s.nodes[w].Operations()), 200)
	list := ledgertest.Call(t, s.nodes[w], api.ListProducts, api.ListProductsInput{TextFilter: api.TextFilter{Query: "LATE"}})
	require.Len(t, list.Items, 1)
}
