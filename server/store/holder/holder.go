// Package holder names the process that holds a lock, for the error message of
// the next one. Write leaves the name in a file beside the lock, and Read returns
// it while that process runs. The file locks nothing, and may outlive a killed
// process.
package holder

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

// A Process holds a lock since a time.
type Process struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// Write names this process in a file. If that fails, as on a full disk, only the
// error message of other processes lacks the name.
func Write(path string, now time.Time) {
	data, err := json.Marshal(Process{PID: os.Getpid(), Command: commandName(), Since: now.UTC().Truncate(time.Second)})
	if err == nil {
		_ = os.WriteFile(path, data, 0o600)
	}
}

// Read returns the process that a file names, or the zero value if it is unknown
// or has ended.
func Read(path string) Process {
	data, err := os.ReadFile(path)
	var p Process
	if err != nil || json.Unmarshal(data, &p) != nil || !p.isAlive() {
		return Process{}
	}
	return p
}

// commandName returns the name and sub-command of this process, without arguments, which
// may be secrets.
func commandName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") && len(os.Args[1]) <= 16 {
		name += " " + os.Args[1]
	}
	return name
}

func (p Process) isAlive() bool {
	if p.PID <= 0 {
		return false
	}
	found, err := os.FindProcess(p.PID)
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return found.Release() == nil
	}
	err = found.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
