// Package boltstore keeps partitions in one bbolt file, behind a log.
//
// A directory holds ledger.db and, beside it, a note of who has it open and,
// while it is open, the log (see redo). One process owns the directory at a
// time; a second one is told who does.
//
// A commit appends its rows to the log and flushes it once. From then on they
// are durable, and they are visible, from memory: each partition has a layer of
// what the log has and the database does not. What has gathered is moved to
// the database in the background, many commits at a time, because there a
// commit costs two flushes and a page for nearly every row.
//
// What is in memory is a generation of the log, the active one. To move it, it
// is frozen and another one becomes active. So that a view is of one instant it
// takes the active layer, the frozen one and a transaction of the database, in
// this order of precedence, under one lock:
//
//   - rows are moved only from a frozen generation, which is let go after all of
//     it is on disk. Until then it lies over the database, where it says the same
//     or something newer: a view may meet it half moved;
//   - nothing is frozen while a view begins, so the database never holds rows
//     that are newer than the layers over it.
//
// Memory and log are bounded: when the active generation is large and the
// frozen one not yet moved, commits wait. Close moves everything and leaves
// ledger.db alone. After a crash Open reads the log, and its rows are the frozen
// generation.
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
	"bincard/server/store/redo"
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
	// update that needs more fails and the rest goes on. To know that at once
	// each commit goes to the database, without the log. Zero is no limit.
	MaxSize int

	// CheckpointBytes is how many bytes of the log are moved to the database at a time.
	// Twice that, and as much again in the two files, is what log and memory
	// hold at most. Zero is 8 MB.
	CheckpointBytes int64

	// Now is the clock by which others are told since when the directory is
	// held; time.Now where nil.
	Now func() time.Time
}

// A Store is a store.Store in one bbolt file.
type Store struct {
	db        *bolt.DB
	metaPages metaPages
	dir       string
	path      string // of the database
	opts      Options
	writer    *store.Writer
	failed    atomic.Pointer[error] // a flush that failed, or damage: nothing more is read or written
	close     sync.Once
	closed    error

	faulted  atomic.Bool    // bbolt may hold a lock for ever
	closing  atomic.Bool    // Close has been called
	auditing sync.WaitGroup // the audit

	// Who needs several of these locks takes them in this order.
	checkpointing sync.Mutex   // guards the log's files, frozen, and the coming of another generation
	commit        sync.Mutex   // guards the end of the log, and active
	mu            sync.RWMutex // guards frozen, active and its parts against who reads
	log           *redo.Log
	frozen        *generation // is being moved, or must be
	active        *generation // takes the commits; nil until there are some
	checkpointer  *checkpointer
}

var _ store.Store = (*Store)(nil)

// Open opens the store in dir, and makes dir (0700) and the database (0600)
// when they are not there. When another process has it open the error is a
// *store.HeldError.
func Open(dir string, opts Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create data directory %s: %w", dir, err)
	}
	if opts.Wait == 0 {
		opts.Wait = 200 * time.Millisecond
	}
	if opts.CheckpointBytes == 0 {
		opts.CheckpointBytes = 8 << 20
	}
	path := filepath.Join(dir, File)
	if err := checkNotOrphaned(dir); err != nil {
		return nil, err
	}
	db, unread, err := openFile(path, opts)
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, lockedError(dir)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, dir: dir, path: path, opts: opts}
	s.metaPages.open(path, db.Info().PageSize)
	if err := s.guard(s.replayLog); err != nil {
		return nil, errors.Join(err, s.closeDB())
	}
	if unread != nil {
		if err := s.audit(*unread); err != nil {
			return nil, errors.Join(err, s.closeDB())
		}
	}
	writeOwner(dir, opts.Now)
	removeTempBackups(dir)
	s.checkpointer = startCheckpointer(s)
	s.writer = store.NewWriter(backend{s})
	return s, nil
}

// replayLog reads what the log has and the database does not.
func (s *Store) replayLog() error {
	at, err := readMark(s.db)
	if err != nil {
		return err
	}
	if s.log, err = redo.Open(s.dir, at, redo.Options{NoSync: s.opts.NoSync}); err != nil {
		return err
	}
	g := &generation{parts: make(map[store.Partition]*store.Layer)}
	rows := make(map[store.Partition][]store.Row)
	g.number, err = s.log.Pending(func(payload []byte) error {
		g.bytes += int64(len(payload))
		return redo.Decode(payload, func(c store.Changes) { rows[c.Partition] = append(rows[c.Partition], c.Rows...) })
	})
	if err != nil || g.number == 0 {
		return err
	}
	for p, rows := range rows {
		g.parts[p] = g.parts[p].With(rows)
	}
	s.frozen = g
	return nil
}

// View runs fn on a snapshot. It must be short: see the package comment.
func (s *Store) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.guard(func() error {
		snap, err := s.snapshot()
		if err != nil {
			return err
		}
		defer snap.Close()
		r, err := snap.Reader(p)
		if err != nil {
			return err
		}
		return fn(r)
	})
}

func (s *Store) view(fn func(*bolt.Tx) error) error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return s.guard(func() error { return storeError(s.db.View(fn)) })
}

// Update runs fn among others and commits them together; see store.Writer.
func (s *Store) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return s.writer.Update(ctx, p, fn)
}

// Close finishes the updates that wait, moves the log to the database and
// closes the file. What a full disk has no room for stays in the log. A second
// Close does nothing.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.writer.Close()
		s.checkpointer.stop()
		s.closing.Store(true)
		s.auditing.Wait()
		s.closed = errors.Join(s.guard(s.closeLog), s.closeDB())
		removeOwner(s.dir)
	})
	return s.closed
}

// closeLog moves what is left and removes the log, if nothing is in the way.
func (s *Store) closeLog() error {
	if s.failed.Load() != nil {
		s.log.Close()
		return nil
	}
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	err := s.checkpointAll()
	if err == nil && s.log.HasChanges() {
		err = s.finish()
	}
	if err == nil {
		err = s.log.Remove()
	}
	s.log.Close()
	switch {
	case errors.Is(err, ErrFull):
		return nil
	case err == nil && !s.opts.NoSync && s.failed.Load() == nil:
		markClean(s.path)
	}
	return err
}

// finish commits once more, so that both meta pages count on all there is, with
// the list of free pages, so that it need not be made when the database is opened.
func (s *Store) finish() error {
	s.db.NoFreelistSync = false
	if err := diskFullError(s.db.Update(func(*bolt.Tx) error { return nil })); err != nil && !errors.Is(err, ErrFull) {
		return s.judge(err)
	}
	return nil
}

// closeDB closes the database, unless bbolt may wait for itself: then its map, and
// the lock with it, stay until the process ends.
func (s *Store) closeDB() error {
	s.metaPages.close()
	if s.faulted.Load() {
		return nil
	}
	return s.db.Close()
}

// storeError names bbolt's word for a closed database as the store does.
func storeError(err error) error {
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return store.ErrClosed
	}
	return err
}
