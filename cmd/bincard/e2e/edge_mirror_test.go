package e2e_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
)

// TestEdge_MirrorSurvivesALostJournal loses the journal of an edge that was killed with
// work in it, restores the second copy, and finds the work at the service. The service
// lists the edge.
func TestEdge_MirrorSurvivesALostJournal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	mirror := t.TempDir()
	h = h.withEnv("BINCARD_MIRROR=" + mirror)
	e := h.startEdge(c, network.url)
	key := e.createDeviceKey("scanner-3", "")
	var admin struct {
		Key string `json:"key"`
	}
	require.NoError(t, json.Unmarshal([]byte(e.mustRun("key", "create", "--data", c.dir, "--org", c.org.String(), "--env", "live",
		"--scopes", "all,admin", "--label", "supervisor", "--json")), &admin))
	supervisor := h.withEnv("BINCARD_KEY=" + admin.Key)
	require.Eventually(t, func() bool {
		out, status := supervisor.run("edge", "list", "--url", centre.url, "--org", c.org.String(), "--json")
		return status == 0 && strings.Contains(out, `"edge"`) && strings.Contains(out, `"pending"`)
	}, 30*time.Second, 50*time.Millisecond, "the service does not list the edge")

	before := c.balance(c.client(centre.url, c.key), c.mug, c.main).OnHand
	network.setMode(modeSilent)
	do(t, c.client(e.url, key), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
		InventoryState: api.OnHand, QuantityDelta: 7, Reason: "found"})
	e.end(syscall.SIGKILL)
	require.NoError(t, os.Remove(filepath.Join(e.dir, offline.JournalName)))
	out, status := h.withEnv("BINCARD_KEY="+c.key).run("edge", "--upstream", network.url, "--org", c.org.String(), "--data", e.dir, "--addr", e.addr)
	require.Equal(t, 1, status, "%s", out)
	require.Contains(t, out, "bincard edge restore-journal --data "+e.dir+" --mirror "+mirror)
	require.Contains(t, e.mustRun("edge", "restore-journal", "--data", e.dir, "--mirror", mirror), "Restored")
	network.setMode(modeOpen)
	e.start()
	require.Eventually(t, func() bool {
		s, err := api.GetSync.Call(t.Context(), c.client(e.url, key), api.SyncInput{})
		return err == nil && s.Waiting == 0 && s.State == api.SyncOnline
	}, 30*time.Second, 50*time.Millisecond, "the restored work does not sync")
	require.Equal(t, before+7, c.balance(c.client(centre.url, c.key), c.mug, c.main).OnHand)
}

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
	for round := range 4 {
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
