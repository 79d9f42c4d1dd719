package e2e_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"bincard/server/api"
)

// TestEdge_AlarmsAboutFullDisk fills the disk of an edge. Work is rejected, not lost, and the
// alarm ends when there is space.
func TestEdge_AlarmsAboutFullDisk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	disk := h.path("edge")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "mode=700,size=8m"); err != nil {
		t.Skipf("a small disk cannot be mounted here, which root can: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	network.setMode(modeSilent)
	c.adjust(device)
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, nil, 0o600))
	saved := int64(1)
	require.Eventually(t, func() bool {
		fillDisk(t, ballast)
		_, err := api.AdjustStock.Call(t.Context(), device, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"})
		if err == nil {
			saved++
			return false
		}
		require.True(t, api.HasCode(err, api.Unavailable), "%v", err)
		return true
	}, 90*time.Second, time.Millisecond, "the disk is never full")
	e.waitForAlarm(api.AlarmDisk, "disk")
	require.NoError(t, os.Remove(ballast))
	network.setMode(modeOpen)
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)
	e.waitForCalm()
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(30 + saved)
}
