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

// ownerFile notes who has the directory open. The lock is bbolt's, on the
// database itself; the note is only there to name its holder.
const ownerFile = "ledger.owner"

type owner struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// writeOwner notes this process as the holder. Where that fails, as on a full disk,
// only its name is missing from what others are told.
func writeOwner(dir string, now func() time.Time) {
	if now == nil {
		now = time.Now
	}
	note, err := json.Marshal(owner{
		PID:     os.Getpid(),
		Command: commandName(),
		Since:   now().UTC().Truncate(time.Second),
	})
	if err == nil {
		_ = os.WriteFile(filepath.Join(dir, ownerFile), note, 0o600)
	}
}

func removeOwner(dir string) { _ = os.Remove(filepath.Join(dir, ownerFile)) }

// commandName is how this process was called, by name and sub-command alone:
// arguments may hold keys.
func commandName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") && len(os.Args[1]) <= 16 {
		name += " " + os.Args[1]
	}
	return name
}

// lockedError describes the process that has dir open, as far as it can be known.
func lockedError(dir string) error {
	e := &store.LockedError{Dir: dir}
	note, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if err != nil {
		return e
	}
	var o owner
	if json.Unmarshal(note, &o) == nil && processAlive(o.PID) {
		e.PID, e.Command, e.Since = o.PID, o.Command, o.Since
	}
	return e
}

// processAlive tells whether a process runs. A note may outlive a process that was
// killed, and name nobody.
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
