package offline

import (
	"bytes"
	"context"
	"maps"

	"bincard/server/store"
)

// A rowSet is a set of changed rows, and of the tracked ranges that contain
// one.
type rowSet map[uint64]bool

func (s rowSet) add(table string, key []byte) {
	s[rowHash(table, key)] = true
	s[fnvHash(2, table, nil)] = true
	if len(key) >= prefixLen {
		s[fnvHash(1, table, key[:prefixLen])] = true
	}
}

func (s rowSet) overlaps(rows []uint64) bool {
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

// addDiff adds the rows in which two sorted lists differ.
func (s rowSet) addDiff(a, b []store.Row) {
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

// rowChanges are the rows that changed between two revisions of a replica.
type rowChanges struct {
	from, to string
	rows     rowSet
}

// since returns the rows that changed between a revision and now; false if
// that is not known.
func (n *rowChanges) since(revision, now string) (rowSet, bool) {
	switch {
	case revision == "":
	case revision == now:
		return rowSet{}, true
	case n.from == revision && n.to == now:
		return n.rows, true
	}
	return nil, false
}

// add adds the rows that changed from one revision to the next.
func (n *rowChanges) add(before, after string, rows rowSet) {
	if n.rows == nil || n.to != before {
		*n = rowChanges{from: before, rows: rowSet{}}
	}
	maps.Copy(n.rows, rows)
	n.to = after
}

// A recordingStore records the rows that an update writes.
type recordingStore struct {
	store.Store
	rows rowSet
}

func (w *recordingStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return w.Store.Update(ctx, p, func(tx store.Tx) error {
		w.rows = rowSet{} // the store may retry the update
		return fn(&recordingTx{tx, w.rows})
	})
}

type recordingTx struct {
	store.Tx
	rows rowSet
}

func (n *recordingTx) Put(table string, key, value []byte) error {
	n.rows.add(table, key)
	return n.Tx.Put(table, key, value)
}

func (n *recordingTx) Delete(table string, key []byte) error {
	n.rows.add(table, key)
	return n.Tx.Delete(table, key)
}
