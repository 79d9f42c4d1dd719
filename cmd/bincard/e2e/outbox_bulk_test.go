package e2e_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// TestOutbox_ResolvesInBulk retries, exports and discards the failed operations of an edge
// by error code, device and time. Without an answer to its question, a command only lists.
func TestOutbox_ResolvesInBulk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	e := h.startEdge(c, centre.url)
	boss := c.client(e.url, e.createDeviceKey("office", ""))
	fail := func(device *apiclient.Client, n int) {
		t.Helper()
		for range n {
			_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
				InventoryState: api.OnHand, QuantityDelta: -99, Reason: "lost"}, api.AcceptRisk())
			require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
		}
	}
	first, second := c.client(e.url, e.createDeviceKey("scanner-1", "WH-1")), c.client(e.url, e.createDeviceKey("scanner-2", "WH-1"))
	fail(first, 3)
	fail(second, 2)
	refused := func(n int64) {
		t.Helper()
		require.Eventually(t, func() bool {
			s := do(t, boss, api.GetSync, api.SyncInput{})
			return s.Refused == n && s.Waiting == 0
		}, 90*time.Second, 20*time.Millisecond)
	}
	refused(5)
	run := func(status int, args ...string) string {
		t.Helper()
		out, got := h.run(append(append([]string{"outbox"}, args...), "--edge", e.dir)...)
		require.Equal(t, status, got, "%s", out)
		return out
	}
	require.Contains(t, run(2, "retry", "--device", "scanner-1"), "Retry 3 operations? Add --yes")
	require.Contains(t, run(0, "retry", "--code", "NOT_FOUND", "--yes"), "no operation")
	require.Contains(t, run(0, "retry", "--code", "insufficient_stock", "--device", "scanner-1", "--yes"), "3 operations will be retried")
	refused(5)
	require.Contains(t, run(2, "discard", "--all", "--since", "yesterday"), "must be a time like")
	require.Contains(t, run(0, "discard", "--until", "2020-01-01", "--reason", "old"), "no operation")
	require.Contains(t, run(2, "discard", "--all"), "Discard 5 operations? Give --reason")
	require.Contains(t, run(0, "export", h.path("two.json"), "--device", "scanner-2"), "2 exported")
	require.Contains(t, run(0, "discard", "--device", "scanner-2", "--since", "2020-01-01", "--reason", "counted again"), "2 operations discarded")
	refused(3)
	list := do(t, boss, api.ListWork, api.ListWorkInput{State: api.WorkDiscarded})
	require.Len(t, list.Items, 2)
	require.Equal(t, "counted again", list.Items[0].Reason)
	require.Contains(t, run(0, "discard", "--all", "--reason", "counted again"), "3 operations discarded")
	refused(0)
	require.Contains(t, run(1, "discard", uuid.NewString(), "--reason", "x"), "no operation")
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(30)
}
