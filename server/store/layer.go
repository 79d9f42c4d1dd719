package store

import (
	"bytes"
	"errors"
	"iter"

	"github.com/tidwall/btree"
)

// A Layer is a set of changes to one partition, in memory, over an older state. It is
// immutable: With returns another layer, which shares memory with this one. nil is the
// empty layer.
type Layer struct {
	tables map[string]changeTree
}

// A changeTree has the changes of a table by key: pointers, since a layer copies the nodes of the
// one before that it changes. It is an interface because the compiler compiles the whole library
// again in each package that mentions a type with the tree in it.
type changeTree interface {
	Set(*change) (*change, bool)
	Get(*change) (*change, bool)
	Scan(fn func(*change) bool)
	iter() changeIterator
	clone() changeTree
}

type changeIterator interface {
	First() bool
	Last() bool
	Next() bool
	Prev() bool
	Seek(*change) bool
	Item() *change
}

type bTree struct{ *btree.BTreeG[*change] }

func (t bTree) clone() changeTree { return bTree{t.Copy()} }

func (t bTree) iter() changeIterator {
	iterator := t.Iter()
	return &iterator
}

// With returns the layer with more changes over it. It retains the slices.
func (l *Layer) With(rows []Row) *Layer {
	next := &Layer{tables: make(map[string]changeTree, 8)}
	if l != nil {
		for name, t := range l.tables {
			next.tables[name] = t
		}
	}

	var t changeTree
	changes := make([]change, len(rows))
	for i, row := range rows {
		if i == 0 || row.Table != rows[i-1].Table {
			t = next.ownTable(l, row.Table)
		}
		changes[i] = change{row.Key, row.Value}
		t.Set(&changes[i])
	}

	return next
}

// Grow adds changes to the layer itself, which must not be in use by readers yet. It
// retains the slices.
func (l *Layer) Grow(rows []Row) {
	if l.tables == nil {
		l.tables = make(map[string]changeTree, 16)
	}

	var t changeTree
	changes := make([]change, len(rows))
	for i, row := range rows {
		if i == 0 || row.Table != rows[i-1].Table {
			t = l.ownTable(nil, row.Table)
		}
		changes[i] = change{row.Key, row.Value}
		t.Set(&changes[i])
	}
}

// ownTable returns a table that is not shared with the layer before.
func (l *Layer) ownTable(before *Layer, name string) changeTree {
	t := l.tables[name]
	switch {
	case t == nil:
		t = bTree{btree.NewBTreeGOptions(keyLess, btree.Options{NoLocks: true, Degree: 16})}
	case before != nil && before.tables[name] == t:
		t = t.clone()
	}

	l.tables[name] = t

	return t
}

func keyLess(a, b *change) bool { return bytes.Compare(a.key, b.key) < 0 }

// Tables returns the names of the changed tables, in no order.
func (l *Layer) Tables() iter.Seq[string] {
	return func(yield func(string) bool) {
		if l == nil {
			return
		}
		for name := range l.tables {
			if !yield(name) {
				return
			}
		}
	}
}

// Changes calls fn with each change of a table in key order; a nil value is a deleted
// row.
func (l *Layer) Changes(table string, fn func(key, value []byte) error) (err error) {
	if t := l.tables[table]; t != nil {
		t.Scan(func(c *change) bool {
			err = fn(c.key, c.value)
			return err == nil
		})
	}

	return err
}

// HasRows reports whether any of the tables has a row.
func HasRows(r Reader, tables iter.Seq[string]) (found bool, err error) {
	for table := range tables {
		err = r.Scan(table, Range{}, func(_, _ []byte) error {
			found = true
			return ErrStop
		})
		if found || err != nil {
			break
		}
	}

	return found, err
}

// Over returns a reader of the layer over a base; a nil base is empty.
func (l *Layer) Over(base Reader) Reader {
	switch {
	case base == nil && l == nil:
		return emptyReader{}
	case l == nil:
		return base
	case base == nil:
		base = emptyReader{}
	}

	return &layerReader{layer: l, base: base}
}

type layerReader struct {
	layer *Layer
	base  Reader
	find  change // the key that Get looks for, which is not allocated each time
}

func (l *layerReader) Get(table string, key []byte) ([]byte, error) {
	if t := l.layer.tables[table]; t != nil {
		l.find.key = key
		if c, ok := t.Get(&l.find); ok {
			return c.value, nil
		}
	}

	return l.base.Get(table, key)
}

func (l *layerReader) Scan(table string, r Range, fn func(key, value []byte) error) error {
	t := l.layer.tables[table]
	if t == nil {
		return l.base.Scan(table, r, fn)
	}

	w := &layerScan{changes: t.iter(), r: r, fn: fn}
	w.begin()
	err := l.base.Scan(table, r, w.row)
	for err == nil && !w.stopped && w.pending {
		err = w.change()
	}
	if errors.Is(err, ErrStop) {
		return nil
	}

	return err
}

// A layerScan merges the changes of a table with the rows of the base.
type layerScan struct {
	changes changeIterator
	now     *change
	pending bool // now is valid
	stopped bool // by fn
	r       Range
	fn      func(key, value []byte) error
}

func (w *layerScan) begin() {
	switch {
	case !w.r.Reverse && w.r.From == nil:
		w.pending = w.changes.First()
	case !w.r.Reverse:
		w.pending = w.changes.Seek(&change{key: w.r.From})
	case w.r.To != nil && w.changes.Seek(&change{key: w.r.To}):
		w.pending = w.changes.Prev()
	default:
		w.pending = w.changes.Last()
	}

	w.fetch()
}

// fetch reads the iterator's current change, if it is in the range.
func (w *layerScan) fetch() {
	if !w.pending {
		return
	}

	w.now = w.changes.Item()
	if w.r.Reverse {
		w.pending = w.r.From == nil || bytes.Compare(w.now.key, w.r.From) >= 0
	} else {
		w.pending = w.r.To == nil || bytes.Compare(w.now.key, w.r.To) < 0
	}
}

// row handles a row of the base, after the changes before it.
func (w *layerScan) row(key, value []byte) error {
	for w.pending {
		order := bytes.Compare(w.now.key, key)
		if w.r.Reverse {
			order = -order
		}
		if order > 0 {
			break
		}
		if err := w.change(); err != nil || order == 0 {
			return err
		}
	}

	return w.emit(key, value)
}

// change emits the next change.
func (w *layerScan) change() error {
	c := w.now
	if w.r.Reverse {
		w.pending = w.changes.Prev()
	} else {
		w.pending = w.changes.Next()
	}

	w.fetch()
	if c.value == nil {
		return nil
	}

	return w.emit(c.key, c.value)
}

func (w *layerScan) emit(key, value []byte) error {
	err := w.fn(key, value)
	w.stopped = err != nil
	return err
}
