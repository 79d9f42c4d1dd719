package boltstore

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"bincard/server/store"
)

// ErrFull means that the disk is full. The failed update has no effect; the store
// continues, and accepts updates again when there is space.
var ErrFull = store.ErrFull

// diskFullError converts the systems' errors for a full disk. bbolt passes on some only
// as text.
func diskFullError(err error) error {
	if err == nil {
		return nil
	}
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, berrors.ErrMaxSizeReached} {
		if errors.Is(err, e) || strings.Contains(err.Error(), e.Error()) {
			return fmt.Errorf("%w (%w)", ErrFull, err)
		}
	}
	return err
}
