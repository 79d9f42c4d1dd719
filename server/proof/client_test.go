package proof_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A clients is several clients of a few balances, and what happened to them.
type clients struct {
	svc      api.Service
	until    time.Time // of reservations
	balances []sharedBalance

	tick    atomic.Int64
	mu      sync.Mutex
	history []porcupine.Operation
	givenUp int
	pool    []request // writes to ask again
	pending []api.ID  // reservations, by any client
	where   map[api.ID]int
}

// A sharedBalance is a balance that clients share.
type sharedBalance struct{ product, location, balance api.ID }

// newClients makes a ledger on disk with shelves that start empty.
func newClients(t *testing.T, shelves int, wrap func(api.Service) api.Service) *clients {
	t.Helper()
	w := ledgertest.OpenDir(t, t.TempDir())
	c := &clients{svc: wrap(w.Service), until: w.Clock.Now().Add(24 * time.Hour), where: map[api.ID]int{}}
	at := w.Location("WH-1")
	for i := range shelves {
		p := w.Product(fmt.Sprintf("OAT-%d", i), api.TrackNone)
		c.balances = append(c.balances, sharedBalance{product: p.ID, location: at.ID})
		require.Empty(t, c.do(t.Context(), request{operation: adjust, balance: i, key: api.NewKey(), quantity: 3}, 0).refused)
		all := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{ProductID: p.ID})
		require.Len(t, all.Items, 1)
		c.balances[i].balance = all.Items[0].ID
	}
	return c
}

// run lets the clients do something at random, each so many times.
func (c *clients) run(ctx context.Context, clients, each int, seed uint64) {
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			dice := rand.New(rand.NewPCG(seed, uint64(i)))
			for range each {
				in, patience := c.choose(dice)
				c.observe(ctx, in, i, patience)
			}
		})
	}
	wg.Wait()
}

// choose is what to ask next: often for the last units, and now and then for
// what has been asked before.
func (c *clients) choose(dice *rand.Rand) (in request, impatient bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	impatient = dice.IntN(12) == 0
	in = request{balance: dice.IntN(len(c.balances)), key: api.NewKey(), quantity: 1 + dice.Int64N(2)}
	switch n := dice.IntN(20); {
	case n < 4:
		return request{operation: look, balance: in.balance}, impatient
	case n < 8 && len(c.pool) > 0:
		recent := c.pool[max(0, len(c.pool)-6):]
		return recent[dice.IntN(len(recent))], impatient
	case n < 11 && len(c.pending) > 0:
		in.operation, in.quantity, in.reservation = release, 0, c.pending[dice.IntN(len(c.pending))]
		in.balance = c.where[in.reservation]
	case n < 13:
		in.operation = reserve
	case n < 15:
		in.operation = order
		in.quantity = 1
	default:
		in.operation = adjust
		in.quantity = dice.Int64N(6) - 3
		if in.quantity >= 0 {
			in.quantity++
		}
	}
	c.pool = append(c.pool, in)
	return in, impatient
}

// observe asks, and notes when it began, when it ended and what came of it.
func (c *clients) observe(ctx context.Context, in request, client int, impatient bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if impatient {
		go cancel() // at any moment of the request
	}
	c.do(ctx, in, client)
}

func (c *clients) do(ctx context.Context, in request, client int) response {
	began := c.tick.Add(1)
	out := c.send(ctx, in)
	ended := c.tick.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if out.givenUp {
		c.givenUp++
		return out // it did nothing, then: the history must do without it
	}
	c.history = append(c.history, porcupine.Operation{ClientId: client, Input: in, Output: out, Call: began, Return: ended})
	if out.reservation != (api.ID{}) && !out.replayed {
		c.pending = append(c.pending, out.reservation)
		c.where[out.reservation] = in.balance
	}
	return out
}
