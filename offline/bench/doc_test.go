// Package bench measures the offline node as a terminal runs it: with journal
// and replica on disk, and the service in another process over HTTP on
// loopback.
//
//	go test -run '^$' -bench . ./offline/bench
//	go test -run '^$' -bench Drain ./offline/bench -pending 2000 -cpuprofile FILE
//	go test -run '^$' -bench Capture ./offline/bench -products 25000
//	go test -run '^$' -bench Fill ./offline/bench -products 2000 -locations 50
package bench_test

import (
	"flag"
	"os"
	"testing"

	"bincard/server/bench"
)

var (
	pending   = flag.Int("pending", 10_000, "number of pending operations")
	products  = flag.Int("products", 5_000, "number of products, each with stock at every location")
	locations = flag.Int("locations", 4, "number of locations")
)

func TestMain(m *testing.M) {
	bench.RunIfChild(runService)
	flag.Parse()
	os.Exit(m.Run())
}
