package store

import (
	"bytes"
	"fmt"
)

// ScanIndex calls fn with the rows, each fresh, in the order of the index.
// The range is compared with the entries' keys, an index key followed by the
// primary key, so a page may go on from the very row where the last one ended.
func (t *Table[T]) ScanIndex(r Reader, index string, rng Range, fn func(*T) error) error {
	return t.ScanKeys(r, index, rng, func(_, primary []byte) error {
		row, err := t.Get(r, primary)
		if err != nil {
			return err
		}
		if row == nil {
			return fmt.Errorf("store: index %s of table %s names the row %x, which is not there", index, t.Name, primary)
		}
		return fn(row)
	})
}

// ScanKeys calls fn with the keys alone: the index key, without the primary
// key that follows it in the store, and the primary key.
func (t *Table[T]) ScanKeys(r Reader, index string, rng Range, fn func(indexKey, primary []byte) error) error {
	name, err := t.index(index)
	if err != nil {
		return err
	}
	return r.Scan(name, rng, func(key, primary []byte) error {
		if !bytes.HasSuffix(key, primary) {
			return fmt.Errorf("store: the entry %x of index %s of table %s does not end in its row's key %x", key, index, t.Name, primary)
		}
		n := len(key) - len(primary)
		return fn(key[:n:n], primary)
	})
}

// reindex turns the entries of a row from the old index keys to the new ones,
// and writes only what differs.
func (t *Table[T]) reindex(tx Tx, i int, primary []byte, old, now [][]byte) error {
	name := t.indexNames()[i]
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for _, key := range old {
		if holds(now, key) {
			continue
		}
		*buf = append(append((*buf)[:0], key...), primary...)
		if err := tx.Delete(name, *buf); err != nil {
			return err
		}
	}
	for _, key := range now {
		if holds(old, key) {
			continue
		}
		*buf = append(append((*buf)[:0], key...), primary...)
		if err := tx.Put(name, *buf, primary); err != nil {
			return err
		}
	}
	return nil
}

func holds(keys [][]byte, key []byte) bool {
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
