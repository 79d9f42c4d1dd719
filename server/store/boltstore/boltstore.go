// Package boltstore keeps partitions in one bbolt file.
//
// A directory holds ledger.db and, beside it, a note of who has it open. One
// process owns the directory at a time; a second one is told who does.
//
// Each table of each partition is a bucket, made when its first row is
// written. Reads are bbolt's read transactions: short ones, because a file
// that must grow waits for them.
package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"bincard/server/store"
)

// File is the name of the database in its directory.
const File = "ledger.db"

// Options of Open. The zero value is right for a service.
type Options struct {
	// Wait is how long to wait for another process to let go of the
	// directory; zero is 200 ms.
	Wait time.Duration

	// NoSync leaves flushing to the operating system: a crash of the machine
	// may lose or damage everything. For trials that are thrown away.
	NoSync bool

	// MaxSize is the size in bytes that the database may not exceed: an
	// update that needs more fails and the rest goes on. Zero is no limit.
	MaxSize int
}

// A Store is a store.Store in one bbolt file.
type Store struct {
	db     *bolt.DB
	dir    string
	writer *store.Writer
	failed atomic.Pointer[error] // a flush that failed: nothing more is read or written
	close  sync.Once
	closed error
}

var _ store.Store = (*Store)(nil)

// Open opens the store in dir, and makes dir (0700) and the database (0600)
// when they are not there. When another process has it open the error is a
// *store.HeldError.
func Open(dir string, opts Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data directory %s: %w", dir, err)
	}
	if opts.Wait == 0 {
		opts.Wait = 200 * time.Millisecond
	}
	db, err := openFile(filepath.Join(dir, File), opts)
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, held(dir)
	}
	if err != nil {
		return nil, err
	}
	own(dir)
	sweep(dir)
	s := &Store{db: db, dir: dir}
	s.writer = store.NewWriter(backend{s})
	return s, nil
}

// View runs fn on a snapshot. It must be short: see the package comment.
func (s *Store) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	prefix, err := encode(p)
	if err != nil {
		return err
	}
	return s.view(func(tx *bolt.Tx) error {
		return fn(&reader{tx: tx, prefix: prefix})
	})
}

func (s *Store) view(fn func(*bolt.Tx) error) error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return closed(s.db.View(fn))
}

// Update runs fn among others and commits them together; see store.Writer.
func (s *Store) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return s.writer.Update(ctx, p, fn)
}

// Close finishes the updates that wait and closes the file. A second Close
// does nothing.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.writer.Close()
		disown(s.dir)
		s.closed = s.db.Close()
	})
	return s.closed
}

// closed names bbolt's word for a closed database as the store does.
func closed(err error) error {
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return store.ErrClosed
	}
	return err
}
