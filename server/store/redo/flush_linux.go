package redo

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flush has on disk what was written, and what is needed to read it.
func flush(file *os.File) error {
	for {
		err := unix.Fdatasync(int(file.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
