package e2e_test

import (
	"net/http"
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
	e.end(syscall.SIGTERM)
	network.page.Store(http.StatusNotFound)
	network.setMode(modePortal)
	e.start()
	adjust()
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
	c.requireMugs(33)
}
