package boltstore

import (
	"hash/crc32"
	"io"
	"os"
	"time"
)

// A database that is still as it was closed need not be read before it is used,
// which takes seconds where it is large: it is read beside the work. Close signs
// it for that: the time of its last change, below the second, becomes a sum of
// its size and its meta pages. Whatever writes to the file changes that time,
// and a transaction that a loss of power leaves without it changes the sum.

// cleanSignature is the time below the second that a database has when it was closed
// and nothing has written to it since, in steps that every file system knows.
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

// isMarkedClean tells whether the database is as it was closed.
func isMarkedClean(file *os.File, m meta) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	want, err := cleanSignature(file, m, info.Size())
	return err == nil && info.ModTime().Sub(info.ModTime().Truncate(time.Second)) == want
}

// markClean signs the database. Where that fails it is read when it is opened.
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
	if below, err := cleanSignature(file, m, info.Size()); err == nil {
		_ = os.Chtimes(path, time.Time{}, info.ModTime().Truncate(time.Second).Add(below))
	}
}

// audit reads the pages of a database that was signed, as they were when it was
// opened, beside the work. Where one is wrong the store stops.
func (s *Store) audit(m meta) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	tx, err := s.begin(false) // so that no page of it is used again
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
