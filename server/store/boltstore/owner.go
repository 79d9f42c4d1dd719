package boltstore

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/store"
)

// ownerFile names the process that has the directory open. The lock is bbolt's, on the
// database; the file only serves the error message.
const ownerFile = "ledger.owner"

type owner struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// writeOwner writes the owner file. If that fails, as on a full disk, the error message of
// other processes only lacks the name.
func writeOwner(dir string, now func() time.Time) {
	if now == nil {
		now = time.Now
	}

	data, err := json.Marshal(owner{
		PID:     os.Getpid(),
		Command: commandName(),
		Since:   now().UTC().Truncate(time.Second),
	})
	if err == nil {
		_ = os.WriteFile(filepath.Join(dir, ownerFile), data, 0o600)
	}
}

func removeOwner(dir string) { _ = os.Remove(filepath.Join(dir, ownerFile)) }

// commandName returns the name and sub-command of this process, without arguments, which
// may be secrets.
func commandName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") && len(os.Args[1]) <= 16 {
		name += " " + os.Args[1]
	}
	return name
}

// lockedError returns an error with the process that has dir open, if known.
func lockedError(dir string) error {
	e := &store.LockedError{Dir: dir}
	data, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if err != nil {
		return e
	}

	var o owner
	if json.Unmarshal(data, &o) == nil && processAlive(o.PID) {
		e.PID, e.Command, e.Since = o.PID, o.Command, o.Since
	}

	return e
}

// processAlive reports whether a process exists. The owner file may outlive a killed
// process.
func processAlive(pid int) bool {
	if pid <= 0 {
		return false
	}

	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return p.Release() == nil
	}

	err = p.Signal(syscall.Signal(0))

	return err == nil || errors.Is(err, os.ErrPermission)
}
