package e2e_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
)

// waitForAlarm waits until an edge reports an alarm everywhere: in "status --check", at
// /readyz and in its metrics.
func (e *edgeSite) waitForAlarm(alarm api.SyncAlarm, words string) {
	e.t.Helper()
	require.Eventually(e.t, func() bool {
		out, status := e.machine.run("status", "--edge", e.dir, "--check")
		return status == 4 && strings.Contains(strings.ToLower(out), words)
	}, 90*time.Second, 50*time.Millisecond, "%s: status does not say %q", alarm, words)
	require.Contains(e.t, strings.ToLower(e.get("/readyz")), words)
	require.Contains(e.t, e.get("/metrics"), `bincard_edge_alarm{alarm="`+string(alarm)+`"} 1`)
}

// waitForNoAlarm waits until an edge reports no alarm.
func (e *edgeSite) waitForNoAlarm() {
	e.t.Helper()
	require.Eventually(e.t, func() bool {
		_, status := e.machine.run("status", "--edge", e.dir, "--check")
		return status == 0 && !strings.Contains(e.get("/readyz"), "warnings") // such as a lost connection
	}, 90*time.Second, 50*time.Millisecond, "an alarm or warning does not end")
}

// get returns what the edge answers at a path without a key.
func (e *edgeSite) get(path string) string {
	e.t.Helper()
	res, err := http.Get(e.url + path)
	require.NoError(e.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(e.t, err)
	require.Equal(e.t, http.StatusOK, res.StatusCode, "the edge still saves work")
	return string(text)
}

// adjust adds one mug at an edge.
func (c *company) adjust(edge api.Service) {
	c.t.Helper()
	do(c.t, edge, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
}

// TestEdge_AlarmsAboutKeyAndQuota revokes the key of an edge and uses up the quota. Both are
// reported until they end, and a terminal shows the first in its header.
func TestEdge_AlarmsAboutKeyAndQuota(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	e := h.startEdge(c, centre.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	e.waitForNoAlarm()
	plan := func(more ...string) {
		t.Helper()
		out, status := h.run(append([]string{"plan", "set", "--data", c.dir, "--org", c.org.String(), "--env", "live"}, more...)...)
		require.Zero(t, status, "%s", out)
	}
	plan("--billable", "1") // less than is already used
	c.adjust(device)
	e.waitForAlarm(api.AlarmQuota, "quota")
	plan()
	_, status := h.run("outbox", "try", "--edge", e.dir)
	require.Zero(t, status)
	e.waitForNoAlarm()

	e.end(syscall.SIGTERM)
	key := c.key
	c.key = "bc_live_abcdefgh_revoked"
	e.start()
	e.waitForAlarm(api.AlarmKey, "key")
	require.Contains(t, e.mustRun("status", "--edge", e.dir), "next attempt: ")
	c.key = key
	at := h.withService(c, centre.url)
	s := at.openScreen(80, 24, "--offline")
	s.awaitReplica().waitFor("ONLINE")
	s.key("C-q").requireExit(0)
	c.key = "bc_live_abcdefgh_revoked"
	s = h.withService(c, centre.url).openScreen(80, 24, "--offline")
	s.waitFor("DENIED")
	s.key("8")
	s.waitFor("Key rejected, next try")
	s.key("C-q").requireExit(0)
	e.end(syscall.SIGTERM)
	c.key = key
	e.start()
	e.waitForNoAlarm()
}

// TestEdge_AlarmsAboutDamage changes one byte of the journal of an edge with work in it.
// Each start reports it until a person acknowledges it; the rest of the work is synced.
func TestEdge_AlarmsAboutDamage(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	network.setMode(modeSilent)
	for range 3 {
		c.adjust(device)
	}
	e.end(syscall.SIGKILL)
	path := filepath.Join(e.dir, offline.JournalName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[strings.LastIndex(string(data), `"capture"`)+20] ^= 1 // of the last operation
	require.NoError(t, os.WriteFile(path, data, 0o600))
	network.setMode(modeOpen)
	for range 2 {
		e.start()
		e.waitForAlarm(api.AlarmDamage, "acknowledge the damage")
		e.end(syscall.SIGTERM)
	}
	e.start()
	out, status := h.run("outbox", "acknowledge", "--edge", e.dir)
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, "the damage is acknowledged")
	e.waitForNoAlarm()
	out, status = h.run("outbox", "acknowledge", "--edge", e.dir)
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, "there is no damage to acknowledge")
	e.end(syscall.SIGTERM)
	e.start()
	e.waitForNoAlarm()
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(32) // without the damaged one, which the alarm names
}

// TestOffline_AlarmsAboutClock reports a clock that is hours off.
func TestOffline_AlarmsAboutClock(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	at := h.withService(c, centre.url).withClockOffset(3 * time.Hour)
	s := at.openScreen(80, 24, "--offline")
	s.awaitReplica().waitFor("This machine's clock is 3 h fast")
	out, status := at.run("status", "--check")
	require.Equal(t, 4, status, "%s", out)
	require.Contains(t, out, "clock")
	s.key("8")
	s.waitFor("clock is 3 h fast")
	s.key("C-q").requireExit(0)
}
