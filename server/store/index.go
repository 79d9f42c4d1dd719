package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ScanIndex calls fn with newly decoded rows in the order of the index. The range applies
// to entry keys, which are the index key followed by the primary key, so a page can
// continue exactly after the last row.
func (t *Table[T]) ScanIndex(r Reader, index string, rng Range, fn func(*T) error) error {
	return t.ScanKeys(r, index, rng, func(_, primary []byte) error {
		row, err := t.Get(r, primary)
		if err != nil {
			return err
		}
		if row == nil {
			return fmt.Errorf("store: index %s of table %s points to row %x, which is missing", index, t.Name, primary)
		}
		return fn(row)
	})
}

// ScanKeys calls fn with only the keys of the entries: the index key without the primary
// key, and the primary key.
func (t *Table[T]) ScanKeys(r Reader, index string, rng Range, fn func(indexKey, primary []byte) error) error {
	name, err := t.index(index)
	if err != nil {
		return err
	}
	return r.Scan(name, rng, func(key, value []byte) error {
		n, err := splitEntry(key, value)
		if err != nil {
			return fmt.Errorf("store: entry %x of index %s of table %s: %w", key, index, t.Name, err)
		}
		return fn(key[:n:n], key[n:])
	})
}

var errEntry = errors.New("invalid length of the primary key")

// splitEntry returns where the primary key starts in the key of an index entry. The value
// of an entry is the length of the primary key.
func splitEntry(key, value []byte) (int, error) {
	n, size := binary.Uvarint(value)
	if size != len(value) || size <= 0 || n == 0 || n > uint64(len(key)) {
		return 0, errEntry
	}
	return len(key) - int(n), nil
}

// Primary returns the primary key in an index entry, for callers that scan the index's
// table themselves.
func Primary(key, value []byte) ([]byte, error) {
	n, err := splitEntry(key, value)
	if err != nil {
		return nil, err
	}
	return key[n:], nil
}

// reindex updates the entries of a row from the old to the new index keys, writing only
// the differences.
func (t *Table[T]) reindex(tx Tx, i int, primary []byte, old, current [][]byte) error {
	name := t.indexNames()[i]
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for _, key := range old {
		if containsKey(current, key) {
			continue
		}
		*buf = append(append((*buf)[:0], key...), primary...)
		if err := tx.Delete(name, *buf); err != nil {
			return err
		}
	}
	for _, key := range current {
		if containsKey(old, key) {
			continue
		}
		*buf = append(append((*buf)[:0], key...), primary...)
		n := len(*buf)
		*buf = binary.AppendUvarint(*buf, uint64(len(primary)))
		if err := tx.Put(name, (*buf)[:n], (*buf)[n:]); err != nil {
			return err
		}
	}
	return nil
}

func containsKey(keys [][]byte, key []byte) bool {
	for _, k := range keys {
		if bytes.Equal(k, key) {
			return true
		}
	}
	return false
}

func (t *Table[T]) index(name string) (string, error) {
	for i, index := range t.Indexes {
		if index.Name == name {
			return t.indexNames()[i], nil
		}
	}
	return "", fmt.Errorf("store: table %s has no index %q", t.Name, name)
}

func (t *Table[T]) indexNames() []string {
	t.once.Do(func() {
		for _, index := range t.Indexes {
			t.names = append(t.names, t.Name+"."+index.Name)
		}
	})
	return t.names
}
