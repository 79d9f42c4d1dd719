package proof_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// smallDisk returns a directory on a file system of the given size.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size="+size); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() {
		// A process that another test is starting has this one's files open for a moment.
		require.Eventually(t, func() bool { return unix.Unmount(dir, 0) == nil }, time.Minute, 10*time.Millisecond, "a file is still open")
	})
	return dir
}
