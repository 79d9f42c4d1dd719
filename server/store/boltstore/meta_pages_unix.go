//go:build unix

package boltstore

import (
	"golang.org/x/sys/unix"
	"os"
)

// mapped maps the first bytes of a file; it returns nil if it cannot.
func mapped(path string, size int) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}

	defer file.Close()
	data, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}

	return data
}

func unmapped(data []byte) { _ = unix.Munmap(data) }
