package boltstore

import (
	"os"
	"path/filepath"
	"time"

	"bincard/server/store"
	"bincard/server/store/holder"
)

// ownerFile names the process that has the directory open. The lock is bbolt's, on the
// database; the file only serves the error message.
const ownerFile = "ledger.owner"

func writeOwner(dir string, now func() time.Time) {
	if now == nil {
		now = time.Now
	}
	holder.Write(filepath.Join(dir, ownerFile), now())
}

func removeOwner(dir string) { _ = os.Remove(filepath.Join(dir, ownerFile)) }

// lockedError returns an error with the process that has dir open, if known.
func lockedError(dir string) error {
	p := holder.Read(filepath.Join(dir, ownerFile))
	return &store.LockedError{Dir: dir, PID: p.PID, Command: p.Command, Since: p.Since}
}
