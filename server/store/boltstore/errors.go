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

// A damageError describes the damage of a file and what to do.
type damageError struct {
	path  string
	err   error
	inUse bool // found while the database was in use
}

func (d *damageError) Error() string {
	if d.inUse {
		return fmt.Sprintf(
			"database %s is damaged: %v; reads and writes are stopped; copy the whole directory, then restore a backup",
			d.path, d.err)
	}

	return fmt.Sprintf("database %s is damaged: %v; nothing was changed; copy it, then restore a backup", d.path, d.err)
}

func (d *damageError) Unwrap() error { return d.err }

func newDamageError(path string, err error) error { return &damageError{path: path, err: err} }

// storeError converts bbolt's error for a closed database.
func storeError(err error) error {
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return store.ErrClosed
	}
	return err
}
