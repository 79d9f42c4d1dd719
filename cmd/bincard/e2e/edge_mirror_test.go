package e2e_test

import (
	"maps"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
	"bincard/server/budget"
)

// TestEdge_MirrorSurvivesKills kills an edge at any time while it saves work, also between
// its two writes, and then loses the journal or its second copy. Whatever was reported as
// saved is in the service in the end, once.
func TestEdge_MirrorSurvivesKills(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	mirror := t.TempDir()
	h = h.withEnv("BINCARD_MIRROR=" + mirror)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", ""))
	network.setMode(modeSilent)
	var keys, saved []string
	for round := range budget.MirrorKills.Cases(t) {
		if round > 0 {
			e.start()
		}
		answered := make(chan string, 1000)
		var workers sync.WaitGroup
		for range 3 {
			var sent []string
			for range 200 {
				sent = append(sent, api.NewKey())
			}
			keys = append(keys, sent...)
			workers.Go(func() {
				for _, key := range sent {
					_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
						InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, api.Key(key))
					if err != nil {
						return
					}
					answered <- key
				}
			})
		}
		for range 20 + 7*round {
			saved = append(saved, <-answered)
		}
		e.end(syscall.SIGKILL)
		workers.Wait()
		close(answered)
		for key := range answered {
			saved = append(saved, key)
		}
		if round%2 == 1 {
			require.NoError(t, os.Remove(filepath.Join(mirror, offline.JournalName)))
			continue
		}
		require.NoError(t, os.Remove(filepath.Join(e.dir, offline.JournalName)))
		require.Contains(t, e.mustRun("edge", "restore-journal", "--data", e.dir, "--mirror", mirror), "Restored")
	}
	network.setMode(modeOpen)
	e.start()
	require.Eventually(t, func() bool {
		s, err := api.GetSync.Call(t.Context(), device, api.SyncInput{})
		return err == nil && s.Waiting == 0 && s.State == api.SyncOnline
	}, 60*time.Second, 50*time.Millisecond, "the work does not sync")
	svc := c.client(centre.url, c.key)
	recorded := map[string]bool{}
	for _, key := range keys {
		recorded[key] = len(do(t, svc, api.ListChanges, api.ListChangesInput{Key: key}).Items) == 1
	}
	for _, key := range saved {
		require.True(t, recorded[key], "%s was reported as saved and is lost", key)
	}
	maps.DeleteFunc(recorded, func(_ string, is bool) bool { return !is })
	require.EqualValues(t, 30+len(recorded), c.balance(svc, c.mug, c.main).OnHand)
	t.Logf("%d saved, %d recorded", len(saved), len(recorded))
}
