package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bincard/server/api"
	"bincard/server/local"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// A LockedError reports that another process has a node's directory. If that
// process is not known, PID, Command and Since are zero.
type LockedError struct {
	Dir     string
	PID     int
	Command string
	Since   time.Time
}

func (e *LockedError) Error() string {
	who := api.Text("another program")
	if e.PID != 0 {
		who = api.Textf("%q (process %d) since %s", e.Command, e.PID, e.Since.Local().Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("the offline data in %s is in use by %v: only one program can use it at a time", e.Dir, who)
}

func isLocked(err error) bool {
	var locked *LockedError
	return errors.As(err, &locked)
}

// Lock reserves a node's directory for this process until release is called or
// the process ends. The error is a *LockedError if another process has it. Lock
// opens none of the node's files: the lock is that of an empty store, which also
// names its holder.
func Lock(dir string) (release func() error, err error) {
	lock := filepath.Join(dir, "owner")
	if err := os.MkdirAll(lock, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", lock, err)
	}
	if err := local.CheckDrive(dir); err != nil {
		return nil, err
	}

	st, err := boltstore.Open(lock, boltstore.Options{})
	var locked *store.LockedError
	if errors.As(err, &locked) {
		return nil, &LockedError{Dir: dir, PID: locked.PID, Command: locked.Command, Since: locked.Since}
	}
	if err != nil {
		return nil, err
	}

	return st.Close, nil
}
