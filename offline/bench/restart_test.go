package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
)

// BenchmarkRestart measures opening the node with pending operations: after it was closed,
// after it was killed, and without the prediction cache.
func BenchmarkRestart(b *testing.B) {
	w := start(b)
	d := newFixture(b, w)
	d.fill()
	d.link.cut.Store(true)
	end := d.run()
	d.enqueue(*pending, len(w.Products))
	path := filepath.Join(d.dir, offline.CacheName)
	cache, err := os.ReadFile(path)
	require.NoError(b, err)
	end()
	require.NoError(b, os.WriteFile(path, cache, 0o600)) // as if killed
	var crashed, closed durations
	for b.Loop() {
		crashed = append(crashed, d.reopenDuration())
	}
	require.NoError(b, d.SaveCache())
	for range crashed {
		closed = append(closed, d.reopenDuration())
	}
	require.NoError(b, os.Remove(path))
	rebuilt := d.reopenTime()
	fmt.Printf("\n%8s %11s %16s %19s\n%8d %11.1f %16.1f %19.1f\n", "pending", "opens in ms", "after a crash ms", "without a cache ms",
		*pending, closed.percentile(0.5), crashed.percentile(0.5), rebuilt)
	b.ReportMetric(closed.percentile(0.5), "ms-open")
	b.ReportMetric(crashed.percentile(0.5), "ms-crash")
	b.ReportMetric(rebuilt, "ms-rebuild")
	b.ReportMetric(0, "ns/op")
}
