package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bincard/server/ledger/audit"
	"bincard/server/store/boltstore"
)

// A Verifier verifies the ledger in a directory. A damaged file can crash the
// process that reads it, so it should run another process. The error is a
// *DamageError if the ledger cannot be read, and any other if the verification
// failed.
type Verifier func(ctx context.Context, dir string, progress ProgressFunc) (*audit.Result, error)

// A DamageError is the damage that stopped a verification.
type DamageError struct{ Words string }

func (e *DamageError) Error() string { return e.Words }

// check requires that the ledger in a directory has no faults.
func (verifier Verifier) check(ctx context.Context, dir string, progress ProgressFunc) (*audit.Result, error) {
	proof, err := verifier(ctx, dir, progress)
	if err != nil {
		return nil, err
	}
	return proof, checkFaults(proof)
}

// checkFaults returns the first fault of a verification as an error.
func checkFaults(proof *audit.Result) error {
	if len(proof.Faults) > 0 {
		return &DamageError{fmt.Sprintf("it does not add up: %s", proof.Faults[0])}
	}
	return nil
}

const tempPrefix = "inspection-"

// RemoveTempCopies removes the copies of interrupted verifications from dir.
func RemoveTempCopies(dir string) {
	dirs, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, name := range dirs {
		_ = os.RemoveAll(name)
	}
}

// verifyCopy verifies a copy of a file in a new directory in parent, whose
// name begins with prefix. The caller removes the directory, even after an
// error.
func verifyCopy(
	ctx context.Context,
	file, parent, prefix string,
	verifier Verifier,
	progress ProgressFunc,
) (work string, err error) {
	if work, err = os.MkdirTemp(parent, prefix); err != nil {
		return "", fmt.Errorf("cannot create a directory in %s: %w", parent, err)
	}
	if err := copyFile(file, filepath.Join(work, boltstore.File)); err != nil {
		return work, fmt.Errorf("cannot read the backup: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return work, err
	}
	if _, err := verifier.check(ctx, work, progress); err != nil {
		return work, err
	}

	return work, nil
}

// IsDamage reports whether an error means that a ledger is damaged, rather
// than that its verification failed.
func IsDamage(err error) bool {
	var e *DamageError
	return errors.As(err, &e)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}

	defer in.Close()
	if info, err := in.Stat(); err != nil {
		return err
	} else if info.Size() == 0 {
		return fmt.Errorf("%s is empty", from)
	}

	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}

	_, err = io.Copy(out, in)

	return errors.Join(err, out.Sync(), out.Close())
}

// syncDir flushes the entries of a directory.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}

	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("cannot flush %s: %w", dir, err)
	}

	return nil
}
