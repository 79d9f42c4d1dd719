package sim_test

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/budget"
)

// TestSimulation runs many seeds, in which every fault occurs, or as many as it
// can in BINCARD_MINUTES. With BINCARD_CASES=1, it logs what happens.
func TestSimulation(t *testing.T) {
	t.Parallel()

	seed, count := budget.SeedFrom(t, 1), uint64(budget.Simulation.Cases(t))
	if count == 1 {
		_, log := runSeed(t, seed, true)
		t.Log("\n" + strings.Join(log, "\n"))
		return
	}

	r := &runner{t: t, start: time.Now(), next: seed, last: seed + count - 1}
	if text := os.Getenv("BINCARD_MINUTES"); text != "" {
		minutes, err := strconv.Atoi(text)
		require.NoError(t, err, "BINCARD_MINUTES")
		r.last, r.until = math.MaxUint64, r.start.Add(time.Duration(minutes)*time.Minute)
	}

	debug.SetGCPercent(800) // short simulations produce much garbage
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(r.work)
	}
	wg.Wait()

	t.Logf("%d seeds: %s", r.completed, r.counts)
	if r.completed >= budget.Simulation.Test && !t.Failed() {
		require.Empty(t, r.counts.never(), "faults that never occurred in %d seeds", r.completed)
	}
}

// A runner runs seeds, one at a time on each processor.
type runner struct {
	t            *testing.T
	start, until time.Time

	mu         sync.Mutex
	next, last uint64
	completed  int
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
			t.Errorf("seed %d: %s\nTo repeat: BINCARD_SEED=%d BINCARD_CASES=1 go test ./offline/sim -run 'TestSimulation$' -v",
				seed, strings.Join(v.failures, "\n"), seed)
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

	first := budget.SeedFrom(t, 1)
	for seed := first; seed < first+uint64(budget.RepeatedSimulation.Cases(t)); seed++ {
		counts, log := runSeed(t, seed, true)
		repeated, again := runSeed(t, seed, true)

		require.Equal(t, counts, repeated)
		for i := range min(len(log), len(again)) { // a long diff would take minutes
			require.Equal(t, log[i], again[i])
		}
		require.Len(t, again, len(log))
	}
}
