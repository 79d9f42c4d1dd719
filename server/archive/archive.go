// Package archive backs ledgers up and restores them. A backup is one file,
// consistent as of one instant, made while the ledger is in use or not. It is
// restored only after verification, and only into an empty directory.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bincard/server"
	"bincard/server/ledger/audit"
	"bincard/server/store/boltstore"
)

// partSuffix is the suffix of unfinished backups.
const partSuffix = ".part"

// WriteLive backs a live ledger up to a new file, like WriteStore.
func WriteLive(s *server.Server, name string) (size int64, err error) {
	ctx := context.Background()
	return WriteFile(ctx, name, func(w io.Writer) error { return Stream(ctx, s, w, nil) }, nil, nil)
}

// WriteStore backs the store up to a new file, which is created whole or not at
// all, and returns its size in bytes.
func WriteStore(st *boltstore.Store, name string) (size int64, err error) {
	return WriteFile(context.Background(), name, st.Backup, nil, nil)
}

// WriteFile creates a new file from what fill writes, a copy of a store, and
// returns its size in bytes. The file is created whole or not at all, and with
// a verifier only if it is verified.
func WriteFile(
	ctx context.Context,
	name string,
	fill func(io.Writer) error,
	verifier Verifier,
	progress ProgressFunc,
) (size int64, err error) {
	if _, err := os.Lstat(name); err == nil {
		return 0, existsError(name)
	}

	dir, hidden := filepath.Dir(name), "."+filepath.Base(name)
	f, err := os.CreateTemp(dir, hidden+"-*"+partSuffix)
	if err != nil {
		return 0, fmt.Errorf("cannot make the backup: %w", err)
	}

	defer os.Remove(f.Name())
	err = fill(f)
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err = errors.Join(err, f.Sync(), f.Close(), ctx.Err()); err != nil {
		return 0, fmt.Errorf("cannot make the backup: %w", err)
	}

	if verifier != nil {
		work, err := verifyCopy(ctx, f.Name(), dir, hidden+"-proof-", verifier, progress)
		defer os.RemoveAll(work)
		if err != nil {
			return 0, fmt.Errorf(
				"the backup failed verification and was removed: %w; copy the data directory, then run 'bincard verify'",
				err,
			)
		}
	}

	// Unlike a rename, a link does not replace a file created meanwhile.
	if err := os.Link(f.Name(), name); errors.Is(err, os.ErrExist) {
		return 0, existsError(name)
	} else if err != nil {
		if err := os.Rename(f.Name(), name); err != nil {
			return 0, fmt.Errorf("cannot put the backup in place: %w", err)
		}
	}

	return size, syncDir(dir)
}

// VerifyStore verifies a copy of a live store in a temporary directory in dir,
// so that writes wait only while it is copied.
func VerifyStore(
	ctx context.Context,
	st *boltstore.Store,
	dir string,
	verifier Verifier,
	progress ProgressFunc,
) (*audit.Result, error) {
	work, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot create a directory for the verification: %w", err)
	}

	defer os.RemoveAll(work)
	progress.Report(Copying, 0, 0)
	if _, err := WriteStore(st, filepath.Join(work, boltstore.File)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	return verifier(ctx, work, progress)
}

func existsError(name string) error {
	return fmt.Errorf("%s already exists; choose another file", name)
}

// Restore restores a backup into dir, which must be empty or not exist. It
// verifies the backup first, and starts a new epoch so that replicas are
// downloaded again.
func Restore(ctx context.Context, file, dir string, verifier Verifier, progress ProgressFunc) (err error) {
	if err := checkEmpty(dir); err != nil {
		return err
	}

	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return fmt.Errorf("cannot create %s: %w", parent, err)
	}

	work, err := verifyCopy(ctx, file, parent, ".restore-", verifier, progress)
	defer os.RemoveAll(work)
	if err != nil {
		return fmt.Errorf("cannot restore %s: %w", file, err)
	}
	if err := beginEpoch(ctx, work); err != nil {
		return fmt.Errorf("cannot restore %s: %w", file, err)
	}
	if err := checkEmpty(dir); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot put the ledger in place: %w", err)
	}
	if err := os.Rename(work, dir); err != nil {
		return fmt.Errorf("cannot put the ledger in place: %w", err)
	}

	return syncDir(parent)
}

// checkEmpty requires that a directory is empty.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", dir, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty (it holds %s); choose another directory, or move this one away", dir,
			entries[0].Name())
	}

	return nil
}

// beginEpoch starts a new epoch of the ledger in a directory.
func beginEpoch(ctx context.Context, dir string) error {
	s, err := server.Open(server.Config{Dir: dir})
	if err != nil {
		return err
	}
	return errors.Join(s.Ledger.NewEpoch(ctx), s.Close())
}
