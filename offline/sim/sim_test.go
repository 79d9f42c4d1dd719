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

// seedsForAllFaults is how many worlds meet every fault.
const seedsForAllFaults = 200

// TestWorlds runs made-up worlds. BINCARD_SEEDS says how many, BINCARD_MINUTES
// for how long, BINCARD_FROM with which to begin, BINCARD_SEED which one to run
// alone.
func TestWorlds(t *testing.T) {
	t.Parallel()
	if seed := envNumber(t, "BINCARD_SEED", 0); seed > 0 {
		_, log := runSeed(t, seed, true)
		t.Log("\n" + strings.Join(log, "\n"))
		return
	}
	minutes := envNumber(t, "BINCARD_MINUTES", 0)
	few := uint64(usual)
	if testing.Short() {
		few = short
		t.Logf("-short: %d worlds, not %d", short, usual)
	}
	if minutes > 0 {
		few = 1 << 60
	}
	r := &runner{t: t, began: time.Now(), next: envNumber(t, "BINCARD_FROM", 1)}
	r.last = r.next + envNumber(t, "BINCARD_SEEDS", few) - 1
	if minutes > 0 {
		r.until = r.began.Add(time.Duration(minutes) * time.Minute)
	}
	debug.SetGCPercent(400) // many short lives make much to clear away
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(r.work)
	}
	wg.Wait()
	t.Logf("%d worlds: %s", r.completed, r.counts)
	if r.completed >= seedsForAllFaults && !t.Failed() {
		require.Empty(t, r.counts.never(), "this never happened in %d worlds", r.completed)
	}
}

func envNumber(t *testing.T, name string, usual uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return n
}

// A runner is a number of worlds, one after the other on each processor.
type runner struct {
	t            *testing.T
	began, until time.Time

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
		over := seed > r.last || r.t.Failed() || !r.until.IsZero() && time.Now().After(r.until)
		r.mu.Unlock()
		if over {
			return
		}
		met, _ := runSeed(r.t, seed, false)
		r.record(met)
	}
}

func (r *runner) record(met faultCounts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.completed++
	r.counts.add(met)
	if now := time.Now(); now.Sub(r.loggedAt) >= 30*time.Second {
		r.loggedAt = now
		took := now.Sub(r.began)
		r.t.Logf("%d worlds in %s, %.1f a second", r.completed, took.Round(time.Second), float64(r.completed)/took.Seconds())
	}
}

// A recorder takes the failure of one world, so that its seed can be told.
type recorder struct{ failures []string }

func (v *recorder) Errorf(format string, args ...any) {
	v.failures = append(v.failures, fmt.Sprintf(format, args...))
}
func (v *recorder) FailNow() { panic(v) }

// runSeed makes the world of a seed, and holds it to what a node promises.
func runSeed(t *testing.T, seed uint64, tell bool) (met faultCounts, log []string) {
	v := &recorder{}
	w := &simulation{}
	defer func() {
		if r := recover(); r != nil && r != any(v) {
			v.Errorf("it panics: %v\n%s", r, debug.Stack())
		}
		met, log = w.counts, w.log
		if len(v.failures) > 0 {
			t.Errorf("seed %d: %s\nTo see it again: BINCARD_SEED=%d go test ./offline/sim -run 'TestWorlds$' -v", seed, strings.Join(v.failures, "\n"), seed)
		}
	}()
	w.setUp(v, seed, tell)
	defer w.close()
	w.runDays()
	w.heal()
	return w.counts, w.log
}

// TestTheSameSeedMakesTheSameWorld holds that a seed that failed fails again.
func TestTheSameSeedMakesTheSameWorld(t *testing.T) {
	t.Parallel()
	last := uint64(twice)
	if testing.Short() {
		last = 1
		t.Logf("-short: 1 seed, not %d", twice)
	}
	for seed := uint64(1); seed <= last; seed++ {
		met, log := runSeed(t, seed, true)
		again, second := runSeed(t, seed, true)
		require.Equal(t, met, again)
		for i := range log {
			require.Equal(t, log[i], second[i])
		}
		require.Len(t, second, len(log))
	}
}
