package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// An indexOfAny is an Index of a tableOfAny.
type indexOfAny struct {
	name  string
	table string // that holds the entries
	fixed bool
	keys  func(row any) [][]byte
}

func (t *tableOfAny) scanIndex(r Reader, index string, rng Range, fn func(row any) error) error {
	return t.scanKeys(r, index, rng, func(_, primary []byte) error {
		row, err := t.get(r, primary)
		if err != nil {
			return err
		}
		if row == nil {
			return fmt.Errorf("store: index %s of table %s points to row %x, which is missing", index, t.name, primary)
		}
		return fn(row)
	})
}

func (t *tableOfAny) scanKeys(r Reader, index string, rng Range, fn func(indexKey, primary []byte) error) error {
	i := slices.IndexFunc(t.indexes, func(i indexOfAny) bool { return i.name == index })
	if i < 0 {
		return fmt.Errorf("store: table %s has no index %q", t.name, index)
	}

	return r.Scan(t.indexes[i].table, rng, func(key, value []byte) error {
		n, err := splitEntry(key, value)
		if err != nil {
			return fmt.Errorf("store: entry %x of index %s of table %s: %w", key, index, t.name, err)
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

// update updates the entries of a row from the old to the new index keys, writing only the
// differences.
func (x *indexOfAny) update(tx Tx, primary []byte, old, current [][]byte) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for _, key := range old {
		if containsKey(current, key) {
			continue
		}
		*buf = append(append((*buf)[:0], key...), primary...)
		if err := tx.Delete(x.table, *buf); err != nil {
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
		if err := tx.Put(x.table, (*buf)[:n], (*buf)[n:]); err != nil {
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
