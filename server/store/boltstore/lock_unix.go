//go:build unix

package boltstore

import (
	"errors"
	"os"
	"time"

	berrors "go.etcd.io/bbolt/errors"
	"golang.org/x/sys/unix"
)

// lock takes the lock that bbolt takes, on the same open file, where it takes
// it again: the pages are read before it does.
func lock(file *os.File, wait time.Duration) error {
	end := time.Now().Add(wait)
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		if time.Now().After(end) {
			return berrors.ErrTimeout
		}
		time.Sleep(10 * time.Millisecond)
	}
}
