//go:build darwin || freebsd

package local

import "golang.org/x/sys/unix"

// networkDrive returns the type of the network drive that dir is on, or empty if
// it is on none.
func networkDrive(dir string) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Flags&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(fs.Fstypename[:])
}
