package bench_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
	"time"

	"bincard/server/bench"
)

var (
	profile     = flag.String("profile", "", "directory for the profiles of the service under load")
	measureTime = flag.Duration("cell", 700*time.Millisecond, "time to measure each figure in one round")
	clientCount = flag.Int("clients", 0, "number of clients, instead of 1, 16 and 64")
	onlyFlood   = flag.String("flood", "", "measure only the floods whose names contain this")
	rest        = flag.Duration("rest", 0, "time to rest before the memory of the service is measured after a flood")
	rounds      = flag.Int("rounds", 3, "number of rounds; the medians are printed")

	movements = flag.Int("movements", fromEnv("BINCARD_MOVEMENTS", 200_000), "number of movements in the large ledger; also BINCARD_MOVEMENTS")
	keep      = flag.String("keep", "", "directory of the large ledger, which is created there or measured again")
)

func fromEnv(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

func TestMain(m *testing.M) {
	bench.RunIfChild(runChild)
	flag.Parse()
	if *clientCount > 0 {
		clientCounts = []int{*clientCount}
	}
	os.Exit(m.Run())
}
