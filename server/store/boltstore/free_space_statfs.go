//go:build linux || darwin

package boltstore

import "golang.org/x/sys/unix"

// freeSpace returns the free bytes on the disk of a directory, or a negative number if
// unknown.
func freeSpace(dir string) int64 {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return -1
	}
	return int64(fs.Bavail) * int64(fs.Bsize) //nolint:unconvert // the types differ by system
}
