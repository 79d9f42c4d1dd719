package sim_test

import (
	"container/heap"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// A world is a service, its nodes and what happens between them.
type world struct {
	t    require.TestingT
	ctx  context.Context
	rng  *rand.Rand
	now  time.Time
	todo agenda
	n    int // of events so far, so that those of one instant keep their order

	center  *center
	plain   *plain // what stands before it for the nodes, nil in most worlds
	tenants []*tenant
	nodes   []*site

	slow   time.Time // answers are late until then
	healed bool      // nothing goes wrong any more
	tally  tally
	tell   bool
	log    []string
}

// An event is something that happens at an instant.
type event struct {
	at  time.Time
	n   int
	run func()
}

type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at.Before(a[j].at) || a[i].at.Equal(a[j].at) && a[i].n < a[j].n
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

// begin makes a service with two organizations, each in both environments,
// and nodes that work for one or more of the four.
func (w *world) begin(t require.TestingT, seed uint64, tell bool) {
	*w = world{t: t, tell: tell, ctx: context.Background(), rng: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)}
	w.center = newCenter(w)
	if w.rng.IntN(6) == 0 {
		w.met(plainService)
		w.plain = &plain{center: w.center, done: map[string]time.Time{}}
	}
	for _, name := range []string{"Harbour Foods", "Orchard Goods"} {
		org, err := w.center.ledger.CreateOrganization(w.ctx, name)
		require.NoError(t, err)
		for _, env := range []api.Environment{api.Live, api.Test} {
			tn := &tenant{w: w, org: org, env: env}
			tn.book = newBook(tn)
			w.tenants = append(w.tenants, tn)
		}
	}
	w.rng.Shuffle(4, func(i, j int) { w.tenants[i], w.tenants[j] = w.tenants[j], w.tenants[i] })
	sites, parties := 1+w.rng.IntN(3), 1
	switch w.rng.IntN(40) {
	case 0:
		sites, parties = 4+w.rng.IntN(7), 1+w.rng.IntN(4)
	case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
		parties = 2
	}
	if parties > 1 && sites > 1 {
		w.met(twoTenants)
	}
	for _, tn := range w.tenants[:parties] {
		tn.furnish()
	}
	for i := range sites {
		s := newSite(w.tenants[i%parties], fmt.Sprint("node", i))
		w.nodes = append(w.nodes, s)
		s.start()
	}
}

// id mints an id of what the service begins by itself.
func (w *world) id() (id api.ID) {
	for i := range id {
		id[i] = byte(w.rng.UintN(256))
	}
	return id
}

// peer is what the nodes stand before.
func (w *world) peer() peer {
	if w.plain != nil {
		return w.plain
	}
	return w.center
}

func (w *world) end() {
	for _, s := range w.nodes {
		if s.node != nil {
			_ = s.node.Close()
		}
	}
	w.center.ledger.Close()
}

// key mints a key out of the world's own chance.
func (w *world) key() string { return w.id().String() }

// later has something happen after a while.
func (w *world) later(d time.Duration, run func()) {
	w.n++
	heap.Push(&w.todo, event{w.now.Add(max(0, d)), w.n, run})
}

// run lets the world go on for a while.
func (w *world) run(d time.Duration) {
	until := w.now.Add(d)
	for len(w.todo) > 0 && !w.todo[0].at.After(until) {
		e := heap.Pop(&w.todo).(event)
		w.now = e.at
		e.run()
	}
	w.now = until
}

// sleep lets time go by in which everything stands still.
func (w *world) sleep(d time.Duration) {
	w.now = w.now.Add(d)
	for i := range w.todo {
		w.todo[i].at = w.todo[i].at.Add(d)
	}
}

func (w *world) note(format string, args ...any) {
	if w.tell {
		w.log = append(w.log, w.now.Format("02 15:04:05.000 ")+fmt.Sprintf(format, args...))
	}
}

// chance tells whether something befalls that is this likely; nothing befalls a
// healed world.
func (w *world) chance(p float64) bool { return !w.healed && w.rng.Float64() < p }
