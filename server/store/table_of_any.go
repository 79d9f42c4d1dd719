package store

import (
	"bytes"
	"fmt"
	"sync"
)

// A tableOfAny is a Table whose rows are pointers in interfaces.
type tableOfAny struct {
	name      string
	key       func(row any) []byte
	append    func(dst []byte, row any) ([]byte, error)
	decodeNew func(data []byte) (row any, err error)
	indexes   []indexOfAny
	cache     rowCache
}

func (t *tableOfAny) get(r Reader, key []byte) (any, error) {
	data, err := r.Get(t.name, key)
	if data == nil || err != nil {
		return nil, err
	}
	return t.decode(key, data)
}

func (t *tableOfAny) getShared(r Reader, key []byte) (any, error) {
	data, err := r.Get(t.name, key)
	if data == nil || err != nil {
		return nil, err
	}
	return t.shared(key, data)
}

func (t *tableOfAny) shared(key, data []byte) (any, error) {
	if row := t.cache.get(data); row != nil {
		return row, nil
	}
	row, err := t.decode(key, data)
	if err == nil {
		t.cache.put(data, row)
	}
	return row, err
}

func (t *tableOfAny) decode(key, data []byte) (any, error) {
	row, err := t.decodeNew(data)
	if err != nil {
		return nil, fmt.Errorf("store: cannot read row %x of table %s: %w", key, t.name, err)
	}
	return row, nil
}

func (t *tableOfAny) put(tx Tx, row any) error {
	key := t.key(row)
	if len(t.indexes) == 0 {
		return t.write(tx, key, row, nil)
	}

	data, err := tx.Get(t.name, key)
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

	for i := range t.indexes {
		index := &t.indexes[i]
		if index.fixed {
			continue
		}
		if err := index.update(tx, key, index.keys(old), index.keys(row)); err != nil {
			return err
		}
	}

	return t.write(tx, key, row, data)
}

func (t *tableOfAny) insert(tx Tx, key []byte, row any) error {
	for i := range t.indexes {
		if err := t.indexes[i].update(tx, key, nil, t.indexes[i].keys(row)); err != nil {
			return err
		}
	}

	return t.write(tx, key, row, nil)
}

func (t *tableOfAny) delete(tx Tx, key []byte) error {
	data, err := tx.Get(t.name, key)
	if data == nil || err != nil {
		return err
	}

	if len(t.indexes) > 0 {
		old, err := t.shared(key, data)
		if err != nil {
			return err
		}
		for i := range t.indexes {
			if err := t.indexes[i].update(tx, key, t.indexes[i].keys(old), nil); err != nil {
				return err
			}
		}
	}

	return tx.Delete(t.name, key)
}

func (t *tableOfAny) scan(r Reader, rng Range, fn func(row any) error) error {
	return r.Scan(t.name, rng, func(key, data []byte) error {
		row, err := t.decode(key, data)
		if err != nil {
			return err
		}
		return fn(row)
	})
}

// write stores the row's encoding unless it equals old.
func (t *tableOfAny) write(tx Tx, key []byte, row any, old []byte) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := t.append((*buf)[:0], row)
	if err != nil {
		return fmt.Errorf("store: cannot write row %x of table %s: %w", key, t.name, err)
	}

	*buf = data
	if old != nil && bytes.Equal(old, data) {
		return nil
	}

	return tx.Put(t.name, key, data)
}

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}
