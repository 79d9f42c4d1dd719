//go:build linux || darwin

package boltstore

import "golang.org/x/sys/unix"

// room is how many bytes the disk of a directory has left, or less than 0 when
// that is not known.
func room(dir string) int64 {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return -1
	}
	return int64(fs.Bavail) * int64(fs.Bsize) //nolint:unconvert // it is of another type on other systems
}
