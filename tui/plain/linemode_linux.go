package plain

import "golang.org/x/sys/unix"

// The requests that read and write the modes of a terminal.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)
