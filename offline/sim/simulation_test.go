package sim_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

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
	for _, name := range []string{"Harbour Foods", "Orchard Goods"} {
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
		w.nodes = append(w.nodes, s)
		s.start()
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

// logFor returns logf for what a site does, nil if nothing is logged.
func (w *simulation) logFor(site string) func(format string, args ...any) {
	if !w.verbose {
		return nil
	}
	return func(format string, args ...any) { w.logf("    "+site+" "+format, args...) }
}

// chance returns true with probability p, and never after heal.
func (w *simulation) chance(p float64) bool { return !w.healed && w.rng.Float64() < p }
