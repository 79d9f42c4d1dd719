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

// useFew limits the listing to an index key that few rows share. Such an index is not
// sorted by age.
func (l *Listing[T]) useFew(index string, key []byte) { l.Index, l.Prefix, l.few = index, key, true }

// pageFew returns a page of the few rows under the index key, which it sorts.
func (l *Listing[T]) pageFew(tx *Tx, page api.Page) (rows []*T, next *string, err error) {
	err = l.Table.ScanIndex(tx.Reader, l.Index, store.Prefix(l.Prefix), func(row *T) error {
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
	return l.PageSorted(tx, rows, page)
}

// PageSorted returns a page of all the given rows, which are unsorted.
func (l *Listing[T]) PageSorted(tx *Tx, rows []*T, page api.Page) ([]*T, *string, error) {
	slices.SortFunc(rows, func(a, b *T) int { return l.compareNewest(b, a) })
	if page.Cursor != "" {
		last, err := l.at(tx, page.Cursor)
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(row *T) bool { return l.compareNewest(row, last) >= 0 })
	}
	limit := limitOf(page)
	if int64(len(rows)) <= limit {
		return rows, nil, nil
	}
	next := l.ID(rows[limit-1]).String()
	return rows[:limit], &next, nil
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
