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
	"bincard/server/api"
)

// A link is the way to the service: so long, and cut.
type link struct {
	api.Service
	roundTrip time.Duration // there and back
	cut       atomic.Bool
	most      atomic.Int64 // writes that were under way at once
	now       atomic.Int64
}

func (l *link) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if l.cut.Load() {
		return nil, api.Fail(api.Unavailable, api.Details{"outcome": apiclient.NotSent}, "The service cannot be reached.")
	}
	if req.Spec.Writes() {
		l.most.Store(max(l.most.Load(), l.now.Add(1)))
		defer l.now.Add(-1)
	}
	if l.roundTrip > 0 {
		time.Sleep(l.roundTrip / 2)
		defer time.Sleep(l.roundTrip / 2)
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
	stop func() // ends the node
}

// newFixture is a node that has read all that the service has.
func newFixture(b *testing.B, w serviceInfo) *fixture {
	client, err := apiclient.New(apiclient.Config{URL: w.URL, Key: w.Key, Organization: w.Org.String()})
	require.NoError(b, err)
	d := &fixture{b: b, w: w, dir: b.TempDir(), link: &link{Service: client}, stop: func() {}}
	b.Cleanup(func() { d.stop() })
	return d
}

// open opens the node; its lines are not at work yet.
func (d *fixture) open() {
	log := slog.New(slog.DiscardHandler)
	bases, err := offline.OpenReplicas(filepath.Join(d.dir, "bases"), log)
	require.NoError(d.b, err)
	n, trouble, err := offline.Open(context.Background(), offline.Config{Upstream: d.link, Replicas: bases,
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == apiclient.NotSent },
		Folder:  journal.Dir(d.dir), Caller: d.w.caller(), Log: log,
		Owner: outbox.Header{Organization: d.w.Org.String(), Environment: string(api.Test)}})
	require.NoError(d.b, err)
	require.Nil(d.b, trouble)
	d.Node = n
	d.stop = func() {
		d.stop = func() {}
		require.NoError(d.b, n.Close())
		require.NoError(d.b, bases.Close())
	}
}

// run lets the lines of the node work until the returned end.
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

// fill begins a node and fills it.
func (d *fixture) fill() time.Duration {
	began := time.Now()
	d.open()
	end := d.run()
	d.eventually(d.Ready)
	took := time.Since(began)
	end()
	return took
}

// eventually waits for what must become so.
func (d *fixture) eventually(so func() bool) {
	d.b.Helper()
	require.Eventually(d.b, so, 10*time.Minute, 2*time.Millisecond)
}

// enqueue keeps so many adjustments, over so many products, and tells how long
// each took.
func (d *fixture) enqueue(n, products int) (times durations) {
	for i := range n {
		began := time.Now()
		_, err := api.AdjustStock.Call(d.b.Context(), d.Node, adjust(d.w.Products[i%products], d.w.Places[i%locationCount]))
		require.NoError(d.b, err)
		times = append(times, time.Since(began))
	}
	return times
}

// drained tells whether nothing waits and all that was done is in the replica.
func (d *fixture) drained() bool {
	if d.Status().Waiting > 0 {
		return false
	}
	for _, it := range d.Operations() {
		if it.State == outbox.Done && !it.Confirmed {
			return false
		}
	}
	return true
}

// durations are durations.
type durations []time.Duration

func (s durations) percentile(share float64) float64 {
	slices.Sort(s)
	return ms(s[int(share*float64(len(s)-1))])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
