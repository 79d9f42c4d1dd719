package sim_test

import (
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A world is a service, its nodes and what happens between them.
type world struct {
	t    require.TestingT
	ctx  context.Context
	rng  *rand.Rand
	now  time.Time
	todo agenda
	n    int // of events so far, so that those of one instant keep their order

	store  store.Store
	ledger *ledger.Ledger
	org    api.Organization
	nodes  []*site
	goods  []api.Product
	places []api.Place

	// healed worlds do nothing wrong any more.
	healed  bool
	barred  bool // the service takes no key
	limited bool // the quota is used up
	log     []string
	applied map[string]bool // the keys that the service has, as far as was looked
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

func newWorld(t require.TestingT, seed uint64) *world {
	w := &world{applied: map[string]bool{}, t: t, ctx: context.Background(), rng: rand.New(rand.NewPCG(seed, 1)),
		now: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)}
	w.store = store.NewMemory()
	w.ledger = ledger.New(w.store, ledger.Options{Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler)})
	var err error
	w.org, err = w.ledger.CreateOrganization(w.ctx, "Harbour Foods")
	require.NoError(t, err)
	for i, tracking := range []api.Tracking{api.TrackNone, api.TrackLot, api.TrackSerial} {
		w.goods = append(w.goods, done(w, api.CreateProduct, api.CreateProductInput{SKU: fmt.Sprint("P-", i), Name: "Product", Tracking: tracking}))
	}
	for i := range 2 {
		w.places = append(w.places, done(w, api.CreateLocation, api.CreateLocationInput{Code: fmt.Sprint("WH-", i), Name: "Place", Type: api.Warehouse}))
	}
	for i := range 1 + w.rng.IntN(3) {
		s := &site{w: w, name: fmt.Sprint("node", i), disk: newDisk(w.rng), told: map[string]bool{}}
		w.nodes = append(w.nodes, s)
		s.start()
	}
	return w
}

// center is the service in the hands of its own people.
func (w *world) center() api.Service {
	return api.As(w.ledger, api.Caller{Organization: w.org.ID, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "center", Label: "Center"}}, "")
}

func done[I, O any](w *world, op api.Operation[I, O], in I) O {
	out, err := op.Call(w.ctx, w.center(), in, api.Key(w.key()))
	require.NoError(w.t, err)
	return out
}

// key mints a key out of the world's own chance.
func (w *world) key() string {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(w.rng.UintN(256))
	}
	return id.String()
}

// later has something happen after a while.
func (w *world) later(d time.Duration, run func()) {
	w.n++
	heap.Push(&w.todo, event{w.now.Add(d), w.n, run})
}

// run lets the world go on until the instant.
func (w *world) run(until time.Time) {
	for len(w.todo) > 0 && !w.todo[0].at.After(until) {
		e := heap.Pop(&w.todo).(event)
		w.now = e.at
		e.run()
	}
	w.now = until
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, w.now.Format("02 15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// chance tells whether something befalls that is this likely; nothing befalls a
// healed world.
func (w *world) chance(p float64) bool { return !w.healed && w.rng.Float64() < p }

// check holds what must be so at any time.
func (w *world) check() {
	for _, s := range w.nodes {
		if s.node == nil {
			continue
		}
		for key := range s.told {
			it := s.node.Item(key)
			require.NotNil(w.t, it, "%s forgot %s, which was told saved", s.name, key)
			if it.State == outbox.Done {
				require.True(w.t, w.has(key), "%s takes %s for done, and the service has it not", s.name, key)
			}
		}
	}
}

// has tells whether the service has applied a key.
func (w *world) has(key string) bool {
	for limit := int64(500); ; {
		after := int64(len(w.applied))
		c, err := api.ListChanges.Call(w.ctx, w.center(), api.ListChangesInput{After: &after, Limit: &limit})
		require.NoError(w.t, err)
		for _, x := range c.Items {
			require.False(w.t, w.applied[x.Key], "%s was applied twice", x.Key)
			w.applied[x.Key] = true
		}
		if len(c.Items) == 0 {
			return w.applied[key]
		}
	}
}
