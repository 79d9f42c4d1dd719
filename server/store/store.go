// Package store is an ordered key-value store in partitions, with typed tables on top.
//
// A partition is one organization in one environment. A transaction sees only its
// partition, so one tenant cannot read another's data by mistake. Backends implement Store
// and pass the tests of package storetest.
package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// A Partition identifies one organization in one environment. The zero Partition is the
// system's own, with the organizations and their keys.
type Partition struct {
	Organization uuid.UUID
	Environment  string
}

// ErrStop is returned by the function given to Scan to end the scan early;
// Scan then returns nil.
var ErrStop = errors.New("store: stop")

// ErrClosed is returned by all calls on a closed Store.
var ErrClosed = errors.New("store: closed")

// ErrFull means that the disk is full. The update has no effect and can be retried when
// there is space.
var ErrFull = errors.New("the disk is full: free up space or move the data to a larger disk, then retry")

// A Store stores partitions durably.
type Store interface {
	// View runs fn on a consistent snapshot of the partition. fn must not retain the
	// Reader, nor any slice from it.
	View(ctx context.Context, p Partition, fn func(Reader) error) error

	// Update runs fn on a staged transaction and, if fn returns nil, commits it; it
	// returns after the change is on disk. fn must have no side effects except on its
	// Tx, because it may run more than once. If fn fails or panics, nothing changes.
	Update(ctx context.Context, p Partition, fn func(Tx) error) error

	// Partitions lists the partitions that have at least one row.
	Partitions(ctx context.Context) ([]Partition, error)

	Close() error
}

// A Reader reads one partition at one point in time.
type Reader interface {
	// Get returns the value of key, or nil if there is none. The slice belongs to the
	// store: it must not be changed, nor used after the transaction.
	Get(table string, key []byte) ([]byte, error)

	// Scan calls fn for the rows of the range in order. If fn returns an error Scan
	// stops and returns it, or nil for ErrStop.
	Scan(table string, r Range, fn func(key, value []byte) error) error
}

// A Tx reads and changes one partition. It reads its own writes.
type Tx interface {
	Reader
	Put(table string, key, value []byte) error
	Delete(table string, key []byte) error
}

// A Range is a range of keys: From inclusive, To exclusive, nil unbounded. Reverse scans in
// descending order.
type Range struct {
	From, To []byte
	Reverse  bool
}

// Prefix returns the range of all keys with prefix p.
func Prefix(p []byte) Range {
	return Range{From: p, To: prefixEnd(p)}
}

// Reversed returns the same range in descending order.
func (r Range) Reversed() Range {
	r.Reverse = true
	return r
}

// prefixEnd returns the least key greater than every key with prefix p, or nil.
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
