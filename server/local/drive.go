package local

import "fmt"

// CheckDrive returns an error if dir is on a network drive. Then several machines could
// have it, and neither the lock of its owner nor what it writes is reliable.
func CheckDrive(dir string) error {
	if kind := networkDrive(dir); kind != "" {
		return fmt.Errorf(
			"%s is on a network drive (%s), where locks and writes are not reliable. Choose a directory on a local disk",
			dir,
			kind,
		)
	}

	return nil
}
