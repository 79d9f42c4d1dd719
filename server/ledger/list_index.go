package ledger

import (
	"bytes"
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// findOne is the row under an index key that at most one row has, or nil.
func findOne[T any](r store.Reader, t *store.Table[T], index string, key []byte) (found *T, err error) {
	err = t.ScanIndex(r, index, store.Prefix(key), func(row *T) error {
		found = row
		return store.ErrStop
	})
	return found, err
}

// pageOne is the page of a list that a unique key narrows to one row at most;
// nothing follows it.
func (l *listing[T]) pageOne(rd *readTx, cursor, index string, key []byte) ([]*T, error) {
	if cursor != "" {
		_, err := l.at(rd, cursor)
		return nil, err
	}
	row, err := findOne(rd.r, l.table, index, key)
	if row == nil || err != nil || l.keep != nil && !l.keep(row) {
		return nil, err
	}
	return []*T{row}, nil
}

// pageFew answers a page of the rows under an index key that only a few rows have:
// they are sorted here, since the index does not sort them.
func (l *listing[T]) pageFew(rd *readTx, limit *int64, cursor, index string, key []byte) (rows []*T, next *string, err error) {
	usual := int64(25)
	if limit != nil {
		usual = *limit
	}
	err = l.table.ScanIndex(rd.r, index, store.Prefix(key), func(row *T) error {
		if l.keep == nil || l.keep(row) {
			rows = append(rows, row)
		}
		if len(rows) == rowBudget {
			return store.ErrStop
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return l.pageSorted(rd, rows, usual, cursor)
}

// pageSorted answers a page of all the rows there are, in no order.
func (l *listing[T]) pageSorted(rd *readTx, rows []*T, usual int64, cursor string) ([]*T, *string, error) {
	var next *string
	slices.SortFunc(rows, func(a, b *T) int { return l.compareNewest(b, a) })
	if cursor != "" {
		last, err := l.at(rd, cursor)
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(row *T) bool { return l.compareNewest(row, last) >= 0 })
	}
	if int64(len(rows)) > usual {
		rows = rows[:usual]
		text := l.id(rows[usual-1]).String()
		next = &text
	}
	return rows, next, nil
}

// compareNewest orders rows as the lists do, by the counter and then by id.
func (l *listing[T]) compareNewest(a, b *T) int {
	x, y := l.id(a), l.id(b)
	return cmp.Or(cmp.Compare(l.seq(a), l.seq(b)), bytes.Compare(x[:], y[:]))
}

// sameName tells whether two names are one, as people write them.
func sameName(a, b string) bool { return string(foldName(a)) == string(foldName(b)) }

// useIndex makes the listing follow an index of the id, where one is given.
func (l *listing[T]) useIndex(index string, id api.ID) {
	if id != (api.ID{}) {
		l.index, l.prefix = index, id[:]
	}
}
