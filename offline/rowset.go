package offline

import (
	"bytes"
	"context"
	"maps"

	"bincard/server/store"
)

// A rowset is rows that are not what they were, and all stretches that have one.
type rowset map[uint64]bool

func (s rowset) add(table string, key []byte) {
	s[rowOf(table, key)] = true
	s[number(2, table, nil)] = true
	if len(key) >= beginning {
		s[number(1, table, key[:beginning])] = true
	}
}

func (s rowset) meets(rows []uint64) bool {
	if len(s) == 0 {
		return false
	}
	for _, r := range rows {
		if s[r] {
			return true
		}
	}
	return false
}

// differ adds the rows that one of two lists has and the other has not so.
func (s rowset) differ(a, b []store.Row) {
	for len(a)+len(b) > 0 {
		c := 0
		switch {
		case len(a) == 0:
			c = 1
		case len(b) == 0:
			c = -1
		default:
			c = compareRows(a[0], b[0])
		}
		switch {
		case c < 0:
			s.add(a[0].Table, a[0].Key)
			a = a[1:]
		case c > 0:
			s.add(b[0].Table, b[0].Key)
			b = b[1:]
		default:
			if !bytes.Equal(a[0].Value, b[0].Value) || (a[0].Value == nil) != (b[0].Value == nil) {
				s.add(a[0].Table, a[0].Key)
			}
			a, b = a[1:], b[1:]
		}
	}
}

// news are the rows that changed in a base, from one stamp of it to another.
type news struct {
	from, to string
	rows     rowset
}

// since are the rows that changed since the stamp, up to now; false where that
// is not known.
func (n *news) since(stamp, now string) (rowset, bool) {
	switch {
	case stamp == "":
	case stamp == now:
		return rowset{}, true
	case n.from == stamp && n.to == now:
		return n.rows, true
	}
	return nil, false
}

// add takes what changed from one stamp to the next.
func (n *news) add(before, after string, rows rowset) {
	if n.rows == nil || n.to != before {
		*n = news{from: before, rows: rowset{}}
	}
	maps.Copy(n.rows, rows)
	n.to = after
}

// A watched store notes the rows that an update writes.
type watched struct {
	store.Store
	rows rowset
}

func (w *watched) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return w.Store.Update(ctx, p, func(tx store.Tx) error {
		w.rows = rowset{} // it may be run again
		return fn(&noted{tx, w.rows})
	})
}

type noted struct {
	store.Tx
	rows rowset
}

func (n *noted) Put(table string, key, value []byte) error {
	n.rows.add(table, key)
	return n.Tx.Put(table, key, value)
}

func (n *noted) Delete(table string, key []byte) error {
	n.rows.add(table, key)
	return n.Tx.Delete(table, key)
}
