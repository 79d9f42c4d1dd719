//go:build !unix

package boltstore

import (
	"os"
	"time"
)

// lock does nothing: only bbolt takes the lock, which cannot be taken twice.
func lock(*os.File, time.Duration) error { return nil }
