package e2e_test

import (
	"fmt"
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
	mountSmallDisk(t, disk, "8m")
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
	e.waitForNoAlarm()
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(30 + saved)
}

// TestHeader_FullDiskAndForeignAnswers fills the disk of a terminal that works offline, and
// then puts a page in the service's place. The header shows each until it ends, although
// nothing is saved meanwhile.
func TestHeader_FullDiskAndForeignAnswers(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		width, height int
		full, page    string
	}{{80, 24, "DISK FULL", "NO SERVICE (200)"}, {20, 16, "DISK", "FOREIGN"}} {
		t.Run(fmt.Sprintf("%dx%d", of.width, of.height), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			centre := h.serve(c, "")
			network := newFaultyNetwork(t, centre.url, 1)
			disk := h.path("data_home", "bincard")
			mountSmallDisk(t, disk, "8m")
			at := h.withService(c, network.url)
			s := at.openScreen(of.width, of.height, "--offline", "receive/PO-1")
			s.awaitReplica().waitFor("ONLINE", "Oat milk")
			network.setMode(modeDown) // so that no answer is saved
			s.waitFor("OFFLINE")
			ballast := filepath.Join(disk, "ballast")
			require.NoError(t, os.WriteFile(ballast, nil, 0o600))
			for round, status := 0, 0; status == 0; round++ { // some writes still fit in the journal
				require.Less(t, round, 50, "the disk is never full")
				fillDisk(t, ballast)
				_, status = at.run("adjust", "MUG-W@WH-1", "+1", "--reason", "found")
			}
			s.waitFor(of.full)
			require.NoError(t, os.Remove(ballast))
			s.waitGone(of.full)
			s.waitFor("OFFLINE")
			network.setMode(modePortal)
			s.waitFor(of.page)
			network.setMode(modeOpen)
			s.waitFor("ONLINE")
			s.key("C-q").requireExit(0)
		})
	}
}

// mountSmallDisk mounts a disk of a size in memory.
func mountSmallDisk(t *testing.T, path, size string) {
	t.Helper()
	require.NoError(t, os.Mkdir(path, 0o700))
	if err := unix.Mount("tmpfs", path, "tmpfs", 0, "mode=700,size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted here, which root can: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(path, unix.MNT_DETACH)) })
}
