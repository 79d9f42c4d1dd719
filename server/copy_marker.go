package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"bincard/server/store"
	"bincard/server/store/wire"
)

// copyTable has the progress of a copy, in the target's partitions.
const copyTable = "copy"

var (
	fromKey     = []byte("from")     // in the system's partition, until the copy is complete
	progressKey = []byte("progress") // in each partition
)

// An UnfinishedCopyError means that a store is an unfinished copy.
type UnfinishedCopyError struct{ From string }

func (e *UnfinishedCopyError) Error() string {
	return fmt.Sprintf("this is an unfinished copy of %s. Repeat the command that copied it", e.From)
}

// CheckCopyFinished returns an *UnfinishedCopyError if a store is an unfinished copy.
func CheckCopyFinished(ctx context.Context, st store.Store) error {
	return st.View(ctx, store.Partition{}, func(r store.Reader) error {
		from, err := r.Get(copyTable, fromKey)
		if err == nil && from != nil {
			err = &UnfinishedCopyError{string(from)}
		}
		return err
	})
}

// ErrTargetNotEmpty means that the target of a copy has rows already.
var ErrTargetNotEmpty = errors.New(
	"the target has a ledger already; nothing was changed. Choose an empty directory or database")

// CheckCopyTarget returns ErrTargetNotEmpty, or an *UnfinishedCopyError of another copy, unless a store is
// empty or an unfinished copy of from. resumed says which.
func CheckCopyTarget(ctx context.Context, st store.Store, from string) (resumed bool, err error) {
	var unfinished *UnfinishedCopyError
	err = CheckCopyFinished(ctx, st)
	if errors.As(err, &unfinished) && unfinished.From == from {
		return true, nil
	}
	if err != nil {
		return false, err
	}

	parts, err := st.Partitions(ctx)
	if err == nil && len(parts) > 0 {
		err = ErrTargetNotEmpty
	}

	return false, err
}

// A copyProgress says how much of a partition is copied: the number of rows, and their digest.
type copyProgress struct {
	rows   int64
	digest []byte
}

func (p *copyProgress) fields(f *wire.Fields) {
	f.Int(1, &p.rows)
	f.Bytes(2, &p.digest)
}

// row returns the row that records the progress.
func (p *copyProgress) row() store.Row {
	var f wire.Fields
	p.fields(&f)
	return store.Row{Table: copyTable, Key: progressKey, Value: f.Append([]byte{}, nil)}
}

// readProgress returns the progress of a partition; zero if it was not begun.
func readProgress(ctx context.Context, st store.Store, p store.Partition) (out copyProgress, err error) {
	err = st.View(ctx, p, func(r store.Reader) error {
		data, err := r.Get(copyTable, progressKey)
		if err != nil || data == nil {
			return err
		}
		f := wire.Read(append([]byte(nil), data...))
		out.fields(&f)
		_, err = f.Unknown()
		return err
	})

	if len(out.digest) != sha256.Size {
		out = copyProgress{}
	}

	return out, err
}
