package pgstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"bincard/server/store"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// The database's disk is full, and has space again.
func TestStore_DatabaseDiskIsFull(t *testing.T) {
	t.Parallel()
	disk, err := os.MkdirTemp("", "bincard-disk")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.Remove(disk) })
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "mode=755,size=64m"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	server := pgtest.StartIn(t, disk)
	s, p := open(t, server.Database(t)), partition()
	done, stop := load(t, s)
	wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
	put := func(key string) error {
		return s.Update(ctx, p, func(tx store.Tx) error { return tx.Put("large", []byte(key), make([]byte, 100_000)) })
	}
	require.NoError(t, put("before"))

	ballast := filepath.Join(disk, "ballast")
	require.ErrorIs(t, os.WriteFile(ballast, make([]byte, 64<<20), 0o600), unix.ENOSPC)
	require.Eventually(t, func() bool {
		err := put("during")
		require.True(t, err == nil || errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrUnavailable), "%v", err)
		return err != nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, os.Remove(ballast))
	server.Kill() // it may have ended by itself
	server.Restart(t)
	wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
	require.NoError(t, put("after"))
	stop()
}
