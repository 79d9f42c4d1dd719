package boltstore

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"bincard/server/store"
)

// ErrFull is an update that found no room: nothing of it is kept, and nothing
// else is lost. The store goes on, and takes updates again when there is room.
var ErrFull = store.ErrFull

// diskFullError names what systems call a full disk. bbolt passes on some of it in
// words alone.
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
