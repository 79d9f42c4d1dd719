package boltstore

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

const backupPattern = "backup-*.tmp"

// Backup writes the database as it stands, a file that Open opens under the
// name of File. It makes a copy beside the database first, so that a slow
// reader of w holds nothing up; that takes as much space again for the while.
func (s *Store) Backup(w io.Writer) (err error) {
	copied, err := os.CreateTemp(s.dir, backupPattern)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer func() {
		err = errors.Join(err, copied.Close(), os.Remove(copied.Name()))
	}()
	err = s.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(copied)
		return err
	})
	if err != nil {
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

// sweep removes what an interrupted Backup left.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, backupPattern))
	for _, name := range left {
		_ = os.Remove(name)
	}
}

// Check reads the whole file and returns an error for each page that is wrong.
// Updates wait meanwhile. On a file damaged from outside even reading can end
// the process, so after an unclean stop check in a process of its own.
func (s *Store) Check() error {
	tx, err := s.db.Begin(true) // a writer's, because the check wants no other one
	if err != nil {
		return closed(err)
	}
	defer func() { _ = tx.Rollback() }()
	var errs []error
	for err := range tx.Check() {
		if errs = append(errs, err); len(errs) == 20 {
			errs = append(errs, errors.New("and more"))
			break
		}
	}
	if len(errs) > 0 {
		return damaged(s.db.Path(), errors.Join(errs...))
	}
	return nil
}
