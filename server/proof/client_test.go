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

// clients are several clients of a few balances, and their history.
type clients struct {
	svc      api.Service
	until    time.Time // expiry of reservations
	balances []sharedBalance

	tick     atomic.Int64
	mu       sync.Mutex
	history  []porcupine.Operation
	canceled int
	pool     []request // writes that may be repeated
	pending  []api.ID  // reservations of all clients
	where    map[api.ID]int
}

// A sharedBalance is a balance that all clients use.
type sharedBalance struct{ product, location, balance api.ID }

// newClients opens a ledger on disk with count balances that start at 3.
func newClients(t *testing.T, count int, wrap func(api.Service) api.Service) *clients {
	t.Helper()
	w := ledgertest.OpenDir(t, t.TempDir())
	return clientsOf(t, w, wrap(w.Service), count)
}

// clientsOf returns clients of a service on a new ledger.
func clientsOf(t *testing.T, w *ledgertest.World, svc api.Service, count int) *clients {
	t.Helper()
	c := &clients{svc: svc, until: w.Clock.Now().Add(24 * time.Hour), where: map[api.ID]int{}}
	at := w.Location("WH-1")
	for i := range count {
		p := w.Product(fmt.Sprintf("OAT-%d", i), api.TrackNone)
		c.balances = append(c.balances, sharedBalance{product: p.ID, location: at.ID})
		require.Empty(t, c.do(t.Context(), request{operation: adjust, balance: i, key: api.NewKey(), quantity: 3}, 0).rejected)
		all := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: p.ID}})
		require.Len(t, all.Items, 1)
		c.balances[i].balance = all.Items[0].ID
	}
	return c
}

// run sends random requests with concurrent clients; each client sends count requests.
func (c *clients) run(ctx context.Context, clients, count int, seed uint64) {
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			dice := rand.New(rand.NewPCG(seed, uint64(i)))
			for range count {
				in, impatient := c.choose(dice)
				c.observe(ctx, in, i, impatient)
			}
		})
	}
	wg.Wait()
}

// choose returns the next request: often for the last units in stock, and sometimes a
// repeated one.
func (c *clients) choose(dice *rand.Rand) (in request, impatient bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	impatient = dice.IntN(12) == 0
	in = request{balance: dice.IntN(len(c.balances)), key: api.NewKey(), quantity: 1 + dice.Int64N(2)}
	switch n := dice.IntN(20); {
	case n < 4:
		return request{operation: read, balance: in.balance}, impatient
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

// observe sends a request and records its start, its end and its response.
func (c *clients) observe(ctx context.Context, in request, client int, impatient bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if impatient {
		go cancel() // at any time during the request
	}
	c.do(ctx, in, client)
}

func (c *clients) do(ctx context.Context, in request, client int) response {
	start := c.tick.Add(1)
	out := c.send(ctx, in)
	end := c.tick.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if out.canceled {
		c.canceled++
		return out // it had no effect: keep it out of the history
	}
	c.history = append(c.history, porcupine.Operation{ClientId: client, Input: in, Output: out, Call: start, Return: end})
	if out.reservation != (api.ID{}) && !out.replayed {
		c.pending = append(c.pending, out.reservation)
		c.where[out.reservation] = in.balance
	}
	return out
}
