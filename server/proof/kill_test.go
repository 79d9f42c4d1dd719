package proof_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

const writers = 10

// A verifyResult is the output of `bincard verify`.
type verifyResult struct {
	Records int   `json:"records"`
	Faults  []any `json:"faults"`
}

// The test kills the service repeatedly under load. Every acknowledged write must exist
// exactly once: its replay returns the same bytes, the journal has as many entries as there
// were responses, and every balance is the sum of the acknowledged movements.
func TestServe_SurvivesKills(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := &company{apiClient: newOrganization(t, dir), opening: map[string]int64{}}
	s := startService(t, dir)
	c.url = s.url
	c.furnish(t)
	s.end(os.Kill)
	var before verifyResult
	runJSON(t, &before, "verify", "--data", dir)

	workers := make([]*worker, writers)
	for i := range workers {
		workers[i] = &worker{company: c, rng: rand.New(rand.NewPCG(uint64(i), rand.Uint64()))}
	}
	var interrupted, committed int
	kills := testenv.Kills.Cases(t)
	for range kills {
		s = startService(t, dir)
		c.url = s.url
		committed += forEachWorker(t, workers, (*worker).resume)
		c.limit.Store(c.events.Load() + 20 + rand.Int64N(400))
		c.onLimit = func() { go s.end(os.Kill) } // while the requests of the workers are anywhere
		forEachWorker(t, workers, (*worker).work)
		s.end(os.Kill) // it has ended
		for _, w := range workers {
			if w.interrupted != nil {
				interrupted++
			}
		}
	}

	s = startService(t, dir)
	c.url = s.url
	committed += forEachWorker(t, workers, (*worker).resume)
	forEachWorker(t, workers, (*worker).replay)
	c.compareBalances(t, workers)
	s.end(os.Kill)
	var after verifyResult
	runJSON(t, &after, "verify", "--data", dir)
	require.Empty(t, after.Faults)
	writes := 0
	for _, w := range workers {
		writes += len(w.done)
	}
	require.Equal(t, before.Records+writes, after.Records, "one journal entry per acknowledged write")
	require.NotZero(t, interrupted, "no request was interrupted by a kill")
	t.Logf("%d writes, %d kills; %d requests were interrupted, %d of them had been committed", writes, kills, interrupted, committed)
}

// forEachWorker calls do for all workers concurrently, and counts the true results.
func forEachWorker(t *testing.T, workers []*worker, do func(*worker) (bool, error)) (count int) {
	t.Helper()
	results, errs := make([]bool, len(workers)), make([]error, len(workers))
	var wg sync.WaitGroup
	for i, w := range workers {
		wg.Go(func() { results[i], errs[i] = do(w) })
	}
	wg.Wait()
	for i := range workers {
		require.NoError(t, errs[i])
		if results[i] {
			count++
		}
	}
	return count
}

// compareBalances compares every balance with the sum of the acknowledged movements.
func (c *company) compareBalances(t *testing.T, workers []*worker) {
	t.Helper()
	sums := map[string]int64{}
	for _, w := range workers {
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
		res, err := c.send(c.url, http.MethodGet, "/balances?limit=100&productId="+p, "", "")
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(res.body, &list))
		require.NotEmpty(t, list.Items)
		for _, b := range list.Items {
			for _, state := range []string{"onHand", "available", "committed", "incoming"} {
				key := fmt.Sprint(b["productId"], " ", b["locationId"], " ", state)
				require.EqualValues(t, c.opening[key]+sums[key], b[state], key)
			}
		}
	}
}
