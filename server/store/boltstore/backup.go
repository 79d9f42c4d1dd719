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

// Backup writes the database as it stands, a file that Open opens under the
// name of File. It makes a copy beside the database first, so that a slow
// reader of w holds nothing up; that takes as much space again for the while.
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

// beginCheckpointed begins a transaction of the database when all is in it that was
// committed before.
func (s *Store) beginCheckpointed(writable bool) (*bolt.Tx, error) {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	if err := s.checkpointAndRotate(); err != nil { // most of it, while commits go on
		return nil, storeError(err)
	}
	if err := s.checkpointAll(); err != nil {
		return nil, storeError(err)
	}
	return s.begin(writable)
}

// removeTempBackups removes what an interrupted Backup left.
func removeTempBackups(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, backupPattern))
	for _, name := range left {
		_ = os.Remove(name)
	}
}

// Check reads the whole file and returns an error for each page that is wrong.
// Updates wait meanwhile. On a file damaged from outside even reading can end
// the process, so after an unclean stop check in a process of its own.
func (s *Store) Check() error { return s.guard(s.check) }

func (s *Store) check() error {
	tx, err := s.beginCheckpointed(true) // a writer's, because the check wants no other one
	if errors.Is(err, ErrFull) {
		tx, err = s.begin(true) // what is in the log was proven when it was read
	}
	if err != nil {
		return err
	}
	defer s.end(tx)
	if err := s.readPages(); err != nil { // before bbolt follows what its pages say
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

// readPages reads all pages; nothing may be committed meanwhile.
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
