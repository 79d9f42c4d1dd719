package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// requireMugs requires the stock of MUG-W at the main location, in the ledger.
func (c *company) requireMugs(n int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		require.Equal(c.t, n, c.balance(c.service(l), c.mug, c.main).OnHand)
	})
}

// TestOffline_CommandsStartFromDisk runs commands while the connection answers nothing, or
// with the pages of something in between. They save their work and succeed; the next
// command syncs it.
func TestOffline_CommandsStartFromDisk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	at := h.withService(c, network.url)
	adjust := func(wantStatus int) string {
		t.Helper()
		out, status := at.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--offline")
		require.Equal(t, wantStatus, status, "%s", out)
		return out
	}
	network.page.Store(http.StatusNotFound)
	network.setMode(modePortal)
	require.Contains(t, adjust(3), "The key is ", "nothing is on this machine yet")
	network.setMode(modeOpen)
	require.NotContains(t, adjust(0), "ot synced", "the service answered")

	network.setMode(modeSilent)
	out := adjust(0)
	require.Contains(t, out, "Saved, not synced.")
	require.Contains(t, out, "Saved here. It is sent when bincard runs next or the edge is up.")
	network.setMode(modePortal)
	for _, status := range []int32{http.StatusOK, http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		network.page.Store(status)
		require.Contains(t, adjust(0), "Saved, not synced.")
	}
	out, status := at.run("move", "MUG-W@WH-1", "1", "--to", "damaged", "--reason", "chipped", "--offline", "--json")
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, `"waits":true`)

	network.setMode(modeOpen)
	out, status = at.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--offline")
	require.Zero(t, status, "%s", out)
	require.NotContains(t, out, "Saved here")
	require.Empty(t, at.pendingKeys())
	centre.end(syscall.SIGTERM)
	c.requireMugs(38)
}

// TestOffline_CommandFailsWhenServiceRejects exits with 1 only for the service's own
// rejection.
func TestOffline_CommandFailsWhenServiceRejects(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(t, c.service(l), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: -25, Reason: "broken"})
	})
	centre := h.serve(c, "")
	at := h.withService(c, centre.url)
	out, status := at.run("ship", "TR-1", "all", "--offline", "--force")
	require.Equal(t, 1, status, "%s", out)
	require.Contains(t, out, "bincard outbox list")
	out, status = at.run("outbox", "list")
	require.Zero(t, status)
	require.Contains(t, out, "failed")
}

// TestEdge_UsesAReplacedKey writes another key to the key file of an edge whose key was
// revoked.
func TestEdge_UsesAReplacedKey(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	key := c.key
	c.key = ""
	require.NoError(t, os.WriteFile(h.path("key"), []byte("bc_live_abcdefgh_revoked\n"), 0o600))
	out, status := h.run("edge", "--upstream", centre.url, "--org", c.org.String(), "--key-file", h.path("key"), "--data", h.path("edge"))
	require.Equal(t, 1, status, "a first start needs a key that the service accepts: %s", out)
	require.NoError(t, os.WriteFile(h.path("key"), []byte(key+"\n"), 0o600))
	e := h.withEnv("BINCARD_KEY_FILE="+h.path("key")).startEdge(c, centre.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	e.end(syscall.SIGTERM)

	require.NoError(t, os.WriteFile(h.path("key"), []byte("bc_live_abcdefgh_revoked\n"), 0o600))
	e.start()
	do(t, device, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
	state := func() api.Sync { return do(t, device, api.GetSync, api.SyncInput{}) }
	require.Eventually(t, func() bool { return state().State == api.SyncDenied }, 90*time.Second, 20*time.Millisecond)
	require.NoError(t, os.WriteFile(h.path("key"), []byte("bc_test_abcdefgh_another\n"), 0o600))
	require.NoError(t, os.WriteFile(h.path("key"), []byte(key+"\n"), 0o600))
	require.Eventually(t, func() bool { return state().Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", e.cmd.Process.Pid))
	if err == nil {
		require.NotContains(t, string(environ), key)
	}
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(31)
}

// TestEdge_StartsFromDisk restarts an edge while its key is revoked, and while something
// else answers for the service. Terminals go on.
func TestEdge_StartsFromDisk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	adjust := func() {
		t.Helper()
		do(t, device, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
	}
	for _, status := range []int32{http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		e.end(syscall.SIGTERM)
		network.page.Store(status)
		network.setMode(modePortal)
		e.start()
		adjust()
	}
	e.end(syscall.SIGTERM)
	network.setMode(modeSilent)
	e.start()
	adjust()
	e.end(syscall.SIGTERM)

	network.setMode(modeOpen)
	key := c.key
	c.key = "bc_live_abcdefgh_revoked"
	e.start()
	adjust()
	out, status := h.run("status", "--edge", e.dir, "--check")
	require.Equal(t, 4, status, "%s", out)
	require.Contains(t, out, "barred")
	e.end(syscall.SIGTERM)
	c.key = key
	e.start()
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(36)
}

// TestEdge_ServiceMoves changes the address of an edge's service while work is pending.
func TestEdge_ServiceMoves(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	old := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, old.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	old.setMode(modeDown)
	do(t, device, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
	at := h.withEnv("BINCARD_KEY=" + c.key)
	set := []string{"edge", "set", "--data", e.dir, "--upstream", centre.url}
	out, status := at.run(set...)
	require.Equal(t, 1, status, "the edge runs: %s", out)
	e.end(syscall.SIGTERM)
	out, status = at.run("edge", "--upstream", centre.url, "--org", c.org.String(), "--data", e.dir)
	require.Equal(t, 1, status, "%s", out)
	require.Contains(t, out, "bincard edge set --upstream")
	out, status = at.withEnv("BINCARD_KEY=bc_live_abcdefgh_revoked").run(set...)
	require.Equal(t, 1, status, "%s", out)
	require.Contains(t, out, "use the matching key")
	out, status = at.run("edge", "set", "--data", e.dir, "--upstream", "http://"+freeAddress(t))
	require.Equal(t, 3, status, "%s", out)
	out, status = at.run(set...)
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, "The service of "+e.dir+" is now "+centre.url)

	e.up = centre.url
	e.start()
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	e.end(syscall.SIGTERM)
	out, status = h.run("verify", "--data", e.dir)
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, "1 operation of "+centre.url+" in the journal, 0 not synced, all readable")
	centre.end(syscall.SIGTERM)
	c.requireMugs(31)
}

// A command of a script prints its key and result only, also when it downloads the data for
// offline work first.
func TestOffline_FirstCommandPrintsItsResult(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	out, status := h.withService(c, service.url).run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--offline")
	require.Zero(t, status, out)
	require.Regexp(t, `\Akey \S+\nMUG-W: .*\n\z`, out)
	service.end(syscall.SIGTERM)
	c.requireMugs(31)
}
