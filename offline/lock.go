package offline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// A LockedError says that another program works in a node's directory. PID is
// zero, and the rest with it, when the program is not known.
type LockedError struct {
	Dir     string
	PID     int
	Command string
	Since   time.Time
}

func (e *LockedError) Error() string {
	who := "another program"
	if e.PID != 0 {
		who = fmt.Sprintf("%q (process %d) since %s", e.Command, e.PID, e.Since.Local().Format("2006-01-02 15:04:05"))
	}
	return fmt.Sprintf("the offline data in %s is in use by %s: only one program can use it at a time", e.Dir, who)
}

// Lock makes a node's directory this program's own, until release. The error
// is a *TakenError where another one has it. What lies there besides is not
// opened.
func Lock(dir string) (release func() error, err error) {
	lock := filepath.Join(dir, "owner")
	if err := os.MkdirAll(lock, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory %s: %w", lock, err)
	}
	if kind := networkDrive(lock); kind != "" {
		return nil, fmt.Errorf("%s is on a network drive (%s), where locks and writes are not reliable. Choose a directory on a local disk", dir, kind)
	}
	st, err := boltstore.Open(lock, boltstore.Options{})
	var held *store.LockedError
	if errors.As(err, &held) {
		return nil, &LockedError{Dir: dir, PID: held.PID, Command: held.Command, Since: held.Since}
	}
	if err != nil {
		return nil, err
	}
	return st.Close, nil
}
