package ledger

import (
	"cmp"
	"fmt"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// rowBudget limits the rows that one page scans. Filters without an index may
// return a short page with a cursor.
const rowBudget = 2000

// A listing pages through a table, newest first.
type listing[T any] struct {
	table *store.Table[T]
	// index and prefix select the rows; the index sorts by prefix, then sequence number. Default "seq".
	index  string
	prefix []byte
	seq    func(*T) uint64
	id     func(*T) api.ID
	keep   func(*T) bool
	// prefilter, if set, reports by a row's key whether to read the row.
	prefilter func(key []byte) (bool, error)
	budget    int // rows to scan; rowBudget if 0
}

// page returns up to limit rows after the cursor, which is the id of the last row
// scanned before. usual is the default limit.
func (l *listing[T]) page(tx *readTx, limit *int64, usual int64, cursor string) (rows []*T, next *string, err error) {
	if limit != nil {
		usual = *limit
	}
	if l.index == "" {
		l.index = "seq"
	}
	span := store.Prefix(l.prefix)
	if cursor != "" {
		last, err := l.at(tx, cursor)
		if err != nil {
			return nil, nil, err
		}
		id := l.id(last)
		span.To = join(l.prefix, journal.SeqKey(l.seq(last)), id[:])
	}
	scanned, last, more := 0, api.ID{}, false
	budget := cmp.Or(l.budget, rowBudget)
	err = l.table.ScanKeys(tx.r, l.index, span.Reversed(), func(_, key []byte) error {
		if int64(len(rows)) == usual || scanned == budget {
			more = true
			return store.ErrStop
		}
		scanned++
		copy(last[:], key)
		if l.prefilter != nil {
			if may, err := l.prefilter(key); !may || err != nil {
				return err
			}
		}
		row, err := l.table.Get(tx.r, key)
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

// at returns the row that a cursor names.
func (l *listing[T]) at(tx *readTx, cursor string) (*T, error) {
	id, err := uuid.Parse(cursor)
	if err != nil {
		return nil, badCursor(cursor)
	}
	row, err := l.table.Get(tx.r, id[:])
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
