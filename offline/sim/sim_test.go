package sim_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/testenv"
)

// TestSimulation runs many seeds, in which every fault occurs, or as many as it
// can in BINCARD_MINUTES. With BINCARD_CASES=1, it logs what happens.
func TestSimulation(t *testing.T) {
	t.Parallel()

	seed, count := testenv.Seed(t), uint64(testenv.Simulation.Cases(t))
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
	if r.completed >= testenv.Simulation.Test && !t.Failed() {
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

	first := testenv.Seed(t)
	for seed := first; seed < first+uint64(testenv.RepeatedSimulation.Cases(t)); seed++ {
		counts, log := runSeed(t, seed, true)
		repeated, again := runSeed(t, seed, true)

		require.Equal(t, counts, repeated)
		for i := range min(len(log), len(again)) { // a long diff would take minutes
			require.Equal(t, log[i], again[i])
		}
		require.Len(t, again, len(log))
	}
}

// A simulation is a service, the nodes in front of it, and a queue of events.
type simulation struct {
	t        require.TestingT
	ctx      context.Context
	rng      *rand.Rand
	now      time.Time
	events   eventQueue
	sequence int // number of events so far, which orders events at the same time

	service *service
	basic   *basicService // answers instead of service if not nil
	tenants []*tenant
	nodes   []*site

	answers   []recordedAnswer // recent ones
	slowUntil time.Time        // answers are delayed until then
	healed    bool             // no more faults
	counts    faultCounts
	verbose   bool
	log       []string
}

// An event runs a function at a time.
type event struct {
	at       time.Time
	sequence int
	run      func()
}

// An eventQueue is a heap of events.
type eventQueue []event

func (q eventQueue) less(i, j int) bool {
	a, b := &q[i], &q[j]
	return a.at.Before(b.at) || a.at.Equal(b.at) && a.sequence < b.sequence
}

func (q *eventQueue) push(e event) {
	*q = append(*q, e)
	list := *q
	for i := len(list) - 1; i > 0; {
		parent := (i - 1) / 2
		if !list.less(i, parent) {
			return
		}
		list[i], list[parent] = list[parent], list[i]
		i = parent
	}
}

// pop removes the first event.
func (q *eventQueue) pop() event {
	list := *q
	first, last := list[0], len(list)-1
	list[0], list[last] = list[last], event{}
	list = list[:last]
	*q = list
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(list); child++ {
			if list.less(child, least) {
				least = child
			}
		}
		if least == i {
			return first
		}
		list[i], list[least] = list[least], list[i]
		i = least
	}
}

// setUp creates a service with two organizations, each in both environments,
// and nodes of one or more of these four tenants.
func (w *simulation) setUp(t require.TestingT, seed uint64, verbose bool) {
	*w = simulation{t: t, verbose: verbose, ctx: context.Background(), rng: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)}
	w.service = newService(w)
	if w.rng.IntN(6) == 0 {
		w.count(documentedOnly)
		w.basic = &basicService{service: w.service, appliedAt: map[string]time.Time{}}
	}
	for _, name := range []string{"Harbor Foods", "Orchard Goods"} {
		org, err := w.service.ledger.CreateOrganization(w.ctx, name)
		require.NoError(t, err)
		for _, env := range []api.Environment{api.Live, api.Test} {
			tn := &tenant{sim: w, org: org, env: env}
			tn.auditor = newAuditor(tn)
			w.tenants = append(w.tenants, tn)
		}
	}
	w.rng.Shuffle(4, func(i, j int) { w.tenants[i], w.tenants[j] = w.tenants[j], w.tenants[i] })
	sites, tenantCount := 1+w.rng.IntN(3), 1
	switch w.rng.IntN(40) {
	case 0:
		sites, tenantCount = 4+w.rng.IntN(7), 1+w.rng.IntN(4)
	case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
		tenantCount = 2
	}
	if tenantCount > 1 && sites > 1 {
		w.count(twoTenants)
	}
	for _, tn := range w.tenants[:tenantCount] {
		tn.seed()
	}
	for i := range sites {
		s := newSite(w.tenants[i%tenantCount], fmt.Sprint("node", i))
		s.reports = w.basic == nil && w.rng.IntN(3) == 0
		if i >= tenantCount && w.nodes[i-tenantCount].reports {
			s.copyFrom(w.nodes[i-tenantCount])
		}
		w.nodes = append(w.nodes, s)
		s.start()
		s.image = s.disk.backup()
	}
}

// newID returns an id from the simulation's randomness.
func (w *simulation) newID() (id api.ID) {
	for i := range id {
		id[i] = byte(w.rng.UintN(256))
	}
	return id
}

// upstream returns what the nodes send requests to.
func (w *simulation) upstream() upstream {
	if w.basic != nil {
		return w.basic
	}
	return w.service
}

func (w *simulation) close() {
	for _, s := range w.nodes {
		if s.node != nil {
			_ = s.node.Close()
		}
	}
	w.service.ledger.Close()
}

// newKey returns an idempotency key from the simulation's randomness.
func (w *simulation) newKey() string { return w.newID().String() }

// schedule runs a function after a time.
func (w *simulation) schedule(d time.Duration, run func()) {
	w.sequence++
	w.events.push(event{w.now.Add(max(0, d)), w.sequence, run})
}

// run advances the clock and runs the events that are due.
func (w *simulation) run(d time.Duration) {
	until := w.now.Add(d)
	for len(w.events) > 0 && !w.events[0].at.After(until) {
		e := w.events.pop()
		w.now = e.at
		e.run()
	}
	w.now = until
}

// sleep advances the clock without running events.
func (w *simulation) sleep(d time.Duration) {
	w.now = w.now.Add(d)
	for i := range w.events {
		w.events[i].at = w.events[i].at.Add(d)
	}
}

func (w *simulation) logf(format string, args ...any) {
	if w.verbose {
		w.log = append(w.log, w.now.Format("02 15:04:05.000 ")+fmt.Sprintf(format, args...))
	}
}

// logFor returns logf for what a site does, or nil if nothing is logged.
func (w *simulation) logFor(site string) func(format string, args ...any) {
	if !w.verbose {
		return nil
	}
	return func(format string, args ...any) { w.logf("    "+site+" "+format, args...) }
}

// chance returns true with probability p, and never after heal.
func (w *simulation) chance(p float64) bool { return !w.healed && w.rng.Float64() < p }
