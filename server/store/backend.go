package store

import "errors"

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
