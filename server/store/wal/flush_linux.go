package wal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Flush flushes the data of a file, and the metadata needed to read it.
func Flush(file *os.File) error {
	for {
		err := unix.Fdatasync(int(file.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
