// Package bench measures the service as its clients meet it: over HTTP on
// loopback, durable, with a key and an idempotency key per request, beside a
// handler that stores nothing behind the same server.
//
// Each side runs in a process of its own, this test binary run again, so that
// the generator's garbage is not the service's. All share one machine: the
// ratios are the result, the rates depend on what else runs.
//
//	go test -run '^$' -bench . ./server/bench
//	go test -run '^$' -bench Load ./server/bench -profile DIR   leaves cpu.pprof and allocs.pprof of the service
//	BINCARD_MOVEMENTS=10000000 go test -run '^$' -bench Large ./server/bench -timeout 3h
package bench_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
	"time"

	"bincard/server/bench/child"
)

var (
	profile     = flag.String("profile", "", "a directory for the profiles of the service under load")
	measureTime = flag.Duration("cell", 700*time.Millisecond, "how long each figure is measured in one round")
	clientCount = flag.Int("clients", 0, "measure with this many clients alone instead of 1, 16 and 64")
	rounds      = flag.Int("rounds", 3, "how often everything is measured; the medians are printed")

	movements = flag.Int("movements", fromEnv("BINCARD_MOVEMENTS", 200_000), "how many movements the large ledger has; BINCARD_MOVEMENTS says it too")
	keep      = flag.String("keep", "", "a directory for the large ledger, which is made there or measured again")
)

func fromEnv(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

func TestMain(m *testing.M) {
	child.RunIfChild(runChild)
	flag.Parse()
	if *clientCount > 0 {
		clientCounts = []int{*clientCount}
	}
	os.Exit(m.Run())
}
