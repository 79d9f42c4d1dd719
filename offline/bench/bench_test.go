package bench_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// BenchmarkFill reads a service of 20,000 balances and 500 open documents.
func BenchmarkFill(b *testing.B) {
	w := start(b)
	var times sheet
	for b.Loop() {
		d := newDock(b, w)
		times = append(times, d.filled())
		d.stop()
	}
	fmt.Printf("\na replica of %d balances and %d open documents fills in %.0f ms\n", wide*places, open, times.at(0.5))
	b.ReportMetric(times.at(0.5), "ms-fill")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCapture keeps work without a connection, takes what others did
// meanwhile and begins anew, with more and more that waits.
func BenchmarkCapture(b *testing.B) {
	w := start(b)
	d := newDock(b, w)
	d.filled()
	d.link.cut.Store(true)
	steps := []int{1000, *pending}
	fmt.Printf("\n%8s %15s %15s %13s %13s %16s\n", "pending", "capture p50 ms", "capture p99 ms", "a change ms", "opens in ms", "after a crash ms")
	kept := 0
	for _, n := range steps {
		times := d.captures(n-kept, len(w.Products))
		kept = n
		change := d.changed()
		crashed := d.opened()
		require.NoError(b, d.Remember())
		opened := d.opened()
		last := times[max(0, len(times)-500):]
		fmt.Printf("%8d %15.2f %15.2f %13.1f %13.1f %16.1f\n", n, last.at(0.5), last.at(0.99), change, opened, crashed)
		b.ReportMetric(last.at(0.5), fmt.Sprintf("ms-capture-%d", n))
		b.ReportMetric(change, fmt.Sprintf("ms-change-%d", n))
		b.ReportMetric(opened, fmt.Sprintf("ms-open-%d", n))
	}
	b.ReportMetric(0, "ns/op")
}

// opened ends the node, and tells how long another one takes to begin.
func (d *dock) opened() float64 {
	waiting := d.Status().Waiting
	d.stop()
	began := time.Now()
	d.begin()
	took := ms(time.Since(began))
	require.Equal(d.b, waiting, d.Status().Waiting)
	return took
}

// changed is how long the node takes to take over what somebody else did to a
// balance with work that waits.
func (d *dock) changed() float64 {
	ctx := context.Background()
	d.link.cut.Store(false)
	defer d.link.cut.Store(true)
	d.Try() // a line that was down is not waited for
	var times sheet
	for i := range 5 {
		_, err := api.AdjustStock.Call(ctx, d.link, adjust(d.w.Products[i], d.w.Places[i%places]))
		require.NoError(d.b, err)
		req, at, err := d.Ask(ctx)
		require.NoError(d.b, err)
		require.NotNil(d.b, req, "%v", at)
		res, err := d.link.Do(ctx, req)
		require.NoError(d.b, err)
		began := time.Now()
		require.NoError(d.b, d.Told(ctx, res, nil))
		times = append(times, time.Since(began))
	}
	return times.at(0.5)
}

// BenchmarkDrain sends what waits: over all products and over one alone, to a
// service nearby and to one that is far away.
func BenchmarkDrain(b *testing.B) {
	w := start(b)
	fmt.Printf("\n%8s %-28s %9s %12s %9s %14s\n", "pending", "", "s", "operations/s", "at once", "read p99 ms")
	for _, c := range []struct {
		name     string
		products int
		trip     time.Duration
	}{{"nearby", wide, 0}, {"nearby, one product", 1, 0}, {"300 ms away", wide, 300 * time.Millisecond}} {
		d := newDock(b, w)
		d.filled()
		d.captures(*pending, c.products)
		d.link.trip = c.trip
		d.link.most.Store(0)
		began := time.Now()
		end := d.work()
		looks := make(chan sheet)
		done := make(chan struct{})
		go func() { looks <- d.looks(done) }()
		d.comes(d.drained)
		took := time.Since(began)
		close(done)
		fmt.Printf("%8d %-28s %9.1f %12.0f %9d %14.1f\n", *pending, c.name, took.Seconds(), float64(*pending)/took.Seconds(),
			d.link.most.Load(), (<-looks).at(0.99))
		b.ReportMetric(took.Seconds(), "s-"+strings.ReplaceAll(c.name, " ", "-"))
		end()
		d.stop()
	}
	b.ReportMetric(0, "ns/op")
}

// looks reads a page twenty times a second until done, as a screen would.
func (d *dock) looks(done chan struct{}) (times sheet) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return times
		case <-tick.C:
		}
		began := time.Now()
		_, err := api.ListBalances.Call(context.Background(), d.Node, api.ListBalancesInput{ProductID: d.w.Products[0]})
		if err == nil {
			times = append(times, time.Since(began))
		}
	}
}
