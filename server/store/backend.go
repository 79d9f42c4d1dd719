package store

import "errors"

// ErrUncertain is a failed flush after which the change may or may not be on
// disk. The store answers nothing more; opened again, it knows.
var ErrUncertain = errors.New("store: the disk did not confirm the last change, which may or may not be saved; restart and check")

// A Backend is a database that a Writer feeds.
type Backend interface {
	// Begin takes a snapshot to stage updates on. It shows what is committed;
	// of a Commit that is under way it may show all or nothing.
	Begin() (Snapshot, error)

	// Commit writes the changes and returns when they are on disk. When it
	// fails nothing of them is visible, or, where that cannot be said, the
	// error is ErrUncertain. The writer has one under way at a time, and no
	// snapshot open that would wait for it.
	Commit(changes []Changes) error
}

// A Snapshot is what is committed at one instant.
type Snapshot interface {
	// Reader reads a partition until Close.
	Reader(p Partition) (Reader, error)
	Close()
}

// Changes are what a batch changed in one partition.
type Changes struct {
	Partition Partition
	Rows      []Row // in the order of table and key, each key once
}
