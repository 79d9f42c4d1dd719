package stored

import (
	"bytes"
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// FindOne returns the row with a unique index key, or nil.
func FindOne[T any](r store.Reader, t *store.Table[T], index string, key []byte) (found *T, err error) {
	err = t.ScanIndex(r, index, store.Prefix(key), func(row *T) error {
		found = row
		return store.ErrStop
	})
	return found, err
}

// pageOne returns the page of a list that a unique key limits to one row.
func (l *Listing[T]) pageOne(tx *Tx, cursor, index string, key []byte) ([]*T, error) {
	if cursor != "" {
		_, err := l.at(tx, cursor)
		return nil, err
	}
	row, err := FindOne(tx.Reader, l.Table, index, key)
	if row == nil || err != nil || l.Keep != nil && !l.Keep(row) {
		return nil, err
	}
	return []*T{row}, nil
}

// pageFew returns a page of the rows under an index key that few rows share. It
// sorts them, because the index is not sorted by age.
func (l *Listing[T]) pageFew(tx *Tx, limit *int64, cursor, index string, key []byte) (rows []*T, next *string, err error) {
	size := int64(25)
	if limit != nil {
		size = *limit
	}
	err = l.Table.ScanIndex(tx.Reader, index, store.Prefix(key), func(row *T) error {
		if l.Keep == nil || l.Keep(row) {
			rows = append(rows, row)
		}
		if len(rows) == RowBudget {
			return store.ErrStop
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return l.PageSorted(tx, rows, size, cursor)
}

// PageSorted returns a page of all the given rows, which are unsorted.
func (l *Listing[T]) PageSorted(tx *Tx, rows []*T, size int64, cursor string) ([]*T, *string, error) {
	var next *string
	slices.SortFunc(rows, func(a, b *T) int { return l.compareNewest(b, a) })
	if cursor != "" {
		last, err := l.at(tx, cursor)
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(row *T) bool { return l.compareNewest(row, last) >= 0 })
	}
	if int64(len(rows)) > size {
		rows = rows[:size]
		text := l.ID(rows[size-1]).String()
		next = &text
	}
	return rows, next, nil
}

// compareNewest orders rows like the lists: by sequence number, then by id.
func (l *Listing[T]) compareNewest(a, b *T) int {
	x, y := l.ID(a), l.ID(b)
	return cmp.Or(cmp.Compare(l.Seq(a), l.Seq(b)), bytes.Compare(x[:], y[:]))
}

// sameName reports whether two names are equal except for case.
func sameName(a, b string) bool { return string(FoldName(a)) == string(FoldName(b)) }

// useIndex makes the listing use an index if id is set.
func (l *Listing[T]) useIndex(index string, id api.ID) {
	if id != (api.ID{}) {
		l.Index, l.Prefix = index, id[:]
	}
}
