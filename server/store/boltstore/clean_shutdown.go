package boltstore

import (
	"hash/crc32"
	"io"
	"os"
	"time"
)

// A database that has not changed since it was closed need not be checked before use,
// which takes seconds if it is large; it is checked in the background. Close marks the
// file as clean: it sets the sub-second part of its modification time to a checksum of
// its size and meta pages. Any write changes that time, and a transaction whose time
// update is lost with the power changes the checksum.

// cleanSignature returns the sub-second modification time of a clean database, in steps
// that every file system supports.
func cleanSignature(file *os.File, m meta, size int64) (time.Duration, error) {
	sum := crc32.NewIEEE()
	for at := range int64(2) {
		if _, err := io.Copy(sum, io.NewSectionReader(file, at*m.pageSize, metaSize)); err != nil {
			return 0, err
		}
	}

	const step = 100 * time.Nanosecond
	return time.Duration(int64(sum.Sum32())^size) & (1<<32 - 1) % (time.Second / step) * step, nil
}

// isMarkedClean reports whether the database is unchanged since it was closed.
func isMarkedClean(file *os.File, m meta) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	want, err := cleanSignature(file, m, info.Size())
	return err == nil && info.ModTime().Sub(info.ModTime().Truncate(time.Second)) == want
}

// markClean marks the database as clean. If it fails, the next open checks the database.
func markClean(path string) {
	file, err := os.Open(path)
	if err != nil {
		return
	}

	defer file.Close()
	m, err := newestMeta(file)
	if err != nil {
		return
	}

	info, err := file.Stat()
	if err != nil {
		return
	}
	if subsecond, err := cleanSignature(file, m, info.Size()); err == nil {
		_ = os.Chtimes(path, time.Time{}, info.ModTime().Truncate(time.Second).Add(subsecond))
	}
}

// audit checks the pages of a clean database in the background, as they were when it was
// opened. If one is invalid the store stops.
func (s *Store) audit(m meta) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}

	tx, err := s.begin(false) // keeps its pages from being reused
	if err != nil {
		_ = file.Close()
		return err
	}

	s.auditing.Go(func() {
		defer file.Close()
		defer s.end(tx)
		if err := m.check(file, &s.closing); err != nil && !s.closing.Load() {
			err = &damageError{path: s.path, err: err, inUse: true}
			s.failed.CompareAndSwap(nil, &err)
		}
	})

	return nil
}
