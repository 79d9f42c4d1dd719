package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bincard/server"
	"bincard/server/ledger/audit"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/pgstore"
)

// isFormat reports whether a row has the format of a ledger. It is copied last, because
// earlier versions open no ledger without it.
func isFormat(p store.Partition, row store.Row) bool {
	return p == store.Partition{} && row.Table == "meta" && string(row.Key) == "format"
}

// The temporary copies of databases.
const (
	copyPrefix = "bincard-copy-"
	maxCopyAge = 24 * time.Hour
)

// removeOldCopies removes the copies of processes that were killed.
func removeOldCopies() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), copyPrefix+"*"))
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > maxCopyAge {
			_ = os.RemoveAll(dir)
		}
	}
}

// withCopy runs fn on a temporary copy of a database as of one point in time.
func withCopy(
	ctx context.Context,
	from *pgstore.Store,
	progress ProgressFunc,
	fn func(*boltstore.Store) error,
) (err error) {
	removeOldCopies()
	work, err := os.MkdirTemp("", copyPrefix)
	if err != nil {
		return fmt.Errorf("cannot create a directory for a copy: %w", err)
	}

	defer os.RemoveAll(work)
	st, err := boltstore.Open(work, boltstore.Options{NoSync: true})
	if err != nil {
		return err
	}

	defer st.Close()
	_, err = server.CopyStore(ctx, from, st, server.CopyOptions{
		From:      "a database",
		NoCompare: true,
		Progress:  func(n int64) { progress.Report(Copying, n, 0) },
	})
	if err != nil {
		return err
	}

	return fn(st)
}

// VerifyDatabase verifies the ledger in a database in this process, on a temporary copy: a
// verification reads single rows, each of which would ask the database.
func VerifyDatabase(
	ctx context.Context,
	st *pgstore.Store,
	now time.Time,
	progress ProgressFunc,
) (proof *audit.Result, err error) {
	err = withCopy(ctx, st, progress, func(copied *boltstore.Store) error {
		proof, err = audit.Verify(ctx, copied, now, func(done, of int64) { progress.Report(Verifying, done, of) })
		return err
	})
	return proof, err
}

// RestoreDatabase restores a backup into a database, which must be empty, or have an
// unfinished restore of the same file. Like Restore, it verifies the backup first and starts
// a new epoch.
func RestoreDatabase(ctx context.Context, file, url string, verifier Verifier, progress ProgressFunc) (err error) {
	name := "the backup " + filepath.Base(file)
	to, err := pgstore.Open(ctx, url, pgstore.Options{Create: true})
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, to.Close()) }()
	if _, err := server.CheckCopyTarget(ctx, to, name); err != nil {
		return err
	}

	work, err := verifyCopy(ctx, file, os.TempDir(), "bincard-restore-", verifier, progress)
	defer os.RemoveAll(work)
	if err == nil {
		err = beginEpoch(ctx, work)
	}
	if err != nil {
		return fmt.Errorf("cannot restore %s: %w", file, err)
	}

	from, err := boltstore.Open(work, boltstore.Options{})
	if err != nil {
		return err
	}

	defer from.Close()
	_, err = server.CopyStore(ctx, from, to,
		server.CopyOptions{From: name, Last: isFormat, Progress: func(n int64) { progress.Report(Copying, n, 0) }})

	return err
}
