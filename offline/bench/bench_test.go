package bench_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
)

// BenchmarkFill downloads a replica of one location, which has 500 open documents, and one
// of all of them.
func BenchmarkFill(b *testing.B) {
	w := start(b)
	fmt.Printf("\n%-14s %9s %9s %9s %9s\n", "", "balances", "fills ms", "disk MB", "heap MB")
	for _, c := range []struct {
		name  string
		limit []api.PlaceRef
		count int
	}{{"one location", []api.PlaceRef{{ID: w.Places[0], Code: "WH-1"}}, 1}, {"all locations", nil, len(w.Places)}} {
		b.Run(c.name, func(b *testing.B) {
			var times durations
			var disk, heap float64
			for b.Loop() {
				d := newFixture(b, w)
				d.limit = c.limit
				times = append(times, d.fill())
				heap = heapMB()
				d.stop()
				disk = diskMB(b, d.dir)
			}
			fmt.Printf("%-14s %9d %9.0f %9.1f %9.1f\n", c.name, len(w.Products)*c.count, times.percentile(0.5), disk, heap)
			b.ReportMetric(times.percentile(0.5), "ms-fill")
			b.ReportMetric(disk, "MB-disk")
			b.ReportMetric(heap, "MB-heap")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const mb = 1 << 20

// heapMB returns the memory in use by this process, which is mostly the node's.
func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / mb
}

// diskMB returns the size of the files in a directory.
func diskMB(b *testing.B, dir string) (size float64) {
	require.NoError(b, filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += float64(info.Size()) / mb
		}
		return err
	}))
	return size
}

// BenchmarkCapture measures saving an operation offline, applying a change of
// the service and opening the node after it was closed or killed, with more and
// more pending operations.
func BenchmarkCapture(b *testing.B) {
	w := start(b)
	d := newFixture(b, w)
	d.fill()
	d.link.cut.Store(true)
	steps := []int{1000, *pending}
	fmt.Printf("\n%8s %15s %15s %13s %13s %16s\n", "pending", "capture p50 ms", "capture p99 ms", "a change ms", "opens in ms", "after a crash ms")
	saved := 0
	for _, n := range steps {
		end := d.run()
		times := d.enqueue(n-saved, len(w.Products))
		saved = n
		cache, _ := os.ReadFile(filepath.Join(d.dir, offline.CacheName))
		end()
		require.NoError(b, os.WriteFile(filepath.Join(d.dir, offline.CacheName), cache, 0o600)) // as if killed
		crashed := d.reopenTime()
		change := d.changeTime()
		require.NoError(b, d.SaveCache())
		opened := d.reopenTime()
		last := times[max(0, len(times)-500):]
		fmt.Printf("%8d %15.2f %15.2f %13.1f %13.1f %16.1f\n", n, last.percentile(0.5), last.percentile(0.99), change, opened, crashed)
		b.ReportMetric(last.percentile(0.5), fmt.Sprintf("ms-capture-%d", n))
		b.ReportMetric(change, fmt.Sprintf("ms-change-%d", n))
		b.ReportMetric(crashed, fmt.Sprintf("ms-crash-%d", n))
		b.ReportMetric(opened, fmt.Sprintf("ms-open-%d", n))
	}
	require.NoError(b, os.Remove(filepath.Join(d.dir, offline.CacheName)))
	rebuilt := d.reopenTime()
	fmt.Printf("without a cache, it opens in %.1f ms\n", rebuilt)
	b.ReportMetric(rebuilt, "ms-rebuild")
	b.ReportMetric(0, "ns/op")
}

// reopenTime returns how long a restart of the node takes.
func (d *fixture) reopenTime() float64 {
	waiting := d.Status().Waiting
	d.stop()
	start := time.Now()
	d.open()
	elapsed := time.Since(start)
	require.Equal(d.b, waiting, d.Status().Waiting)
	return ms(elapsed)
}

// changeTime returns how long the node takes to apply a change of a balance
// that pending operations touch.
func (d *fixture) changeTime() float64 {
	ctx := context.Background()
	d.link.cut.Store(false)
	defer d.link.cut.Store(true)
	d.Resume() // skips the backoff
	if req, _, _ := d.NextProbe(); req != nil {
		_, err := d.link.Do(ctx, req)
		d.ProbeDone(err)
	}
	var times durations
	for i := range 5 {
		_, err := api.AdjustStock.Call(ctx, d.link, adjust(d.w.Products[i], d.w.Places[i%len(d.w.Places)]))
		require.NoError(d.b, err)
		req, at, err := d.NextRead(ctx)
		require.NoError(d.b, err)
		require.NotNil(d.b, req, "%v", at)
		res, err := d.link.Do(ctx, req)
		require.NoError(d.b, err)
		start := time.Now()
		require.NoError(d.b, d.ReadDone(ctx, res, nil))
		times = append(times, time.Since(start))
	}
	return times.percentile(0.5)
}

// BenchmarkDrain sends pending operations, on all products and on one, to a
// service nearby and to one far away.
func BenchmarkDrain(b *testing.B) {
	w := start(b)
	fmt.Printf("\n%8s %-28s %9s %12s %9s %14s\n", "pending", "", "s", "operations/s", "at once", "read p99 ms")
	for _, c := range []struct {
		name     string
		products int
		trip     time.Duration
	}{{"nearby", len(w.Products), 0}, {"one product", 1, 0}, {"300 ms away", len(w.Products), 300 * time.Millisecond}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				d := newFixture(b, w)
				d.fill()
				d.enqueue(*pending, c.products)
				d.link.roundTrip = c.trip
				elapsed, latencies := d.drain()
				fmt.Printf("%8d %-28s %9.1f %12.0f %9d %14.1f\n", *pending, c.name, elapsed.Seconds(), float64(*pending)/elapsed.Seconds(),
					d.link.maxInFlight.Load(), latencies.percentile(0.99))
				b.ReportMetric(elapsed.Seconds(), "s-drain")
				d.stop()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// drain runs the node until its operations are confirmed, and returns how long
// that took, and reading meanwhile.
func (d *fixture) drain() (elapsed time.Duration, latencies durations) {
	start := time.Now()
	end := d.run()
	defer end()
	reads := make(chan durations)
	done := make(chan struct{})
	go func() { reads <- d.readLatencies(done) }()
	d.eventually(d.drained)
	elapsed = time.Since(start)
	close(done)
	return elapsed, <-reads
}

// readLatencies reads a page twenty times a second until done, as a screen
// would.
func (d *fixture) readLatencies(done chan struct{}) (times durations) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return times
		case <-tick.C:
		}
		start := time.Now()
		_, err := api.ListBalances.Call(context.Background(), d.Node, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: d.w.Products[0]}})
		if err == nil {
			times = append(times, time.Since(start))
		}
	}
}
