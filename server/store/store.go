// Package store is an ordered key-value store in partitions, with typed tables on top.
//
// A partition is one organization in one environment. A transaction sees its
// partition and nothing else, so one tenant cannot read another by mistake.
// Backends implement Store and hold the suite of storetest.
package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// A Partition names one organization in one environment. The zero Partition
// is the system's own: it holds the organizations and their keys.
type Partition struct {
	Organization uuid.UUID
	Environment  string
}

// ErrStop is returned by the function given to Scan to end the scan early;
// Scan then returns nil.
var ErrStop = errors.New("store: stop")

// ErrClosed answers every call on a closed Store.
var ErrClosed = errors.New("store: closed")

// ErrFull is an update that found no room: nothing of it is kept, and it may
// be tried again when there is room.
var ErrFull = errors.New("the disk is full: free up space or move the data to a larger disk, then retry")

// A Store keeps partitions durably.
type Store interface {
	// View runs fn on a consistent snapshot of the partition. fn must not
	// keep the Reader, nor any slice it got from it, after it returns.
	View(ctx context.Context, p Partition, fn func(Reader) error) error

	// Update runs fn on a staged transaction and commits it when fn returns
	// nil; it returns only after the change is on disk. fn must be pure but
	// for its Tx: it may run more than once. When fn fails, or panics, it
	// leaves no trace.
	Update(ctx context.Context, p Partition, fn func(Tx) error) error

	// Partitions lists the partitions that hold at least one row.
	Partitions(ctx context.Context) ([]Partition, error)

	Close() error
}

// A Reader reads one partition at one instant.
type Reader interface {
	// Get returns the value under key, or nil when there is none. The slice
	// is the store's: it must not be changed nor kept after the transaction.
	Get(table string, key []byte) ([]byte, error)

	// Scan calls fn for the rows of the range in its order until fn returns
	// an error, which Scan returns, or ErrStop, for which it returns nil.
	Scan(table string, r Range, fn func(key, value []byte) error) error
}

// A Tx reads and changes one partition. What it wrote it reads back.
type Tx interface {
	Reader
	Put(table string, key, value []byte) error
	Delete(table string, key []byte) error
}

// A Range is a span of keys: From inclusive, To exclusive, nil unbounded.
// Reverse walks it from the greatest key down.
type Range struct {
	From, To []byte
	Reverse  bool
}

// Prefix is the range of all keys that begin with p.
func Prefix(p []byte) Range {
	return Range{From: p, To: prefixEnd(p)}
}

// Reversed is the same range, walked from the greatest key down.
func (r Range) Reversed() Range {
	r.Reverse = true
	return r
}

// prefixEnd is the least key greater than every key with prefix p; nil when none.
func prefixEnd(p []byte) []byte {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] < 0xff {
			q := append([]byte(nil), p[:i+1]...)
			q[i]++
			return q
		}
	}
	return nil
}
