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

// enough is how many worlds meet every fault.
const enough = 200

// TestWorlds runs made-up worlds. BINCARD_SEEDS says how many, BINCARD_MINUTES
// for how long, BINCARD_FROM with which to begin, BINCARD_SEED which one to run
// alone.
func TestWorlds(t *testing.T) {
	t.Parallel()
	if seed := number(t, "BINCARD_SEED", 0); seed > 0 {
		_, log := live(t, seed, true)
		t.Log("\n" + strings.Join(log, "\n"))
		return
	}
	minutes := number(t, "BINCARD_MINUTES", 0)
	few := uint64(usual)
	if testing.Short() {
		few = short
		t.Logf("-short: %d worlds, not %d", short, usual)
	}
	if minutes > 0 {
		few = 1 << 60
	}
	r := &run{t: t, began: time.Now(), next: number(t, "BINCARD_FROM", 1)}
	r.last = r.next + number(t, "BINCARD_SEEDS", few) - 1
	if minutes > 0 {
		r.until = r.began.Add(time.Duration(minutes) * time.Minute)
	}
	debug.SetGCPercent(400) // many short lives make much to clear away
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(r.work)
	}
	wg.Wait()
	t.Logf("%d worlds: %s", r.lived, r.met)
	if r.lived >= enough && !t.Failed() {
		require.Empty(t, r.met.never(), "this never happened in %d worlds", r.lived)
	}
}

func number(t *testing.T, name string, usual uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return n
}

// A run is a number of worlds, one after the other on each processor.
type run struct {
	t            *testing.T
	began, until time.Time

	mu         sync.Mutex
	next, last uint64
	lived      uint64
	met        tally
	told       time.Time
}

func (r *run) work() {
	for {
		r.mu.Lock()
		seed := r.next
		r.next++
		over := seed > r.last || r.t.Failed() || !r.until.IsZero() && time.Now().After(r.until)
		r.mu.Unlock()
		if over {
			return
		}
		met, _ := live(r.t, seed, false)
		r.lives(met)
	}
}

func (r *run) lives(met tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lived++
	r.met.add(met)
	if now := time.Now(); now.Sub(r.told) >= 30*time.Second {
		r.told = now
		took := now.Sub(r.began)
		r.t.Logf("%d worlds in %s, %.1f a second", r.lived, took.Round(time.Second), float64(r.lived)/took.Seconds())
	}
}

// A witness takes the failure of one world, so that its seed can be told.
type witness struct{ said []string }

func (v *witness) Errorf(format string, args ...any) {
	v.said = append(v.said, fmt.Sprintf(format, args...))
}
func (v *witness) FailNow() { panic(v) }

// live makes the world of a seed, and holds it to what a node promises.
func live(t *testing.T, seed uint64, tell bool) (met tally, log []string) {
	v := &witness{}
	w := &world{}
	defer func() {
		if r := recover(); r != nil && r != any(v) {
			v.Errorf("it panics: %v\n%s", r, debug.Stack())
		}
		met, log = w.tally, w.log
		if len(v.said) > 0 {
			t.Errorf("seed %d: %s\nTo see it again: BINCARD_SEED=%d go test ./offline/sim -run 'TestWorlds$' -v", seed, strings.Join(v.said, "\n"), seed)
		}
	}()
	w.begin(v, seed, tell)
	defer w.end()
	w.days()
	w.heal()
	return w.tally, w.log
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
		met, log := live(t, seed, true)
		again, second := live(t, seed, true)
		require.Equal(t, met, again)
		for i := range log {
			require.Equal(t, log[i], second[i])
		}
		require.Len(t, second, len(log))
	}
}
