package ledger

import (
	"cmp"
	"fmt"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// rowBudget bounds the rows that one page looks at; what no index narrows is
// answered with a short page and a cursor.
const rowBudget = 2000

// A listing pages through a table, newest first.
type listing[T any] struct {
	table *store.Table[T]
	// index and prefix narrow the rows; the index sorts by prefix, then counter. "seq" where empty.
	index  string
	prefix []byte
	seq    func(*T) uint64
	id     func(*T) api.ID
	keep   func(*T) bool
	// prefilter, where there is one, tells by a row's key that it need not be read.
	prefilter func(key []byte) (bool, error)
	budget    int // of rows to look at; rowBudget where 0
}

// page answers up to limit rows after the cursor, which is the id of the last
// row looked at before.
func (l *listing[T]) page(rd *readTx, limit *int64, usual int64, cursor string) (rows []*T, next *string, err error) {
	if limit != nil {
		usual = *limit
	}
	if l.index == "" {
		l.index = "seq"
	}
	span := store.Prefix(l.prefix)
	if cursor != "" {
		last, err := l.at(rd, cursor)
		if err != nil {
			return nil, nil, err
		}
		id := l.id(last)
		span.To = join(l.prefix, seqKey(l.seq(last)), id[:])
	}
	looked, last, more := 0, api.ID{}, false
	budget := cmp.Or(l.budget, rowBudget)
	err = l.table.ScanKeys(rd.r, l.index, span.Reversed(), func(_, key []byte) error {
		if int64(len(rows)) == usual || looked == budget {
			more = true
			return store.ErrStop
		}
		looked++
		copy(last[:], key)
		if l.prefilter != nil {
			if may, err := l.prefilter(key); !may || err != nil {
				return err
			}
		}
		row, err := l.table.Get(rd.r, key)
		if err != nil {
			return err
		}
		if row == nil {
			return api.Internal(fmt.Errorf("index %s of %s points to row %x, which is missing", l.index, l.table.Name, key))
		}
		if l.keep == nil || l.keep(row) {
			rows = append(rows, row)
		}
		return nil
	})
	if err != nil || !more {
		return rows, nil, err
	}
	if int64(len(rows)) == usual {
		last = l.id(rows[usual-1])
	}
	text := last.String()
	return rows, &text, nil
}

// at is the row that a cursor names.
func (l *listing[T]) at(rd *readTx, cursor string) (*T, error) {
	id, err := uuid.Parse(cursor)
	if err != nil {
		return nil, badCursor(cursor)
	}
	row, err := l.table.Get(rd.r, id[:])
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, badCursor(cursor)
	}
	return row, nil
}

func badCursor(cursor string) error {
	return api.Fail(api.InvalidCursor, api.Details{"cursor": cursor},
		"Invalid cursor %q. Restart without a cursor.", cursor)
}
