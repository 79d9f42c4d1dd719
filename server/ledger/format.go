package ledger

import (
	"context"
	"encoding/binary"
	"fmt"

	"bincard/server/store"
)

// Format is of all rows together: it is raised whenever an earlier Bincard
// could not read what this one writes, or this one what an earlier one wrote.
const Format = 3

// unmarked is the format of data that does not say its own.
const unmarked = 1

var formatKey = []byte("format")

// A FormatError says that the data is of a format that this Bincard does not read.
type FormatError struct{ Format uint64 }

func (e *FormatError) Error() string {
	if e.Format > Format {
		return fmt.Sprintf("the data was written by a newer Bincard (format %d, this one reads format %d); nothing was changed in it: open it with that one, or a later one",
			e.Format, Format)
	}
	return fmt.Sprintf("the data was written by an earlier Bincard (format %d, this one reads format %d); nothing was changed in it: open it with that one, take the stock out with \"bincard export snapshot\", and bring it into a new data directory with \"bincard import\" of this one",
		e.Format, Format)
}

// CheckFormat holds that the rows are of the format that this Bincard reads,
// and marks data that is new. It is to be called before anything else is done
// with a store; the error is a *FormatError where the format is another one.
func CheckFormat(ctx context.Context, st store.Store) error {
	parts, err := st.Partitions(ctx)
	if err != nil {
		return failure(ctx, err)
	}
	is := uint64(unmarked)
	err = st.View(ctx, store.Partition{}, func(r store.Reader) error {
		data, err := r.Get(metaTable, formatKey)
		if err != nil || data == nil {
			return err
		}
		d := reader{data: data}
		is = d.uvarint()
		return d.err()
	})
	switch {
	case err != nil:
		return failure(ctx, err)
	case len(parts) == 0:
		return st.Update(ctx, store.Partition{}, func(tx store.Tx) error {
			return tx.Put(metaTable, formatKey, binary.AppendUvarint(nil, Format))
		})
	case is != Format:
		return &FormatError{is}
	}
	return nil
}
