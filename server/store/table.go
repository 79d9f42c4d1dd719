package store

import (
	"bytes"
	"fmt"
	"sync"
)

// A Table describes a table with rows of type T and its indexes. It has no rows itself: one
// Table, a package variable, serves all partitions and any number of goroutines. It must not
// be copied after use.
type Table[T any] struct {
	// Name is the table's name in the store. A table's indexes are the
	// tables Name + "." + Index.Name.
	Name string

	// Key returns the primary key of a row: 1 to MaxKey bytes.
	Key func(*T) []byte

	Codec   Codec[T]
	Indexes []Index[T]

	cache rowCache[T]
	once  sync.Once
	names []string // of the index tables
}

// An Index finds rows by keys other than the primary key. The key of an entry is an index
// key followed by the row's primary key, so index keys need not be unique. No index key may
// be a prefix of another in the same index: give them a fixed length, or a terminator.
type Index[T any] struct {
	Name string
	Keys func(*T) [][]byte
	// Fixed means that the index keys of a row never change. Put then skips the index
	// for existing rows.
	Fixed bool
}

// Get returns the row with the key, or nil. It decodes a new copy, which the caller may
// change.
func (t *Table[T]) Get(r Reader, key []byte) (*T, error) {
	data, err := r.Get(t.Name, key)
	if data == nil || err != nil {
		return nil, err
	}
	return t.decode(key, data)
}

// Shared returns the row with the key, or nil. The row is cached and shared, and must not be
// changed.
func (t *Table[T]) Shared(r Reader, key []byte) (*T, error) {
	data, err := r.Get(t.Name, key)
	if data == nil || err != nil {
		return nil, err
	}
	return t.shared(key, data)
}

func (t *Table[T]) shared(key, data []byte) (*T, error) {
	if row := t.cache.get(data); row != nil {
		return row, nil
	}
	row, err := t.decode(key, data)
	if err == nil {
		t.cache.put(data, row)
	}
	return row, err
}

func (t *Table[T]) decode(key, data []byte) (*T, error) {
	row := new(T)
	if err := t.Codec.Decode(data, row); err != nil {
		return nil, fmt.Errorf("store: cannot read row %x of table %s: %w", key, t.Name, err)
	}
	return row, nil
}

// Put writes the row, new or not, and updates the indexes. It writes only what changes.
func (t *Table[T]) Put(tx Tx, row *T) error {
	key := t.Key(row)
	if len(t.Indexes) == 0 {
		return t.write(tx, key, row, nil)
	}
	data, err := tx.Get(t.Name, key)
	if err != nil {
		return err
	}
	if data == nil {
		return t.insert(tx, key, row)
	}
	old, err := t.shared(key, data)
	if err != nil {
		return err
	}
	for i := range t.Indexes {
		if t.Indexes[i].Fixed {
			continue
		}
		if err := t.reindex(tx, i, key, t.Indexes[i].Keys(old), t.Indexes[i].Keys(row)); err != nil {
			return err
		}
	}
	return t.write(tx, key, row, data)
}

// Insert writes a row that must be new, so it saves reading the old one. Inserting over an
// existing row would leave stale index entries.
func (t *Table[T]) Insert(tx Tx, row *T) error {
	return t.insert(tx, t.Key(row), row)
}

func (t *Table[T]) insert(tx Tx, key []byte, row *T) error {
	for i := range t.Indexes {
		if err := t.reindex(tx, i, key, nil, t.Indexes[i].Keys(row)); err != nil {
			return err
		}
	}
	return t.write(tx, key, row, nil)
}

// Delete deletes the row and its index entries. Deleting a missing row is not an error.
func (t *Table[T]) Delete(tx Tx, key []byte) error {
	data, err := tx.Get(t.Name, key)
	if data == nil || err != nil {
		return err
	}
	if len(t.Indexes) > 0 {
		old, err := t.shared(key, data)
		if err != nil {
			return err
		}
		for i := range t.Indexes {
			if err := t.reindex(tx, i, key, t.Indexes[i].Keys(old), nil); err != nil {
				return err
			}
		}
	}
	return tx.Delete(t.Name, key)
}

// Scan calls fn with newly decoded rows of the range until fn returns an error; ErrStop ends
// the scan without an error.
func (t *Table[T]) Scan(r Reader, rng Range, fn func(*T) error) error {
	return r.Scan(t.Name, rng, func(key, data []byte) error {
		row, err := t.decode(key, data)
		if err != nil {
			return err
		}
		return fn(row)
	})
}

// write stores the row's encoding unless it equals old.
func (t *Table[T]) write(tx Tx, key []byte, row *T, old []byte) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := t.Codec.Append((*buf)[:0], row)
	if err != nil {
		return fmt.Errorf("store: cannot write row %x of table %s: %w", key, t.Name, err)
	}
	*buf = data
	if old != nil && bytes.Equal(old, data) {
		return nil
	}
	return tx.Put(t.Name, key, data)
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}
