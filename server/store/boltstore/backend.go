package boltstore

import (
	"bytes"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// backend opens the transactions that store.Writer fills.
type backend struct{ s *Store }

func (b backend) Begin() (store.Batch, error) {
	if err := b.s.failed.Load(); err != nil {
		return nil, *err
	}
	tx, err := b.s.db.Begin(true)
	if err != nil {
		return nil, closed(err)
	}
	return &batch{s: b.s, tx: tx}, nil
}

// A batch is a write transaction of bbolt, in which the updates read before
// anything is written to it.
type batch struct {
	s  *Store
	tx *bolt.Tx
}

func (b *batch) Reader(p store.Partition) (store.Reader, error) {
	prefix, err := encode(p)
	if err != nil {
		return nil, err
	}
	return &reader{tx: b.tx, prefix: prefix}, nil
}

func (b *batch) Rollback() { _ = b.tx.Rollback() }

func (b *batch) Commit(changes []store.Changes) error {
	defer b.Rollback() // does nothing after a commit
	for _, c := range changes {
		prefix, err := encode(c.Partition)
		if err != nil {
			return err
		}
		for rows := c.Rows; len(rows) > 0; {
			n := 1
			for n < len(rows) && rows[n].Table == rows[0].Table {
				n++
			}
			name := append(prefix[:len(prefix):len(prefix)], rows[0].Table...)
			if err := write(b.tx, name, rows[:n]); err != nil {
				return fmt.Errorf("table %s: %w", rows[0].Table, full(err))
			}
			rows = rows[n:]
		}
	}
	return b.flush()
}

// flush commits. When only the last step failed, the flush of the page that
// makes the transaction count, it shows in memory and may not be on disk. Then
// the store stops, and what it holds is known when it is opened again.
func (b *batch) flush() error {
	id := b.tx.ID()
	err := b.tx.Commit()
	if err == nil {
		return nil
	}
	shows := b.s.db.View(func(tx *bolt.Tx) error {
		if tx.ID() >= id {
			return err
		}
		return nil
	})
	if shows == nil {
		return full(err)
	}
	err = fmt.Errorf("%w: %w", store.ErrUncertain, full(shows))
	b.s.failed.Store(&err)
	return err
}

// write puts the rows of one table in its bucket.
func write(tx *bolt.Tx, name []byte, rows []store.Row) error {
	bucket, err := tx.CreateBucketIfNotExists(name)
	if err != nil {
		return err
	}
	if appends(bucket, rows) {
		bucket.FillPercent = 1
	}
	for _, row := range rows {
		if row.Value == nil {
			err = bucket.Delete(row.Key)
		} else {
			err = bucket.Put(row.Key, row.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// appends tells whether most rows come after all that are there. Pages of such
// a table are filled to the brim, because nothing will come between their keys.
func appends(b *bolt.Bucket, rows []store.Row) bool {
	last, _ := b.Cursor().Last()
	return last == nil || bytes.Compare(rows[len(rows)/2].Key, last) > 0
}
