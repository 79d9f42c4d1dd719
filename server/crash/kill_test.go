package crash_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const writers = 10

// killCount is how often the service is killed; BINCARD_PROOF=long kills it more often.
func killCount() int {
	if os.Getenv("BINCARD_PROOF") == "long" {
		return 200
	}
	return 20
}

// verifyResult is what `bincard verify` prints.
type verifyResult struct {
	Records int   `json:"records"`
	Faults  []any `json:"faults"`
}

// TestKilledServiceKeepsWhatItAnswered kills the service again and again under
// load. Every answered write must be there once: it is answered byte for byte
// the same again, the number of records is that of the answers, and every
// balance is what the answered movements add up to.
func TestKilledServiceKeepsWhatItAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := newCompany(t, dir)
	s := serve(t, dir)
	c.url = s.url
	c.furnish(t)
	s.kill()
	var before verifyResult
	run(t, &before, "verify", "--data", dir, "--json")

	crew := make([]*worker, writers)
	for i := range crew {
		crew[i] = &worker{company: c, rng: rand.New(rand.NewPCG(uint64(i), rand.Uint64()))}
	}
	var cut, kept int
	for range killCount() {
		s = serve(t, dir)
		c.url = s.url
		for _, w := range crew {
			if w.interrupted != nil {
				cut++
			}
		}
		kept += forEachWorker(t, crew, (*worker).resume)
		c.limit.Store(c.answered.Load() + 10 + rand.Int64N(600))
		c.onLimit = sync.OnceFunc(func() {
			time.Sleep(time.Duration(rand.Int64N(int64(3 * time.Millisecond)))) // anywhere in the next commits
			s.kill()
		})
		forEachWorker(t, crew, (*worker).work)
	}

	s = serve(t, dir)
	c.url = s.url
	forEachWorker(t, crew, (*worker).resume)
	forEachWorker(t, crew, (*worker).replay)
	c.compareBalances(t, crew)
	s.kill()
	var after verifyResult
	run(t, &after, "verify", "--data", dir, "--json")
	require.Empty(t, after.Faults)
	writes := 0
	for _, w := range crew {
		writes += len(w.done)
	}
	require.Equal(t, before.Records+writes, after.Records, "every answered write is one record, and there is no other")
	require.NotZero(t, cut, "no request was under way at any kill")
	t.Logf("%d writes, %d kills; %d requests were cut off, of which %d had been kept", writes, killCount(), cut, kept)
}

// forEachWorker lets all workers do something at once, and counts those who say so.
func forEachWorker(t *testing.T, crew []*worker, do func(*worker) (bool, error)) (yes int) {
	t.Helper()
	said, failed := make([]bool, len(crew)), make([]error, len(crew))
	var wg sync.WaitGroup
	for i, w := range crew {
		wg.Go(func() { said[i], failed[i] = do(w) })
	}
	wg.Wait()
	for i := range crew {
		require.NoError(t, failed[i])
		if said[i] {
			yes++
		}
	}
	return yes
}

// compareBalances holds every balance against the sum of the answered movements.
func (c *company) compareBalances(t *testing.T, crew []*worker) {
	t.Helper()
	sums := map[string]int64{}
	for _, w := range crew {
		for _, d := range w.done {
			for _, m := range d.movements(t) {
				sums[m.ProductID+" "+m.LocationID+" "+m.State] += m.Quantity
			}
		}
	}
	for _, p := range c.products {
		var list struct {
			Items []map[string]any `json:"items"`
		}
		c.mustSend(t, http.MethodGet, "/balances?limit=100&productId="+p, "", &list)
		require.NotEmpty(t, list.Items)
		for _, b := range list.Items {
			for _, state := range []string{"onHand", "available", "committed", "incoming"} {
				key := fmt.Sprint(b["productId"], " ", b["locationId"], " ", state)
				require.EqualValues(t, c.opening[key]+sums[key], b[state], key)
			}
		}
	}
}
