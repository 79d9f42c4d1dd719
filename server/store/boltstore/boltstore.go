// Package boltstore stores partitions in a bbolt database behind a write-ahead log.
//
// A directory has ledger.db, a file that names the process that has it open and, while
// it is open, the log (see package wal). One process can open a directory at a time.
//
// A commit appends its rows to the log and flushes it once. The rows are then durable,
// and visible from memory: each partition has a layer with what is in the log but not in
// the database. A checkpoint moves the log to the database in the background, many
// commits at a time, because a commit to the database costs two flushes and a page for
// nearly every row.
//
// What is in memory is the active generation of the log. To checkpoint it, it is frozen
// and another one becomes active. A view reads the active layer, then the frozen one,
// then a transaction of the database, all taken under one lock so that they are of one
// point in time:
//
//   - Only a frozen generation is moved, and it stays in memory until all of it is on
//     disk. Meanwhile it is at least as new as the database, so a view may see it half
//     moved.
//   - No generation is frozen while a view begins, so the database never has rows that
//     are newer than the layers over it.
//
// Memory and log are bounded: commits wait while the active generation is full and the
// frozen one is not moved yet. Close moves everything and leaves only ledger.db. After a
// crash Open reads the log; its rows become the frozen generation.
//
// Each table of each partition is a bucket, created with its first row. Reads use bbolt
// read transactions and must be short, because a file that must grow waits for them.
package boltstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"bincard/server/store"
	"bincard/server/store/wal"
)

var _ store.Store = (*Store)(nil)

// Open opens the store in dir, creating dir (0700) and the database (0600) if needed. If
// another process has it open the error is a *store.LockedError.
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
	s.checkpointer = startCheckpointer(func() error { return s.guard(s.checkpoint) })
	if s.frozen != nil {
		s.checkpointer.wake()
	}

	s.writer = store.NewWriter(backend{s})

	return s, nil
}

// replayLog reads the log records that are not in the database yet.
func (s *Store) replayLog() error {
	at, err := readMark(s.db)
	if err != nil {
		return err
	}

	s.log, err = wal.Open(s.dir, at, wal.Options{NoSync: s.opts.NoSync})
	if err != nil {
		return err
	}

	g := &generation{parts: make(map[store.Partition]*store.Layer)}
	rows := make(map[store.Partition][]store.Row)
	g.number, err = s.log.Pending(func(payload []byte) error {
		g.bytes += int64(len(payload))
		return wal.Decode(payload, func(c store.Changes) { rows[c.Partition] = append(rows[c.Partition], c.Rows...) })
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

// Update runs fn and commits it together with others; see store.Writer.
func (s *Store) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return s.writer.Update(ctx, p, fn)
}

// Close finishes waiting updates, moves the log to the database and closes it. If the
// disk is full the rest stays in the log. A second Close does nothing.
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

// closeLog moves the log to the database and removes it, if possible.
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

// finish commits once more, so that both meta pages are current, and saves the free list
// so that the next open need not rebuild it.
func (s *Store) finish() error {
	s.db.NoFreelistSync = false
	if err := diskFullError(s.db.Update(func(*bolt.Tx) error { return nil })); err != nil && !errors.Is(err, ErrFull) {
		return s.stopIfUncertain(err)
	}
	return nil
}

// closeDB closes the database, unless bbolt may deadlock; then its mapping and lock stay
// until the process ends.
func (s *Store) closeDB() error {
	s.metaPages.close()
	if s.faulted.Load() {
		return nil
	}
	return s.db.Close()
}
