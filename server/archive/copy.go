package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bincard/server"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
	"bincard/server/store/boltstore"
	"bincard/server/store/pgstore"
)

// A Place is where a ledger is: in the data directory Dir, or in the database with the URL
// Database.
type Place struct {
	Dir, Database string
	// Name is shown to people, and recorded in unfinished copies.
	Name string
}

// A CopyResult describes a finished copy.
type CopyResult struct {
	Rows    int64 `json:"rows"`
	Bytes   int64 `json:"bytes"`
	Resumed bool  `json:"resumed"`
	// Proof is the result of the verification of the copy.
	Proof *audit.Result `json:"proof"`
}

// Copy copies a ledger that nobody writes to. The ledger is verified, and each row of the
// copy is compared with it. The target must be empty, or an unfinished copy of the same
// ledger, which is continued. All rows stay the same, so answers, replays, cursors and hashes
// do too. now is the time for the verification.
func Copy(
	ctx context.Context,
	from, to Place,
	now time.Time,
	verifier Verifier,
	progress ProgressFunc,
) (out CopyResult, err error) {
	target, err := to.open(true)
	if err != nil {
		return out, err
	}

	defer func() { err = errors.Join(err, target.Close()) }()
	if _, err := server.CheckCopyTarget(ctx, target, from.Name); err != nil {
		return out, err
	}
	if from.Dir != "" {
		if out.Proof, err = verifier.check(ctx, from.Dir, progress); err != nil {
			return out, fmt.Errorf("cannot copy %s: %w", from.Name, err)
		}
	}

	source, err := from.open(false)
	if err != nil {
		return out, err
	}

	defer source.Close()
	if err := server.CheckCopyFinished(ctx, source); err != nil {
		return out, err
	}
	if _, err := ledger.CheckFormat(ctx, source, ""); err != nil {
		return out, err
	}

	commits, err := commitsOf(ctx, source)
	if err != nil {
		return out, err
	}

	copied, err := server.CopyStore(ctx, source, target, server.CopyOptions{From: from.Name, Last: isFormat,
		Progress: func(n int64) { progress.Report(Copying, n, 0) },
		Verify: func() error {
			if n, err := commitsOf(ctx, source); err != nil {
				return err
			} else if n != commits {
				return fmt.Errorf(
					"%s was changed while it was copied. Stop every service on it, then repeat the command", from.Name)
			}

			if out.Proof == nil { // the copy has the same rows
				if out.Proof, err = verifyStore(ctx, target, now, progress); err != nil {
					return fmt.Errorf("cannot copy %s: %w", from.Name, err)
				}
			}

			return nil
		}})

	out.Rows, out.Bytes, out.Resumed = copied.Rows, copied.Bytes, copied.Resumed

	return out, err
}

// open opens the store there.
func (p *Place) open(create bool) (server.CopyTarget, error) {
	if p.Database != "" {
		return pgstore.Open(context.Background(), p.Database, pgstore.Options{Create: create})
	}
	return boltstore.Open(p.Dir, boltstore.Options{})
}

// commitsOf returns how often a store was changed, if other processes can change it.
func commitsOf(ctx context.Context, st server.CopyTarget) (int64, error) {
	if database, ok := st.(*pgstore.Store); ok {
		return database.Commits(ctx)
	}
	return 0, nil
}

// verifyStore verifies the ledger in a store in this process.
func verifyStore(
	ctx context.Context,
	st server.CopyTarget,
	now time.Time,
	progress ProgressFunc,
) (*audit.Result, error) {
	var proof *audit.Result
	var err error
	if database, ok := st.(*pgstore.Store); ok {
		proof, err = VerifyDatabase(ctx, database, now, progress)
	} else {
		proof, err = audit.Verify(ctx, st, now, func(done, of int64) { progress.Report(Verifying, done, of) })
	}

	if err == nil {
		err = checkFaults(proof)
	}

	return proof, err
}
