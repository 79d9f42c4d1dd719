package store

import (
	"fmt"
	"time"
)

// A LockedError reports that another process has the store open. PID, Command and Since
// are zero if the process is unknown.
type LockedError struct {
	Dir     string
	PID     int
	Command string
	Since   time.Time
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("the data in %s is in use by another process; stop it, or choose another data directory",
			e.Dir)
	}

	return fmt.Sprintf(
		"the data in %s is in use by %q (process %d) since %s; stop it, connect to it, or choose another data directory",
		e.Dir,
		e.Command,
		e.PID,
		e.Since.Local().Format("2006-01-02 15:04:05"),
	)
}
