// Package bench measures the offline node as a terminal has it: its journal and
// its base on disk, and the service behind it in a process of its own, over
// HTTP on loopback.
//
//	go test -run '^$' -bench . ./offline/bench
//	go test -run '^$' -bench Drain ./offline/bench -pending 2000 -cpuprofile FILE
package bench_test

import (
	"flag"
	"os"
	"testing"

	"bincard/server/bench/child"
)

var pending = flag.Int("pending", 10_000, "how many operations wait")

func TestMain(m *testing.M) {
	child.RunIfChild(runService)
	flag.Parse()
	os.Exit(m.Run())
}
