//go:build unix

package plain

import (
	"os"

	"golang.org/x/sys/unix"
)

// LineMode sets up a terminal for scanners that frame a code with STX and ETX: ETX, which is
// ctrl+c, ends a line and does not interrupt the program. It returns a function that
// restores the terminal.
func LineMode(f *os.File) (restore func()) {
	before, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return func() {}
	}

	mode := *before
	mode.Lflag &^= unix.ISIG
	mode.Cc[unix.VEOL] = 0x03
	if err := unix.IoctlSetTermios(int(f.Fd()), setTermios, &mode); err != nil {
		return func() {}
	}

	return func() { _ = unix.IoctlSetTermios(int(f.Fd()), setTermios, before) }
}
