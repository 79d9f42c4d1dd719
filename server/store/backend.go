package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrUncertain means that a flush failed, so the change may or may not be on disk. The
// store rejects all further calls; reopening it settles which.
var ErrUncertain = errors.New(
	"store: the disk did not confirm the last change, which may or may not be saved; restart and check")

// ErrUnavailable means that the database of the store cannot be reached. The update has no
// effect and can be retried.
var ErrUnavailable = errors.New("the database cannot be reached; retry shortly")

// A Backend is a database that a Writer commits to.
type Backend interface {
	// Begin opens a snapshot to stage updates on. It shows what is committed; of a
	// Commit in progress it may show all or nothing.
	Begin() (Snapshot, error)

	// Commit writes the changes and returns when they are on disk. After an error
	// none of them is visible, unless the error is ErrUncertain. The writer calls
	// Commit once at a time, and holds no snapshot that would wait for it.
	Commit(changes []Changes) error
}

// A Snapshot is the committed state at one point in time.
type Snapshot interface {
	// Reader reads a partition until Close.
	Reader(p Partition) (Reader, error)
	Close()
}

// Changes are the rows that a batch changed in one partition.
type Changes struct {
	Partition Partition
	Rows      []Row // sorted by table and key, without duplicates
}

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

// A Shared is a Store that other processes may change too. Who keeps rows of it in memory
// calls OnChange; with any other store nobody else writes, and there is nothing to do.
type Shared interface {
	Store

	// OnChange calls fn with the rows that other processes have changed in a
	// partition, or nil if they are not known, before a View or Update of the partition
	// runs on them. A partition without a View or Update so far has no calls. Rows of
	// this process may be among them. fn must be short and must not call the store.
	OnChange(fn func(p Partition, rows []Row))

	// Refresh returns when the calls for all commits before it have been made. Calls
	// of Refresh that wait at the same time share one look at the database.
	Refresh(ctx context.Context, partitions ...Partition) error

	// Clock returns the time that the database has now, as far as is known since the
	// last Refresh.
	Clock() (now time.Time, known bool)
}

// Refresh calls Refresh of a Shared store. Otherwise nobody else writes, and it does nothing.
func Refresh(ctx context.Context, s Store, partitions ...Partition) error {
	if shared, ok := s.(Shared); ok {
		return shared.Refresh(ctx, partitions...)
	}
	return nil
}
