package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
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
