//go:build darwin || freebsd

package offline

import "golang.org/x/sys/unix"

// networkDrive is the kind of network drive that a directory lies on; empty where
// it is none.
func networkDrive(dir string) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Flags&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(fs.Fstypename[:])
}
