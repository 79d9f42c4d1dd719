package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"bincard/server/store/boltstore"
	"bincard/server/store/holder"
)

const (
	// lockDir is the subdirectory with the lock. Earlier versions locked it by
	// opening a store in it, so the locked file is that store's.
	lockDir = "owner"
	// holderFile names the process that has the lock.
	holderFile = "holder.json"
	// lockWait is how long Lock waits for a process that is about to end, and
	// lockRetry how often it tries.
	lockWait  = 200 * time.Millisecond
	lockRetry = 10 * time.Millisecond
)

// A LockedError reports that another process has a node's directory. Holder is
// zero if that process is not known.
type LockedError struct {
	Dir    string
	Holder holder.Process
}

func (e *LockedError) Error() string {
	who := "another program"
	if h := e.Holder; h.PID != 0 {
		who = fmt.Sprintf("%q (process %d) since %s", h.Command, h.PID, h.Since.Local().Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("the offline data in %s is in use by %s: only one program can use it at a time", e.Dir, who)
}

// Lock reserves a node's directory for this process until release is called or
// the process ends. The error is a *LockedError if another process has it. Lock
// opens none of the node's files.
func Lock(dir string) (release func() error, err error) {
	at := filepath.Join(dir, lockDir)
	if err := os.MkdirAll(at, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", at, err)
	}
	if kind := networkDrive(at); kind != "" {
		return nil, fmt.Errorf("%s is on a network drive (%s), where locks and writes are not reliable. Choose a directory on a local disk", dir, kind)
	}
	lock, name := flock.New(filepath.Join(at, boltstore.File)), filepath.Join(at, holderFile)
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	_, err = lock.TryLockContext(ctx, lockRetry)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, &LockedError{Dir: dir, Holder: holder.Read(name)}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", dir, err)
	}
	holder.Write(name, time.Now())
	return func() error {
		_ = os.Remove(name)
		return lock.Unlock()
	}, nil
}
