package boltstore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"
)

const backupPattern = "backup-*.tmp"

// Backup writes a copy of the current database, which Open can open under the name
// File. It first makes a temporary copy next to the database, so that a slow w does not
// block the store; this needs as much free disk space as the database has.
func (s *Store) Backup(w io.Writer) error {
	return s.guard(func() error { return s.backup(w) })
}

func (s *Store) backup(w io.Writer) (err error) {
	copied, err := os.CreateTemp(s.dir, backupPattern)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}

	defer func() {
		err = errors.Join(err, copied.Close(), os.Remove(copied.Name()))
	}()
	tx, err := s.beginCheckpointed(false)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}

	_, err = tx.WriteTo(copied)
	if err = errors.Join(err, tx.Rollback()); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if _, err := io.Copy(w, copied); err != nil {
		return fmt.Errorf("backup: %w", err)
	}

	return nil
}

// beginCheckpointed moves everything committed so far to the database, then begins a
// transaction on it.
func (s *Store) beginCheckpointed(writable bool) (*bolt.Tx, error) {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	if err := s.checkpointAndRotate(); err != nil { // most of it, without blocking commits
		return nil, storeError(err)
	}
	if err := s.checkpointAll(); err != nil {
		return nil, storeError(err)
	}

	return s.begin(writable)
}

// removeTempBackups removes the files of interrupted backups.
func removeTempBackups(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, backupPattern))
	for _, name := range names {
		_ = os.Remove(name)
	}
}

// Check reads the whole database and returns an error for each invalid page. It blocks
// updates. Reading a file that was damaged from outside can crash the process, so after
// an unclean stop run Check in a separate process.
func (s *Store) Check() error { return s.guard(s.check) }

func (s *Store) check() error {
	tx, err := s.beginCheckpointed(true) // writable, because tx.Check must be the only writer
	if errors.Is(err, ErrFull) {
		tx, err = s.begin(true) // the log was verified when it was read
	}
	if err != nil {
		return err
	}

	defer s.end(tx)
	if err := s.readPages(); err != nil { // before bbolt trusts the pages
		return newDamageError(s.path, err)
	}

	var errs []error
	for err := range tx.Check() {
		if errs = append(errs, err); len(errs) == 20 {
			errs = append(errs, errors.New("more errors follow"))
			break
		}
	}

	if len(errs) > 0 {
		return newDamageError(s.path, errors.Join(errs...))
	}

	return nil
}

// readPages checks all pages. Nothing may be committed meanwhile.
func (s *Store) readPages() error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}

	defer file.Close()
	m, err := newestMeta(file)
	if err != nil {
		return err
	}

	return m.check(file, new(atomic.Bool))
}
