package boltstore

import (
	"bytes"
	"errors"

	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
)

// A reader reads one partition in one bbolt transaction.
type reader struct {
	s      *Store
	tx     *bolt.Tx
	prefix []byte
	tables []opened
}

// opened is a table's bucket, or nil if it does not exist, with a cursor that all Gets share
// to avoid garbage.
type opened struct {
	name   string
	bucket *bolt.Bucket
	cursor *bolt.Cursor
}

func (r *reader) open(table string) opened {
	for i := range r.tables {
		if r.tables[i].name == table {
			return r.tables[i]
		}
	}

	o := opened{name: table, bucket: r.tx.Bucket(append(r.prefix[:len(r.prefix):len(r.prefix)], table...))}
	if o.bucket != nil {
		o.cursor = o.bucket.Cursor()
	}

	r.tables = append(r.tables, o)

	return o
}

func (r *reader) Get(table string, key []byte) (_ []byte, err error) {
	defer r.s.recoverFault(&err)
	o := r.open(table)
	if o.bucket == nil || len(key) == 0 {
		return nil, nil
	}

	k, v := o.cursor.Seek(key)
	if !bytes.Equal(k, key) {
		return nil, nil
	}

	return nonNil(v), nil
}

func (r *reader) Scan(table string, rng store.Range, fn func(key, value []byte) error) (err error) {
	defer r.s.recoverFault(&err)
	o := r.open(table)
	if o.bucket == nil {
		return nil
	}

	c := o.bucket.Cursor()
	first, next := forward(c, rng)
	if rng.Reverse {
		first, next = backward(c, rng)
	}

	for k, v := first(); k != nil && beforeEnd(k, rng); k, v = next() {
		if err := fn(k, nonNil(v)); err != nil {
			if errors.Is(err, store.ErrStop) {
				return nil
			}
			return err
		}
	}

	return nil
}

type step func() (key, value []byte)

func forward(c *bolt.Cursor, rng store.Range) (first, next step) {
	if rng.From == nil {
		return c.First, c.Next
	}
	return func() ([]byte, []byte) { return c.Seek(rng.From) }, c.Next
}

func backward(c *bolt.Cursor, rng store.Range) (first, next step) {
	if rng.To == nil {
		return c.Last, c.Prev
	}

	return func() ([]byte, []byte) {
		if k, _ := c.Seek(rng.To); k == nil {
			return c.Last()
		}
		return c.Prev()
	}, c.Prev
}

// beforeEnd reports whether the key is before the far end of the range.
func beforeEnd(key []byte, rng store.Range) bool {
	if rng.Reverse {
		return rng.From == nil || bytes.Compare(key, rng.From) >= 0
	}
	return rng.To == nil || bytes.Compare(key, rng.To) < 0
}

// nonNil returns an empty slice for nil, so that an empty value differs from no value.
func nonNil(v []byte) []byte {
	if v == nil {
		return []byte{}
	}
	return v
}
