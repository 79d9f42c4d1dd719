package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bincard/server/ledger"
	"bincard/server/store/boltstore"
)

// Progress is how far a long matter is: done of all, in what the stage counts
// in. All is 0 where it is not known.
type Progress struct {
	Stage Stage `json:"stage"`
	Done  int64 `json:"done"`
	Total int64 `json:"of"`
}

// A Stage is a part of a long matter.
type Stage string

const (
	Waiting   Stage = "waiting"  // for another matter of this kind to end
	Copying   Stage = "copying"  // bytes
	Checking  Stage = "checking" // the pages of the file
	Verifying Stage = "proving"  // records
)

// ProgressFunc hears how far a matter is. It may be nil where nobody listens.
type ProgressFunc func(Progress)

// Report says it to who listens.
func (t ProgressFunc) Report(s Stage, done, of int64) {
	if t != nil {
		t(Progress{s, done, of})
	}
}

// A Verifier re-counts the ledger in a directory. A damaged file can end the
// process that reads it, so it had better be another one. The error is an
// *Unsound where the ledger cannot even be read through, and any other where
// the proof could not be done.
type Verifier func(ctx context.Context, dir string, told ProgressFunc) (*ledger.VerifyResult, error)

// A DamageError error is what a proof found that did not get to its end.
type DamageError struct{ Words string }

func (e *DamageError) Error() string { return e.Words }

// check holds that a directory's ledger adds up.
func (prove Verifier) check(ctx context.Context, dir string, told ProgressFunc) error {
	proof, err := prove(ctx, dir, told)
	if err != nil {
		return err
	}
	if len(proof.Faults) > 0 {
		return &DamageError{fmt.Sprintf("it does not add up: %s", proof.Faults[0])}
	}
	return nil
}

// VerifyStore proves a live store: a copy of it, in a directory that is made in
// dir for the while, so that writes wait for nothing but the copying.
func VerifyStore(ctx context.Context, st *boltstore.Store, dir string, prove Verifier, told ProgressFunc) (*ledger.VerifyResult, error) {
	work, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot create a directory for the verification: %w", err)
	}
	defer os.RemoveAll(work)
	told.Report(Copying, 0, 0)
	if _, err := Write(st, filepath.Join(work, boltstore.File)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return prove(ctx, work, told)
}

const tempPrefix = "inspection-"

// RemoveTempCopies removes what interrupted inspections left in dir.
func RemoveTempCopies(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, name := range left {
		_ = os.RemoveAll(name)
	}
}

// verifyCopy proves a file, by a copy of it in a new directory in parent, whose
// name begins with prefix. Who asks removes the directory, also after an error.
func verifyCopy(ctx context.Context, file, parent, prefix string, prove Verifier, told ProgressFunc) (work string, err error) {
	if work, err = os.MkdirTemp(parent, prefix); err != nil {
		return "", fmt.Errorf("cannot create a directory in %s: %w", parent, err)
	}
	if err := copyFile(file, filepath.Join(work, boltstore.File)); err != nil {
		return work, fmt.Errorf("cannot read the backup: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return work, err
	}
	if err := prove.check(ctx, work, told); err != nil {
		return work, err
	}
	return work, nil
}

// IsDamage tells whether an error says that a ledger is damaged, and not that
// something kept it from being proven.
func IsDamage(err error) bool {
	var e *DamageError
	return errors.As(err, &e)
}

// Stream writes a copy of a live store, until ctx ends.
func Stream(ctx context.Context, st *boltstore.Store, w io.Writer, told ProgressFunc) error {
	told.Report(Copying, 0, 0)
	return st.Backup(&ProgressWriter{Context: ctx, To: w, Total: st.Size(), Progress: told})
}

// A ProgressWriter passes on what is written until its context ends, and tells how much.
type ProgressWriter struct {
	Context  context.Context
	To       io.Writer
	Total    int64 // how much there will be, about; 0 where that is not known
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
