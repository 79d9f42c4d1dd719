package bench_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// A link is the connection to the service, which can be slow or cut.
type link struct {
	api.Service
	roundTrip   time.Duration // added to each request
	cut         atomic.Bool
	maxInFlight atomic.Int64 // maximum number of writes in flight
	now         atomic.Int64
}

func (l *link) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if l.cut.Load() {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": apiclient.NotSent}, "The service cannot be reached.")
	}
	if req.Spec.Writes() {
		l.maxInFlight.Store(max(l.maxInFlight.Load(), l.now.Add(1)))
		defer l.now.Add(-1)
	}
	if l.roundTrip > 0 {
		travel := func() { <-time.After(l.roundTrip / 2) }
		travel()
		defer travel()
	}
	return l.Service.Do(ctx, req)
}

// A fixture is a node in a directory.
type fixture struct {
	b    *testing.B
	w    serviceInfo
	dir  string
	link *link
	*offline.Node
	stop func() // closes the node
	// limit is the locations to which the node is limited.
	limit []api.PlaceRef
}

// newFixture returns a node that is not open yet.
func newFixture(b *testing.B, w serviceInfo) *fixture {
	client, err := apiclient.New(apiclient.Config{URL: w.URL, Key: w.Key, Organization: w.Org.String()})
	require.NoError(b, err)
	d := &fixture{b: b, w: w, dir: b.TempDir(), link: &link{Service: client}, stop: func() {}}
	b.Cleanup(func() { d.stop() })
	return d
}

// open opens the node without running it.
func (d *fixture) open() {
	log := slog.New(slog.DiscardHandler)
	set, err := replicas.OpenDir(filepath.Join(d.dir, "bases"), log)
	require.NoError(d.b, err)
	n, damage, err := offline.Open(context.Background(), offline.Config{Upstream: d.link, Replicas: set,
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == apiclient.NotSent },
		Folder:  journal.Dir(d.dir), Caller: d.w.caller(), Log: log, Locations: d.limit,
		Owner: outbox.Header{Organization: d.w.Org.String(), Environment: string(api.Test)}})
	require.NoError(d.b, err)
	require.Nil(d.b, damage)
	d.Node = n
	d.stop = func() {
		d.stop = func() {}
		require.NoError(d.b, n.Close())
		require.NoError(d.b, set.Close())
	}
}

// run runs the node until end is called.
func (d *fixture) run() (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		d.Run(ctx)
		close(done)
	}()
	return func() {
		cancel()
		<-done
	}
}

// fill opens the node and downloads its replica.
func (d *fixture) fill() time.Duration {
	start := time.Now()
	d.open()
	end := d.run()
	d.eventually(d.Ready)
	elapsed := time.Since(start)
	end()
	return elapsed
}

// eventually waits for a condition.
func (d *fixture) eventually(so func() bool) {
	d.b.Helper()
	require.Eventually(d.b, so, 10*time.Minute, 20*time.Millisecond)
}

// enqueue saves n adjustments over a number of products and returns how long
// each took.
func (d *fixture) enqueue(n, products int) (times durations) {
	for i := range n {
		start := time.Now()
		_, err := api.AdjustStock.Call(d.b.Context(), d.Node, adjust(d.w.Products[i%products], d.w.Places[i%len(d.w.Places)]))
		require.NoError(d.b, err)
		times = append(times, time.Since(start))
	}
	return times
}

// drained reports whether nothing is pending and the replica contains every
// operation.
func (d *fixture) drained() bool {
	if d.Status().Waiting > 0 {
		return false
	}
	for _, op := range d.Operations() {
		if op.State == outbox.Done && !op.Confirmed {
			return false
		}
	}
	return true
}

type durations []time.Duration

func (s durations) percentile(share float64) float64 {
	slices.Sort(s)
	return ms(s[int(share*float64(len(s)-1))])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
