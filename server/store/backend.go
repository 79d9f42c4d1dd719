package store

import "errors"

// ErrUncertain is a failed flush after which the change may or may not be on
// disk. The store answers nothing more; opened again, it knows.
var ErrUncertain = errors.New("store: the disk did not confirm the last change, which may or may not be kept; start again and look")

// A Backend is a database that a Writer feeds.
type Backend interface {
	// Begin opens a transaction for the next batch. The writer has at most
	// one open.
	Begin() (Batch, error)
}

// A Batch is one transaction of a Backend.
type Batch interface {
	// Reader reads the partition as last committed, until Commit.
	Reader(p Partition) (Reader, error)

	// Commit writes the changes and returns when they are on disk. When it
	// fails nothing of them is visible, or, where that cannot be said, the
	// error is ErrUncertain. Either way it ends the transaction.
	Commit(changes []Changes) error

	// Rollback ends a transaction that has nothing to write.
	Rollback()
}

// Changes are what a batch changed in one partition.
type Changes struct {
	Partition Partition
	Rows      []Row // in the order of table and key, each key once
}
