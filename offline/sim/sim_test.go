package sim_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// seedsForAllFaults is a number of seeds in which every fault occurs.
const seedsForAllFaults = 200

// TestSimulation runs many seeds. BINCARD_SEEDS is their number,
// BINCARD_MINUTES how long to run, BINCARD_FROM the first seed, BINCARD_SEED
// the only one.
func TestSimulation(t *testing.T) {
	t.Parallel()
	if seed := envNumber(t, "BINCARD_SEED", 0); seed > 0 {
		_, log := runSeed(t, seed, true)
		t.Log("\n" + strings.Join(log, "\n"))
		return
	}
	minutes := envNumber(t, "BINCARD_MINUTES", 0)
	count := uint64(seeds)
	if testing.Short() {
		count = shortSeeds
		t.Logf("-short: %d seeds, not %d", shortSeeds, seeds)
	}
	if minutes > 0 {
		count = 1 << 60
	}
	r := &runner{t: t, start: time.Now(), next: envNumber(t, "BINCARD_FROM", 1)}
	r.last = r.next + envNumber(t, "BINCARD_SEEDS", count) - 1
	if minutes > 0 {
		r.until = r.start.Add(time.Duration(minutes) * time.Minute)
	}
	debug.SetGCPercent(800) // short simulations produce much garbage
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(r.work)
	}
	wg.Wait()
	t.Logf("%d seeds: %s", r.completed, r.counts)
	if r.completed >= seedsForAllFaults && !t.Failed() {
		require.Empty(t, r.counts.never(), "faults that never occurred in %d seeds", r.completed)
	}
}

func envNumber(t *testing.T, name string, def uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return def
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return n
}

// A runner runs seeds, one at a time on each processor.
type runner struct {
	t            *testing.T
	start, until time.Time

	mu         sync.Mutex
	next, last uint64
	completed  uint64
	counts     faultCounts
	loggedAt   time.Time
}

func (r *runner) work() {
	for {
		r.mu.Lock()
		seed := r.next
		r.next++
		done := seed > r.last || r.t.Failed() || !r.until.IsZero() && time.Now().After(r.until)
		r.mu.Unlock()
		if done {
			return
		}
		counts, _ := runSeed(r.t, seed, false)
		r.record(counts)
	}
}

func (r *runner) record(counts faultCounts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.completed++
	r.counts.add(counts)
	if now := time.Now(); now.Sub(r.loggedAt) >= 30*time.Second {
		r.loggedAt = now
		elapsed := now.Sub(r.start)
		r.t.Logf("%d seeds in %s, %.1f a second", r.completed, elapsed.Round(time.Second), float64(r.completed)/elapsed.Seconds())
	}
}

// A recorder records the failures of one simulation, which are reported with
// its seed.
type recorder struct{ failures []string }

func (v *recorder) Errorf(format string, args ...any) {
	v.failures = append(v.failures, fmt.Sprintf(format, args...))
}
func (v *recorder) FailNow() { panic(v) }

// runSeed runs the simulation of a seed and reports its failures.
func runSeed(t *testing.T, seed uint64, verbose bool) (counts faultCounts, log []string) {
	v := &recorder{}
	w := &simulation{}
	defer func() {
		if r := recover(); r != nil && r != any(v) {
			v.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		counts, log = w.counts, w.log
		if len(v.failures) > 0 {
			t.Errorf("seed %d: %s\nTo reproduce: BINCARD_SEED=%d go test ./offline/sim -run 'TestSimulation$' -v", seed, strings.Join(v.failures, "\n"), seed)
		}
	}()
	w.setUp(v, seed, verbose)
	defer w.close()
	w.runDays()
	w.heal()
	return w.counts, w.log
}

// TestRunSeed_IsDeterministic requires that a seed that failed fails again.
func TestRunSeed_IsDeterministic(t *testing.T) {
	t.Parallel()
	last := uint64(repeatedSeeds)
	if testing.Short() {
		last = 1
		t.Logf("-short: 1 seed, not %d", repeatedSeeds)
	}
	for seed := uint64(1); seed <= last; seed++ {
		counts, first := runSeed(t, seed, true)
		repeated, second := runSeed(t, seed, true)
		require.Equal(t, counts, repeated)
		for i := range first {
			require.Equal(t, first[i], second[i])
		}
		require.Len(t, second, len(first))
	}
}
