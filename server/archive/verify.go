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

// Progress is the progress of a backup, restore or verification: Done of
// Total, in units of the stage. Total is 0 if unknown.
type Progress struct {
	Stage Stage `json:"stage"`
	Done  int64 `json:"done"`
	Total int64 `json:"of"`
}

// A Stage is a part of a task.
type Stage string

const (
	Waiting   Stage = "waiting"  // for another task to finish
	Copying   Stage = "copying"  // bytes
	Checking  Stage = "checking" // the pages of the file
	Verifying Stage = "proving"  // records
)

// A ProgressFunc receives progress. It may be nil.
type ProgressFunc func(Progress)

// Report calls f unless it is nil.
func (t ProgressFunc) Report(s Stage, done, of int64) {
	if t != nil {
		t(Progress{s, done, of})
	}
}

// A Verifier verifies the ledger in a directory. A damaged file can crash the
// process that reads it, so it should run another process. The error is a
// *DamageError if the ledger cannot be read, and any other if the verification
// failed.
type Verifier func(ctx context.Context, dir string, progress ProgressFunc) (*audit.Result, error)

// A DamageError is the damage that stopped a verification.
type DamageError struct{ Words string }

func (e *DamageError) Error() string { return e.Words }

// check requires that the ledger in a directory has no faults.
func (verifier Verifier) check(ctx context.Context, dir string, progress ProgressFunc) error {
	proof, err := verifier(ctx, dir, progress)
	if err != nil {
		return err
	}
	if len(proof.Faults) > 0 {
		return &DamageError{fmt.Sprintf("it does not add up: %s", proof.Faults[0])}
	}
	return nil
}

// VerifyStore verifies a copy of a live store in a temporary directory in dir,
// so that writes wait only while it is copied.
func VerifyStore(ctx context.Context, st *boltstore.Store, dir string, verifier Verifier, progress ProgressFunc) (*audit.Result, error) {
	work, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot create a directory for the verification: %w", err)
	}
	defer os.RemoveAll(work)
	progress.Report(Copying, 0, 0)
	if _, err := Write(st, filepath.Join(work, boltstore.File)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return verifier(ctx, work, progress)
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
func verifyCopy(ctx context.Context, file, parent, prefix string, verifier Verifier, progress ProgressFunc) (work string, err error) {
	if work, err = os.MkdirTemp(parent, prefix); err != nil {
		return "", fmt.Errorf("cannot create a directory in %s: %w", parent, err)
	}
	if err := copyFile(file, filepath.Join(work, boltstore.File)); err != nil {
		return work, fmt.Errorf("cannot read the backup: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return work, err
	}
	if err := verifier.check(ctx, work, progress); err != nil {
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

// Stream writes a backup of a live store, until ctx ends.
func Stream(ctx context.Context, st *boltstore.Store, w io.Writer, progress ProgressFunc) error {
	progress.Report(Copying, 0, 0)
	return st.Backup(&ProgressWriter{Context: ctx, To: w, Total: st.Size(), Progress: progress})
}

// A ProgressWriter reports the progress of writes, which fail when its context
// ends.
type ProgressWriter struct {
	Context  context.Context
	To       io.Writer
	Total    int64 // approximate; 0 if unknown
	Progress ProgressFunc
	done     int64
}

func (g *ProgressWriter) Write(p []byte) (int, error) {
	if err := g.Context.Err(); err != nil {
		return 0, err
	}
	n, err := g.To.Write(p)
	g.done += int64(n)
	g.Progress.Report(Copying, g.done, max(g.Total, g.done))
	return n, err
}
