package replicas

import (
	"context"
	"maps"

	"bincard/server/store"
)

// changes are the rows that changed between two revisions of a replica.
type changes struct {
	from, to string
	rows     RowSet
}

// since returns the rows that changed between a revision and now; false if
// that is not known.
func (c *changes) since(revision, now string) (RowSet, bool) {
	switch {
	case revision == "":
	case revision == now:
		return RowSet{}, true
	case c.from == revision && c.to == now:
		return c.rows, true
	}

	return nil, false
}

// add adds the rows that changed from one revision to the next.
func (c *changes) add(before, after string, rows RowSet) {
	if c.rows == nil || c.to != before {
		*c = changes{from: before, rows: RowSet{}}
	}
	maps.Copy(c.rows, rows)
	c.to = after
}

// A recordingStore records the rows that an update writes.
type recordingStore struct {
	store.Store
	rows RowSet
}

func (w *recordingStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return w.Store.Update(ctx, p, func(tx store.Tx) error {
		w.rows = RowSet{} // the store may retry the update
		return fn(&recordingTx{tx, w.rows})
	})
}

type recordingTx struct {
	store.Tx
	rows RowSet
}

func (n *recordingTx) Put(table string, key, value []byte) error {
	n.rows.Add(table, key)
	return n.Tx.Put(table, key, value)
}

func (n *recordingTx) Delete(table string, key []byte) error {
	n.rows.Add(table, key)
	return n.Tx.Delete(table, key)
}
