package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

// TestReceive_DiskFull fills the disk under a local ledger. A receipt that cannot be
// booked is reported and stays counted, and is booked when there is space.
func TestReceive_DiskFull(t *testing.T) {
	t.Parallel()
	testenv.FullDisk.Cases(t)
	h := newMachine(t)
	disk := h.path("disk")
	mountSmallDisk(t, disk, "4m")
	c := newCompany(t, filepath.Join(disk, "data"))
	c.addLargeInbound()
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 2<<20), 0o600))
	for round := 0; c.fillLedger() > 0; round++ {
		require.Less(t, round, 100, "the disk is never full")
	}

	s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-2")
	s.waitFor("Receive › PO-2", "Oat milk")
	for full, round := false, 0; !full; round++ { // some writes still fit in the ledger's files
		require.Less(t, round, 50, "the disk is never full")
		fillDisk(t, ballast) // the ledger frees space when it moves its log to the database
		s.scan(oatBox)
		s.waitFor("This count 12")
		s.scan("10L42-A\x1d" + "17" + expiry("060102"))
		s.waitFor("L42-A")
		s.key("Enter")
		s.waitUntil("booked or refused", func(view string) bool {
			full = has(view, "disk is full")
			return strings.Contains(view, "·idle·") && (full || has(view, "This count 0"))
		})
	}
	s.waitFor("disk is full", "This count 12")
	require.NoError(t, os.Remove(ballast))
	s.key("Enter")
	s.waitFor("enter to retry")
	s.key("Enter")
	s.waitFor("Received 12", "This count 0")
	s.key("C-q").requireExit(0)
}

// fillLedger writes until the disk is full and returns the number of writes that succeeded.
func (c *company) fillLedger() (writes int) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for {
			_, err := api.AdjustStock.Call(c.t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.store},
				InventoryState: api.Available, QuantityDelta: 1, Reason: "count"})
			if api.HasCode(err, api.Unavailable) {
				return
			}
			require.NoError(c.t, err)
			writes++
		}
	})
	return writes
}

// fillDisk extends a file until the disk is full.
func fillDisk(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if n, err := f.Write(make([]byte, size)); err != nil || n < size {
			size /= 2
		}
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
