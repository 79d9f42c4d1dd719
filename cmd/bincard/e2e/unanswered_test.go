package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// TestOutbox_ResolvesUnansweredWork lets a filter reset the requests of two operations. One
// is discarded by a person who accepts that it may be done, the other when the service was
// found not to have it. Other work on the same stock is then sent.
func TestOutbox_ResolvesUnansweredWork(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	poison := "DROP TABLE"
	network.poison.Store(&poison)
	adjust := func(key, reason string) {
		t.Helper()
		_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: reason}, api.Key(key))
		require.NoError(t, err)
	}
	run := func(args ...string) (string, int) {
		return h.run(append(append([]string{"outbox"}, args...), "--edge", e.dir)...)
	}
	work := func(key string) api.Work {
		return do(t, device, api.ListWork, api.ListWorkInput{Key: key}).Items[0]
	}
	adjust("first", "DROP TABLE first")
	require.Eventually(t, func() bool { return work("first").State == api.WorkSent }, 30*time.Second, 20*time.Millisecond)
	out, status := run("discard", "first", "--reason", "never gets through")
	require.Equal(t, 1, status, "%s", out)
	require.Contains(t, out, "may have been applied")
	out, status = run("discard", "first", "--reason", "never gets through", "--may-be-done")
	require.Zero(t, status, "%s", out)

	adjust("second", "DROP TABLE second")
	adjust("later", "found")
	require.Equal(t, api.WaitOrder, work("later").Wait)
	require.Eventually(t, func() bool {
		list, _ := run("list")
		return strings.Contains(list, "pending, not in the service at")
	}, 4*time.Minute, 100*time.Millisecond, "the service is not asked for the operation")
	require.NotNil(t, work("second").NotRecorded)
	out, status = run("discard", "second", "--reason", "never gets through")
	require.Zero(t, status, "%s", out)
	require.Eventually(t, func() bool { return work("later").State == api.WorkDone }, 30*time.Second, 20*time.Millisecond)
	require.Equal(t, api.WorkDiscarded, work("second").State)
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(31)
}

// TestOutbox_ShowsBothSidesOfAReusedKey uses one key at two sites. The second one sees
// what the service recorded with it.
func TestOutbox_ShowsBothSidesOfAReusedKey(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	first, second := h.withService(c, centre.url), newMachine(t).withService(c, network.url)
	adjust := func(at *machine, by, operator string) string {
		t.Helper()
		out, status := at.run("adjust", "MUG-W@WH-1", by, "--reason", "found", "--key", "night-0", "--operator", operator, "--offline")
		require.Zero(t, status, "%s", out)
		return out
	}
	out, status := second.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found", "--offline")
	require.Zero(t, status, "%s", out)
	network.setMode(modeDown)
	adjust(second, "+7", "Ben")
	adjust(first, "+5", "Ada")
	network.setMode(modeOpen)
	out, status = second.run("adjust", "MUG-W@ST-1", "+1", "--reason", "found", "--offline")
	require.Zero(t, status, "%s", out)

	// A command may end before it has read what the service recorded; a terminal stays.
	s := second.openScreen(80, 24, "--offline", "sync")
	s.waitFor("The service recorded other work with this key")
	s.key("Enter")
	s.waitFor("adjust +7", "Recorded", "adjust +5 × MUG-W at WH-1, Ada")
	s.key("C-q").requireExit(0)
	require.Equal(t, []string{"night-0"}, second.pendingKeys())
	out, status = second.run("outbox", "list", "--json")
	require.Zero(t, status, "%s", out)
	var list struct {
		Items []api.Work `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	w := list.Items[0]
	require.Equal(t, api.WorkHeld, w.State)
	require.Equal(t, "Ben", w.Operator)
	require.EqualValues(t, 7, *w.Stock.Quantity)
	require.NotNil(t, w.Recorded, "%s", out)
	require.Equal(t, "adjustStock Ada", w.Recorded.Operation+" "+w.Recorded.Operator)
	require.Equal(t, "MUG-W WH-1", w.Recorded.Stock[0].SKU+" "+w.Recorded.Stock[0].Location)
	require.EqualValues(t, 5, w.Recorded.Stock[0].Quantity)
	out, status = second.run("outbox", "list")
	require.Zero(t, status, "%s", out)
	require.Contains(t, out, "MUG-W@WH-1 onHand +5, Ada")
	centre.end(syscall.SIGTERM)
	c.requireMugs(36)
}

// TestEdge_KeyOfTwoDevices lets two scanners that count from 1 use the same keys for equal
// work, without a connection and with one. The second learns which device used the key.
func TestEdge_KeyOfTwoDevices(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	first, second := c.client(e.url, e.createDeviceKey("scanner-1", "WH-1")), c.client(e.url, e.createDeviceKey("scanner-2", "WH-1"))
	scan := func(device api.Service, key string) error {
		_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, api.Key(key))
		return err
	}
	requireReused := func(key string) {
		t.Helper()
		require.NoError(t, scan(first, key), "a repeat has the same answer")
		got := api.AsError(scan(second, key))
		require.Equal(t, api.IdempotencyKeyReused, got.Code)
		require.Equal(t, "scanner-1", got.Details["device"])
		require.Contains(t, got.Message, "Use a new key")
	}
	network.setMode(modeSilent)
	require.NoError(t, scan(first, "1"))
	requireReused("1")
	network.setMode(modeOpen)
	require.Eventually(t, func() bool { return do(t, first, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	requireReused("1")
	require.NoError(t, scan(first, "2"))
	requireReused("2")
	require.Eventually(t, func() bool { return do(t, first, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(32)
}
