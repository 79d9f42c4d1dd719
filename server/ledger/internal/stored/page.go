package stored

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/text/cases"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// RowBudget limits the rows that one page scans. Filters without an index may
// return a short page with a cursor.
const RowBudget = 2000

// A Listing pages through a table, newest first.
type Listing[T any] struct {
	Table *store.Table[T]
	// index and prefix select the rows; the index sorts by prefix, then sequence number. Default "seq".
	Index  string
	Prefix []byte
	Seq    func(*T) uint64
	ID     func(*T) api.ID
	Keep   func(*T) bool
	// prefilter, if set, reports by a row's key whether to read the row.
	Prefilter func(key []byte) (bool, error)
	Order     func(a, b *T) int // of PageSorted; newest first if nil
	Budget    int               // rows to scan; RowBudget if 0
	few       [][]byte          // set by useFew
}

// Page returns the rows of a page and the cursor of the next one: the id of the last row
// scanned.
func (l *Listing[T]) Page(tx *Tx, page api.Page) (rows []*T, next *string, err error) {
	if l.few != nil {
		return l.pageFew(tx, page)
	}

	limit := limitOf(page)
	if l.Index == "" {
		l.Index = "seq"
	}

	span := store.Prefix(l.Prefix)
	if page.Cursor != "" {
		last, err := l.at(tx, page.Cursor)
		if err != nil {
			return nil, nil, err
		}
		id := l.ID(last)
		span.To = Join(l.Prefix, journal.SeqKey(l.Seq(last)), id[:])
	}

	scanned, last, more := 0, api.NoID, false
	budget := cmp.Or(l.Budget, RowBudget)
	err = l.Table.ScanKeys(tx.Reader, l.Index, span.Reversed(), func(_, key []byte) error {
		if int64(len(rows)) == limit || scanned == budget {
			more = true
			return store.ErrStop
		}

		scanned++
		copy(last[:], key)
		if l.Prefilter != nil {
			if may, err := l.Prefilter(key); !may || err != nil {
				return err
			}
		}

		row, err := l.Table.Get(tx.Reader, key)
		if err != nil {
			return err
		}
		if row == nil {
			return api.Internal(
				fmt.Errorf("index %s of %s points to row %x, which is missing", l.Index, l.Table.Name, key))
		}
		if l.Keep == nil || l.Keep(row) {
			rows = append(rows, row)
		}

		return nil
	})
	if err != nil || !more {
		return rows, nil, err
	}
	if int64(len(rows)) == limit {
		last = l.ID(rows[limit-1])
	}

	text := last.String()

	return rows, &text, nil
}

// limitOf returns the limit of a page, 25 by default.
func limitOf(page api.Page) int64 {
	if page.Limit != nil {
		return *page.Limit
	}
	return 25
}

// ListOf returns a page of rows as show renders them.
func ListOf[T, O any](rows []*T, next *string, err error, show func(*T) *O) (*api.List[O], error) {
	if err != nil {
		return nil, err
	}
	out := &api.List[O]{Items: make([]O, len(rows)), NextCursor: next}
	for i, row := range rows {
		out.Items[i] = *show(row)
	}
	return out, nil
}

// at returns the row that a cursor names.
func (l *Listing[T]) at(tx *Tx, cursor string) (*T, error) {
	id, err := uuid.Parse(cursor)
	if err != nil {
		return nil, BadCursor(cursor)
	}

	row, err := l.Table.Get(tx.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, BadCursor(cursor)
	}

	return row, nil
}

// BadCursor is the error for a cursor that no page returned.
func BadCursor(cursor string) error {
	return api.Fail(api.InvalidCursor, api.Details{"cursor": cursor},
		"Invalid cursor %q. Restart without a cursor.", cursor)
}

// FindOne returns the row with one of the keys of a unique index, or nil.
func FindOne[T any](r store.Reader, t *store.Table[T], index string, keys [][]byte) (found *T, err error) {
	err = ScanKeys(r, t, index, keys, func(row *T) error {
		found = row
		return store.ErrStop
	})
	return found, err
}

// ScanKeys calls fn with the rows under the keys of an index, until fn returns an error.
// It returns that error unless it is store.ErrStop.
func ScanKeys[T any](r store.Reader, t *store.Table[T], index string, keys [][]byte, fn func(*T) error) error {
	var stop error
	for i := 0; i < len(keys) && stop == nil; i++ {
		err := t.ScanIndex(r, index, store.Prefix(keys[i]), func(row *T) error {
			stop = fn(row)
			return stop
		})
		if err != nil {
			return err
		}
	}

	return nil
}

// useFew limits the listing to index keys that few rows share. Such an index is not
// sorted by age.
func (l *Listing[T]) useFew(index string, keys [][]byte) { l.Index, l.few = index, keys }

// pageFew returns a page of the few rows under the index keys, which it sorts.
func (l *Listing[T]) pageFew(tx *Tx, page api.Page) (rows []*T, next *string, err error) {
	err = ScanKeys(tx.Reader, l.Table, l.Index, l.few, func(row *T) error {
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
	order := l.Order
	if order == nil {
		order = func(a, b *T) int { return l.compareNewest(b, a) }
	}

	slices.SortFunc(rows, order)
	if page.Cursor != "" {
		last, err := l.at(tx, page.Cursor)
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(row *T) bool { return order(row, last) <= 0 })
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

// sameName reports whether two names are equal except for case and spelling.
func sameName(a, b string) bool {
	return string(FoldName(api.CleanCode(a))) == string(FoldName(api.CleanCode(b)))
}

// useIndex makes the listing use an index if id is set.
func (l *Listing[T]) useIndex(index string, id api.ID) {
	if id != api.NoID {
		l.Index, l.Prefix = index, id[:]
	}
}

// A textFilter matches texts that contain a query, whatever their case. An empty query
// matches all.
type textFilter struct {
	fold  cases.Caser
	query string
}

func newTextFilter(query string) *textFilter {
	fold := cases.Fold()
	return &textFilter{fold, fold.String(strings.TrimSpace(query))}
}

// in reports whether one of texts contains the query.
func (f *textFilter) in(texts ...string) bool {
	return f.query == "" ||
		slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(f.fold.String(t), f.query) })
}

// inDocument reports whether the start of a document's ID, one of its references or
// another of its texts matches.
func (f *textFilter) inDocument(id api.ID, doc api.StockDocument, texts ...string) bool {
	return f.query == "" || strings.HasPrefix(id.String(), f.query) || f.in(append(doc.References(), texts...)...)
}
